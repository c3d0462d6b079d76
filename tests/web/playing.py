"""Moves made on the drawn table as a person makes them: by mouse, by touch, by keyboard."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from random import Random, getrandbits
from typing import Protocol

import httpx
from playwright.sync_api import Locator, Page, expect

from jaipur.rules import Deal
from server.serving import Client, Json, Server, choose_move, store_game

BOARD = ".board"
SHEET = "dialog[aria-labelledby=score-sheet]"
NEVER_LOST = "document.activeElement && document.activeElement !== document.body"

POINTS = """wanted => wanted.map((which, place) => {
  const found = document.querySelectorAll(which);
  const nth = wanted.slice(0, place).filter(each => each === which).length;
  const box = found[Math.min(nth, found.length - 1)].getBoundingClientRect();
  return [box.left + Math.min(box.width / 2, 18), box.top + box.height / 2];
})"""
"""Where to click for each of these, a card each; what there is but once is clicked as often as it is named."""


def see(page: Page, **asked: int) -> Json:
    """The table of a page, as the server tells whoever sits there."""
    address = page.url.partition("#")[0].replace("/t/", "/api/tables/")
    seen: Json = page.request.get(address, params=dict(asked)).json()
    return seen


def why_not(page: Page, move: str) -> Json:
    """What the server has against a move."""
    address = page.url.replace("/t/", "/api/tables/") + "/why"
    problem: Json = page.request.get(address, params={"move": move}).json()["problem"]
    return problem


def act(page: Page) -> Locator:
    """The one button."""
    return page.locator(".action")


def said(page: Page) -> Locator:
    """The line with the last move, or with what speaks against what is chosen."""
    return page.locator(".news")


def market_card(page: Page, kind: str) -> Locator:
    return page.locator(f".market [data-kind={kind}]")


def hand_card(page: Page, kind: str) -> Locator:
    return page.locator(f".hand [data-kind={kind}]")


def herd(page: Page) -> Locator:
    return page.locator(".herd")


def kinds(page: Page, where: str) -> str:
    found = page.locator(f"{where} [data-kind]").evaluate_all(
        "cards => cards.map(card => card.dataset.kind)"
    )
    return "".join(found)


def split(move: str) -> tuple[str, str]:
    found = re.fullmatch(r"(?:\+(\w+))?(?:-(\w+))?", move)
    assert found, move
    return found[1] or "", found[2] or ""


def choose(page: Page, move: str) -> None:
    """Choose the cards of a move by mouse."""
    taken, given = split(move)
    page.locator(BOARD).wait_for()
    wanted = [f".market [data-kind={kind}]" for kind in taken]
    wanted += [f".hand [data-kind={kind}]" if kind != "M" else ".herd" for kind in given]
    for x, y in page.evaluate(POINTS, wanted):
        page.mouse.click(x, y)


def press(page: Page, move: str) -> None:
    """Choose the cards of a move by keyboard."""
    taken, given = split(move)
    page.locator(BOARD).wait_for()
    places = page.locator(".place").evaluate_all(
        "places => places.map(place => place.querySelector('[data-kind]')?.dataset.kind ?? '-')"
    )
    for kind in taken:
        if move == "+M":
            page.keyboard.press("m")
            break
        page.keyboard.press(str(places.index(kind) + 1))
        places[places.index(kind)] = "-"
    for kind in given:
        page.keyboard.press(kind.lower())


def shown(page: Page, version: int) -> None:
    """Wait until the table of this version is what the page shows."""
    expect(page.locator(f'{BOARD}[data-version="{version}"]')).to_be_attached()


def moved_on(page: Page, version: int) -> None:
    """Wait until the page shows something newer."""
    page.wait_for_function(
        "version => document.querySelector('.board').dataset.version > version", arg=version
    )


def next_turn(page: Page) -> Json | None:
    """Wait until one is to move, or a score sheet lies there: the table, or None for the sheet."""
    while True:
        seen = see(page)
        page.wait_for_function(
            f"""version => document.querySelector("{SHEET}")
                || document.querySelector("{BOARD}")?.dataset.version >= version""",
            arg=seen["version"],
        )
        if page.locator(SHEET).count():
            return None
        if seen["over"] or seen["turn"] == seen["you"]:
            return seen


def likely(seen: Json, rng: Random) -> str:
    """A move that brings the round on, of every kind now and then."""
    moves: Sequence[str] = seen["moves"]
    exchanges = [move for move in moves if "-" in move and move.startswith("+") and len(move) < 8]
    if exchanges and rng.random() < 0.15:
        return rng.choice(exchanges)
    if seen["view"]["market"].count("M") > 1:
        return "+M"
    goods = [move for move in moves if re.fullmatch(r"\+[^M]", move)]
    sales = [move for move in moves if re.fullmatch(r"-\w{2,}", move)]
    return choose_move(sales or goods or moves, rng)


def weighed(page: Page) -> list[float]:
    """The bytes of every answer that comes from now on as they travel, headers included; the list grows by itself."""
    sizes: list[float] = []
    network = page.context.new_cdp_session(page)
    network.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    network.send("Network.enable")
    return sizes


def new_name() -> str:
    """A table's name that nobody has yet."""
    return f"{getrandbits(64):016x}"


class Seats(Protocol):
    """Two people at a table of ours."""

    def __call__(
        self, deal: Deal, moves: Sequence[str] = (), *, ago: int = 0, **options: object
    ) -> list[Client]: ...


def seats_at(server: Server, http: httpx.Client) -> Seats:
    """Who seats them; by a thread, since Playwright keeps the loop of this one."""

    def seat(
        deal: Deal, moves: Sequence[str] = (), *, ago: int = 0, **options: object
    ) -> list[Client]:
        put = partial(
            store_game, server.database, http, deal, moves, ago=ago, table=new_name(), **options
        )
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(put).result()

    return seat
