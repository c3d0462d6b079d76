"""Photographs the browser table: .venv/bin/python scripts/screenshots.py [FOLDER]

Home, table, an exchange, the end of a round and the rules; on a phone and a desktop, by day and by night, in each
language; the first three on a tablet and on a phone on its side too. The round is always the same, played by computers
beforehand; the server is a real one, and browser (Debian's chromium) and fonts are those of the machine. With --readme
only the two pictures of the README are taken, and go to docs/.
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
from jaipur.rules import LETTERS, Deal, Game
from jaipur.server.live.tables import system_time
from jaipur.server.store.event_store import open_event_store
from jaipur.table.events import AnyEvent, Chair, Dealt, LogEntry, Opened, Played
from jaipur.table.options import TableOptions
from jaipur.table.state import digest
from jaipur.table.table import Table
from jaipur.words import LANGUAGES

DOCS = Path(__file__).resolve().parent.parent / "docs" / "images"
SMALL = """async png => {
  const picture = await createImageBitmap(await (await fetch(png)).blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", 0.9);
}"""
"""Makes WebP of a PNG, which is smaller by a third."""

SEED = 4
"""A round that Ann ends by her own move."""
MOVES = 14
"""After so many moves she is to move, and this exchange is a good one."""
EXCHANGE = "+DC-LM"
LEVEL = "merchant"
SECRET = "of-somebody-who-sits-for-a-portrait"

SIZES = {"phone": (360, 640), "desktop": (1280, 720), "tablet": (768, 1024), "side": (640, 360)}
SHARP = ("phone", "side")
"""What has two dots to a pixel."""


class Look(NamedTuple):
    """How somebody sees the pages."""

    size: str
    theme: str
    language: str

    def __str__(self) -> str:
        return "-".join(self)


README = (Look("desktop", "light", "en"), Look("phone", "dark", "en"))
LOOKS = [Look(*each) for each in product(SIZES, ("light", "dark"), LANGUAGES)]


def table_for(look: Look, moves: int) -> str:
    """The name of the table at which somebody looks at the round after so many moves."""
    return f"{LOOKS.index(look):08x}{moves:08x}"


class Photographer:
    """Takes the pictures of one visitor's pages."""

    def __init__(self, context: BrowserContext, address: str, look: Look) -> None:
        self._page = context.new_page()
        self._address = address
        self._look = look

    def all(self, folder: Path) -> None:
        scenes = [self.home, self.table, self.exchange]
        if self._look.size in ("phone", "desktop"):
            scenes += [self.round, self.rules]
        for scene in scenes:
            scene()
            picture = folder / f"{scene.__name__}-{self._look}.png"
            self._page.screenshot(path=picture, full_page=scene == self.rules)

    def home(self) -> None:
        self._go("", "select")

    def table(self) -> None:
        self._sit_down(table_for(self._look, MOVES))

    def exchange(self) -> None:
        taken, given = EXCHANGE.removeprefix("+").split("-")
        for kind in taken:
            self._page.click(f".market [data-kind={kind}]")
        for kind in given:
            self._page.click(".herd" if kind == "M" else f".hand [data-kind={kind}]")
        self._page.wait_for_selector(".action[aria-disabled=false]")

    def round(self) -> None:
        *before, last = played()
        table = table_for(self._look, len(before))
        self._sit_down(table)
        move = {"move": last, "version": len(before) + 2}
        self._page.request.post(f"{self._address}/api/tables/{table}/play", data=move)
        self._page.wait_for_selector("dialog[open]")

    def rules(self) -> None:
        self._go("rules", "article")
        # What is out of sight is not laid out, and a picture of the whole page has nothing out of sight.
        self._page.evaluate("""() => document.querySelectorAll("section").forEach(
            (section) => { section.style.contentVisibility = "visible"; })""")

    def small(self) -> bytes:
        """What is to be seen now, as WebP."""
        taken = "data:image/png;base64," + b64encode(self._page.screenshot()).decode()
        made: str = self._page.context.new_page().evaluate(SMALL, taken)
        return b64decode(made.partition(",")[2])

    def _sit_down(self, table: str) -> None:
        self._go(f"t/{table}", ".news span:not(:empty)")

    def _go(self, path: str, sign: str) -> None:
        self._page.goto(f"{self._address}/{path}")
        self._page.locator(sign).first.wait_for()
        expect(self._page.locator(".art:empty")).to_have_count(0)  # all is drawn


def round_dealt() -> Deal:
    return Deal.shuffled(Random(SEED), 0)


def played() -> list[str]:
    """The moves of the round, Ann's and the computer's."""
    rng = Random(SEED)
    game, player = Game(), player_named(LEVEL)
    game.start(Deal.shuffled(rng, 0))
    while moves := game.legal_moves():
        view = game.view(len(game.rounds[-1].moves) % 2)
        game.play(player.choose(view, moves, rng, NO_BUDGET))
    return [repr(move) for move in game.rounds[-1].moves]


async def keep_tables(database: str) -> None:
    """Keep the tables before the server starts, which finds them as if they had been played there."""
    moves = played()
    storage = await open_event_store(database)
    for look, count in product(LOOKS, (MOVES, len(moves) - 1)):
        table, entries = table_for(look, count), journal(moves[:count])
        await storage.append(table, entries, Table.replay(table, entries).status)
    await storage.close()


def journal(moves: Sequence[str]) -> list[LogEntry]:
    deal = round_dealt()
    chairs = (Chair("person", "Ann", digest(SECRET)), Chair("computer", LEVEL))
    pack = "".join(LETTERS[card] for card in deal.pack)
    events: list[AnyEvent] = [Opened(chairs, TableOptions()), Dealt(0, pack, deal.bonus, "5a" * 32)]
    events += [Played(place % 2, move) for place, move in enumerate(moves)]
    now = system_time()
    return [LogEntry(version, now, event) for version, event in enumerate(events, 1)]


@contextmanager
def server(database: str) -> Iterator[str]:
    """A server over these tables; its address."""
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
def visitor(browser: Browser, address: str, look: Look) -> Iterator[Photographer]:
    """Somebody who sits at the tables kept for this look, with a camera."""
    width, height = SIZES[look.size]
    with browser.new_context(
        locale=look.language,
        viewport={"width": width, "height": height},
        device_scale_factor=2 if look.size in SHARP else 1,
        color_scheme="dark" if look.theme == "dark" else "light",
        reduced_motion="reduce",
    ) as context:
        context.add_cookies([{"name": "jaipur", "value": SECRET, "url": address}])
        context.add_init_script("localStorage['jaipur.speed'] = 'off'")
        yield Photographer(context, address, look)


def photograph(browser: Browser, address: str, folder: Path, wanted: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for look in LOOKS:
        if wanted in str(look):
            print(look, flush=True)
            with visitor(browser, address, look) as photographer:
                photographer.all(folder)


def renew_readme(browser: Browser, address: str) -> None:
    for look in README:
        with visitor(browser, address, look) as photographer:
            photographer.table()
            photographer.exchange()
            (DOCS / f"{look.size}.webp").write_bytes(photographer.small())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("screenshots"))
    parser.add_argument("--only", default="", metavar="LOOK", help="such as phone-dark or fr")
    parser.add_argument("--readme", action="store_true", help="renew the pictures of the README")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        database = f"sqlite:///{data}/tables"
        asyncio.run(keep_tables(database))
        with server(database) as address, sync_playwright() as playwright:
            # Without its sandbox, as it may run as root in a container.
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            if options.readme:
                renew_readme(browser, address)
            else:
                photograph(browser, address, options.folder, options.only)
            browser.close()


if __name__ == "__main__":
    main()
