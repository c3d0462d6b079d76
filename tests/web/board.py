"""Helpers for pages with a board: find its parts, make moves by mouse and keyboard, wait for updates."""

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
SCORE_SHEET = "dialog[aria-labelledby=score-sheet]"
HAS_FOCUS = "document.activeElement && document.activeElement !== document.body"

POINTS = """selectors => selectors.map((selector, index) => {
  const found = document.querySelectorAll(selector);
  const nth = selectors.slice(0, index).filter(each => each === selector).length;
  const box = found[Math.min(nth, found.length - 1)].getBoundingClientRect();
  return [box.left + Math.min(box.width / 2, 18), box.top + box.height / 2];
})"""
"""The points to click for a list of selectors. The n-th mention of a selector is the n-th match, or the last one."""


def get_table(page: Page, **params: int) -> Json:
    """The table of a page from the API, with the cookies of the page."""
    address = page.url.partition("#")[0].replace("/t/", "/api/tables/")
    table: Json = page.request.get(address, params=dict(params)).json()
    return table


def problem_with(page: Page, move: str) -> Json:
    """The server's explanation why a move is not legal."""
    address = page.url.replace("/t/", "/api/tables/") + "/why"
    problem: Json = page.request.get(address, params={"move": move}).json()["problem"]
    return problem


def action_button(page: Page) -> Locator:
    """The button that plays the selected move."""
    return page.locator(".action")


def news(page: Page) -> Locator:
    """The line with the last move, or the reason why the selected one is not legal."""
    return page.locator(".news")


def market_card(page: Page, kind: str) -> Locator:
    return page.locator(f".market [data-kind={kind}]")


def hand_card(page: Page, kind: str) -> Locator:
    return page.locator(f".hand [data-kind={kind}]")


def herd(page: Page) -> Locator:
    return page.locator(".herd")


def card_kinds(page: Page, where: str) -> str:
    found = page.locator(f"{where} [data-kind]").evaluate_all(
        "cards => cards.map(card => card.dataset.kind)"
    )
    return "".join(found)


def split_move(move: str) -> tuple[str, str]:
    found = re.fullmatch(r"(?:\+(\w+))?(?:-(\w+))?", move)
    assert found, move
    return found[1] or "", found[2] or ""


def click_move(page: Page, move: str) -> None:
    """Select the cards of a move by mouse."""
    taken, given = split_move(move)
    page.locator(BOARD).wait_for()
    selectors = [f".market [data-kind={kind}]" for kind in taken]
    selectors += [f".hand [data-kind={kind}]" if kind != "M" else ".herd" for kind in given]
    for x, y in page.evaluate(POINTS, selectors):
        page.mouse.click(x, y)


def press_move(page: Page, move: str) -> None:
    """Select the cards of a move by keyboard."""
    taken, given = split_move(move)
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


def wait_for_version(page: Page, version: int) -> None:
    """Wait until the page shows this version of the table."""
    expect(page.locator(f'{BOARD}[data-version="{version}"]')).to_be_attached()


def wait_for_change(page: Page, version: int) -> None:
    """Wait until the page shows a newer version."""
    page.wait_for_function(
        "version => document.querySelector('.board').dataset.version > version", arg=version
    )


def wait_for_turn(page: Page) -> Json | None:
    """Wait for the turn of the page's player and return the table, or None if a score sheet is open."""
    while True:
        table = get_table(page)
        page.wait_for_function(
            f"""version => document.querySelector("{SCORE_SHEET}")
                || document.querySelector("{BOARD}")?.dataset.version >= version""",
            arg=table["version"],
        )
        if page.locator(SCORE_SHEET).count():
            return None
        if table["over"] or table["turn"] == table["you"]:
            return table


def pick_move(table: Json, rng: Random) -> str:
    """A move that shortens the round, sometimes an exchange."""
    moves: Sequence[str] = table["moves"]
    exchanges = [move for move in moves if "-" in move and move.startswith("+") and len(move) < 8]
    if exchanges and rng.random() < 0.15:
        return rng.choice(exchanges)
    if table["view"]["market"].count("M") > 1:
        return "+M"
    goods = [move for move in moves if re.fullmatch(r"\+[^M]", move)]
    sales = [move for move in moves if re.fullmatch(r"-\w{2,}", move)]
    return choose_move(sales or goods or moves, rng)


def record_sizes(page: Page) -> list[float]:
    """A list to which the transferred size of every response from now on is appended, headers included."""
    sizes: list[float] = []
    network = page.context.new_cdp_session(page)
    network.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
    network.send("Network.enable")
    return sizes


def new_table_id() -> str:
    """A table id that is not in use."""
    return f"{getrandbits(64):016x}"


class TableSeater(Protocol):
    """Stores a table with two people and returns their clients."""

    def __call__(
        self, deal: Deal, moves: Sequence[str] = (), *, ago: int = 0, **options: object
    ) -> list[Client]: ...


def table_seater(server: Server, http: httpx.Client) -> TableSeater:
    """Runs in a thread, because Playwright occupies the event loop of this one."""

    def seat(
        deal: Deal, moves: Sequence[str] = (), *, ago: int = 0, **options: object
    ) -> list[Client]:
        put = partial(
            store_game, server.database, http, deal, moves, ago=ago, table=new_table_id(), **options
        )
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(put).result()

    return seat
