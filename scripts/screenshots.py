"""Takes screenshots of the browser client: .venv/bin/python scripts/screenshots.py [FOLDER]

The screenshots show the home page, the table, an exchange, the end of a round and the rules. The screens are a phone
and a desktop, in both themes and every language. The first three pages are also shown on a tablet and on a phone in
landscape. Computer players play the same round each time, so that you can compare two runs. The script uses a real
server, and the chromium and the fonts of this machine. `--readme` takes only the two pictures of the README and writes
them to docs/images/.
"""

import argparse
import asyncio
import shutil
import socket
import subprocess
import sys
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, Game
from jaipur.rules.cards import LETTERS
from jaipur.server.live.server_clock import system_time
from jaipur.server.store.event_store import open_event_store
from jaipur.table.events import AnyEvent, Chair, Dealt, LogEntry, Opened, Played
from jaipur.table.options import TableOptions
from jaipur.table.state import digest
from jaipur.table.table import Table
from jaipur.words import LANGUAGES

DOCS = Path(__file__).resolve().parent.parent / "docs" / "images"
TO_WEBP = """async png => {
  const picture = await createImageBitmap(await (await fetch(png)).blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", 0.9);
}"""
"""Converts a PNG picture to WebP. The WebP file is a third smaller."""

SEED = 4
"""With this seed, the last move of the round is Ann's."""
MOVES = 14
"""After this many moves, Ann can make the exchange below."""
EXCHANGE = "+DC-LM"
LEVEL = "merchant"
SECRET = "the-secret-of-the-screenshots"

SIZES = {
    "phone": (360, 640),
    "desktop": (1280, 720),
    "tablet": (768, 1024),
    "landscape": (640, 360),
}
HIGH_DENSITY = ("phone", "landscape")
"""The devices with a device pixel ratio of 2."""


class Look(NamedTuple):
    """The device, the theme and the language of a screenshot."""

    size: str
    theme: str
    language: str

    def __str__(self) -> str:
        return "-".join(self)


README = (Look("desktop", "light", "en"), Look("phone", "dark", "en"))
LOOKS = [Look(*each) for each in product(SIZES, ("light", "dark"), LANGUAGES)]


def table_id(look: Look, moves: int) -> str:
    """Return the id of the table that shows the round after this many moves, for one look."""
    return f"{LOOKS.index(look):08x}{moves:08x}"


class Camera:
    """Takes the screenshots of one look."""

    def __init__(self, context: BrowserContext, address: str, look: Look) -> None:
        self._page = context.new_page()
        self._address = address
        self._look = look

    def take_all(self, folder: Path) -> None:
        scenes = [self.home, self.table, self.exchange]
        if self._look.size in ("phone", "desktop"):
            scenes += [self.round, self.rules]
        for scene in scenes:
            scene()
            picture = folder / f"{scene.__name__}-{self._look}.png"
            self._page.screenshot(path=picture, full_page=scene == self.rules)

    def home(self) -> None:
        self._open("", "select")

    def table(self) -> None:
        self._open_table(table_id(self._look, MOVES))

    def exchange(self) -> None:
        taken, given = EXCHANGE.removeprefix("+").split("-")
        for kind in taken:
            self._page.click(f".market [data-kind={kind}]")
        for kind in given:
            self._page.click(".herd" if kind == "M" else f".hand [data-kind={kind}]")
        self._page.wait_for_selector(".action[aria-disabled=false]")

    def round(self) -> None:
        *before, last = example_moves()
        table = table_id(self._look, len(before))
        self._open_table(table)
        move = {"move": last, "version": len(before) + 2}
        self._page.request.post(f"{self._address}/api/tables/{table}/play", data=move)
        self._page.wait_for_selector("dialog[open]")

    def rules(self) -> None:
        self._open("rules", "article")
        # The browser does not lay out sections below the fold. A screenshot of the whole page needs them.
        self._page.evaluate("""() => document.querySelectorAll("section").forEach(
            (section) => { section.style.contentVisibility = "visible"; })""")

    def as_webp(self) -> bytes:
        """Return a screenshot of the current page as WebP."""
        png = "data:image/png;base64," + b64encode(self._page.screenshot()).decode()
        webp: str = self._page.context.new_page().evaluate(TO_WEBP, png)
        return b64decode(webp.partition(",")[2])

    def _open_table(self, table: str) -> None:
        self._open(f"t/{table}", ".news span:not(:empty)")

    def _open(self, path: str, selector: str) -> None:
        self._page.goto(f"{self._address}/{path}")
        self._page.locator(selector).first.wait_for()
        expect(self._page.locator(".art:empty")).to_have_count(0)  # all drawings are inserted


