"""A server, a browser, and visitors who have nothing to complain about."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from programs import needed
from server.serving import TIMEOUT, Server, run_server
from web.playing import Seats, seats_at

Visitor = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(tmp_path_factory.mktemp("chain")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = needed("chromium")
    with sync_playwright() as playwright:
        # Without its sandbox, for tests that run as root in a container.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


def complaint(said: ConsoleMessage, refused: bool) -> list[str]:
    """What the browser says, but for a refusal where one is expected."""
    if refused and said.text.startswith("Failed to load resource"):
        return []
    return [f"{said.text} {said.location}"]


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Somebody new on the first page or another, whose cards do not fly unless the speed says so."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def come(
        path: str = "",
        *,
        speed: str = "off",
        secret: str = "",
        refused: bool = False,
        **wishes: Any,  # noqa: ANN401  # as Playwright types them
    ) -> Page:
        context = browser.new_context(**{"locale": "en-GB", **wishes})
        contexts.append(context)
        context.set_default_timeout(10_000)
        context.add_init_script(
            f"localStorage['jaipur.speed'] ??= '{speed}'; localStorage['jaipur.level'] ??= 'random'"
        )
        if secret:
            context.add_cookies([{"name": "jaipur", "value": secret, "url": server.address}])
        page = context.new_page()
        page.on("console", lambda said: complaints.extend(complaint(said, refused)))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server.address}/{path}")
        return page

    yield come
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def seated(server: Server) -> Iterator[Seats]:
    """Two people at a table of ours, as often as one likes."""
    with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
        yield seats_at(server, http)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """A visitor on the first page."""
    return visitor()
