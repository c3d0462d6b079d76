"""Photographs the browser table: .venv/bin/python scripts/screenshots.py [FOLDER]

Home, rules, table, an exchange and the end of a round; on a phone and a desktop, by day and by night, in each language.
Looks at a real server in a real browser (Debian's chromium). The two that the README shows go to docs/ with --readme.
"""

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

DOCS = Path(__file__).resolve().parent.parent / "docs"
SIZES = {"phone": (360, 640), "desktop": (1280, 720)}
LOCALES = {"en": "en-GB", "fr": "fr-FR", "it": "it-IT"}
SETTLED = 900
"""Milliseconds until cards have landed."""


class Photographer:
    """Takes pictures of one visitor's pages."""

    def __init__(self, context: BrowserContext, address: str, out: Path, label: str) -> None:
        self._context = context
        self._address = address
        self._out = out
        self._label = label
        self._page: Page = context.new_page()

    def all(self) -> None:
        self._page.goto(self._address)
        self._shoot("home")
        self._page.goto(f"{self._address}/rules")
        self._shoot("rules")
        self._open_table()
        self._shoot("table")
        self._choose_an_exchange()
        self._shoot("exchange")
        self._play_the_round()
        self._page.wait_for_selector("dialog[open]")
        self._shoot("round")

    def _open_table(self) -> None:
        self._page.goto(self._address)
        self._context.request.post(f"{self._address}/api/visitor")
        wish = {"against": "computer", "level": "peddler", "name": "Ann"}
        opened = self._context.request.post(f"{self._address}/api/tables", data=wish).json()
        self._table = f"{self._address}/api/tables/{opened['id']}"
        for _ in range(6):
            self._move()
        self._page.goto(f"{self._address}/t/{opened['id']}")
        self._page.wait_for_selector(".board")

    def _choose_an_exchange(self) -> None:
        goods = self._page.locator(".market button:not([data-kind=M])")
        for place in range(min(2, goods.count())):
            goods.nth(place).click()

    def _play_the_round(self) -> None:
        while self._move():
            pass

    def _move(self) -> bool:
        """Make one move of ours, the largest sale there is or the first move; False once the round is over."""
        while True:
            seen: dict[str, Any] = self._context.request.get(self._table).json()
            if any(played["ended"] for played in seen["rounds"]):
                return False
            if seen["moves"]:
                break
            time.sleep(0.05)
        move = max(seen["sales"], key=len, default=seen["moves"][0])
        body = {"move": move, "version": seen["version"]}
        self._context.request.post(f"{self._table}/play", data=body)
        return True

    def _shoot(self, what: str) -> None:
        self._page.wait_for_timeout(SETTLED)
        self._page.screenshot(path=self._out / f"{what}-{self._label}.png")


def photograph(browser: Browser, address: str, out: Path) -> None:
    for language, locale in LOCALES.items():
        for size, (width, height) in SIZES.items():
            for theme in ("light", "dark"):
                with browser.new_context(
                    locale=locale,
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if theme == "dark" else "light",
                ) as context:
                    label = f"{size}-{theme}-{language}"
                    print(label, flush=True)
                    Photographer(context, address, out, label).all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("screenshots"))
    parser.add_argument("--readme", action="store_true", help="renew the pictures of the README")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        command = [sys.executable, "-m", "jaipur", "serve", "--port", str(port), "--limit", "0"]
        server = subprocess.Popen([*command, "--database", f"sqlite:///{data}/tables"])
        try:
            httpx.Client(transport=httpx.HTTPTransport(retries=10)).get(f"{address}/health")
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            photograph(browser, address, options.folder)
            browser.close()
        finally:
            server.terminate()
            server.wait()
    if options.readme:
        for taken, name in (
            ("table-desktop-light-en", "table"),
            ("exchange-phone-dark-en", "phone"),
        ):
            shutil.copy(options.folder / f"{taken}.png", DOCS / f"{name}.png")


if __name__ == "__main__":
    main()