def example_deal() -> Deal:
    return Deal.shuffled(Random(SEED), 0)


def example_moves() -> list[str]:
    """Return the moves of the round. A computer player chooses the moves of both seats."""
    rng = Random(SEED)
    game, player = Game(), player_named(LEVEL)
    game.start(Deal.shuffled(rng, 0))
    while moves := game.legal_moves():
        view = game.view(len(game.rounds[-1].moves) % 2)
        game.play(player.choose(view, moves, rng, NO_BUDGET))
    return [str(move) for move in game.rounds[-1].moves]


async def store_tables(database: str) -> None:
    """Store the tables before the server starts."""
    moves = example_moves()
    storage = await open_event_store(database)
    for look, count in product(LOOKS, (MOVES, len(moves) - 1)):
        table, entries = table_id(look, count), event_log(moves[:count])
        await storage.append(table, entries, Table.replay(table, entries).status)
    await storage.close()


def event_log(moves: Sequence[str]) -> list[LogEntry]:
    deal = example_deal()
    chairs = (Chair("person", "Ann", digest(SECRET)), Chair("computer", LEVEL))
    pack = "".join(LETTERS[card] for card in deal.pack)
    events: list[AnyEvent] = [Opened(chairs, TableOptions()), Dealt(0, pack, deal.bonus, "5a" * 32)]
    events += [Played(index % 2, move) for index, move in enumerate(moves)]
    now = system_time()
    return [LogEntry(version, now, event) for version, event in enumerate(events, 1)]


@contextmanager
def server(database: str) -> Iterator[str]:
    """Run a server with this database, and yield its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jaipur", "serve", "--port", str(port), "--limit", "0"]
    process = subprocess.Popen([*command, "--database", database], stdout=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        httpx.Client(transport=httpx.HTTPTransport(retries=10)).get(f"{address}/health")
        yield address
    finally:
        process.terminate()
        process.wait()


@contextmanager
def visitor(browser: Browser, address: str, look: Look) -> Iterator[Camera]:
    """Open a browser context for a look. Its cookie gives it a seat at the tables of this look."""
    width, height = SIZES[look.size]
    with browser.new_context(
        locale=look.language,
        viewport={"width": width, "height": height},
        device_scale_factor=2 if look.size in HIGH_DENSITY else 1,
        color_scheme="dark" if look.theme == "dark" else "light",
        reduced_motion="reduce",
    ) as context:
        context.add_cookies([{"name": "jaipur", "value": SECRET, "url": address}])
        context.add_init_script("localStorage['jaipur.speed'] = 'off'")
        yield Camera(context, address, look)


def take_screenshots(browser: Browser, address: str, folder: Path, only: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for look in LOOKS:
        if only in str(look):
            print(look, flush=True)
            with visitor(browser, address, look) as camera:
                camera.take_all(folder)


def update_readme(browser: Browser, address: str) -> None:
    for look in README:
        with visitor(browser, address, look) as camera:
            camera.table()
            camera.exchange()
            (DOCS / f"{look.size}.webp").write_bytes(camera.as_webp())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("screenshots"))
    parser.add_argument("--only", default="", metavar="LOOK", help="such as phone-dark or fr")
    parser.add_argument("--readme", action="store_true", help="update the pictures of the README")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        database = f"sqlite:///{data}/tables"
        asyncio.run(store_tables(database))
        with server(database) as address, sync_playwright() as playwright:
            # The sandbox does not work for root in a container.
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            if options.readme:
                update_readme(browser, address)
            else:
                take_screenshots(browser, address, options.folder, options.only)
            browser.close()


if __name__ == "__main__":
    main()
