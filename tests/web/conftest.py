"""Fixtures of the browser tests: a server, a browser, and visitors whose console must stay free of errors."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from programs import needed
from server.serving import TIMEOUT, Server, run_server
from web.board import TableSeater, table_seater

Visitor = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = needed("chromium")
    with sync_playwright() as playwright:
        # The sandbox does not work for root in a container.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


def console_errors(message: ConsoleMessage, refused: bool) -> list[str]:
    """The console message, unless it reports an expected refusal."""
    late = message.location["url"].endswith("/contribution")  # on a slow machine
    if (refused or late) and message.text.startswith("Failed to load resource"):
        return []
    return [f"{message.text} {message.location}"]


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Open pages as new visitors, without card animations unless `speed` is given."""
    errors: list[str] = []
    contexts: list[BrowserContext] = []

    def visit(
        path: str = "",
        *,
        speed: str = "off",
        secret: str = "",
        refused: bool = False,
        **options: Any,  # noqa: ANN401  # as Playwright types them
    ) -> Page:
        context = browser.new_context(**{"locale": "en-GB", **options})
        contexts.append(context)
        context.set_default_timeout(10_000)
        context.add_init_script(
            f"localStorage['jaipur.speed'] ??= '{speed}'; localStorage['jaipur.level'] ??= 'random'"
        )
        if secret:
            context.add_cookies([{"name": "jaipur", "value": secret, "url": server.address}])
        page = context.new_page()
        page.on("console", lambda message: errors.extend(console_errors(message, refused)))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{server.address}/{path}")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def seat_players(server: Server) -> Iterator[TableSeater]:
    """Store tables with two people in the database of the server."""
    with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
        yield table_seater(server, http)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """A visitor on the home page."""
    return visitor()
