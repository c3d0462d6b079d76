"""The whole chain, from a click in a real browser to the table and back: opened, played by mouse and by keyboard."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from jaipur.words import Words
from server.serving import Server, serving

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium here (Debian: apt install chromium)"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("chain")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # Without its sandbox, for tests that run as root in a container.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A visitor on the first page, who has nothing to complain about."""
    complaints: list[str] = []
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.on("console", lambda said: complaints.append(f"{said.text} {said.location}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(server.address)
        yield page
    assert not complaints


def test_a_game_against_the_computer_by_mouse_and_by_keyboard(page: Page) -> None:
    page.get_by_label("Opponent").select_option("random")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page).to_have_url(re.compile(r"/t/[0-9a-f]{16}$"))
    turn = page.get_by_text("Your turn.")
    moves = page.locator("[data-move]")

    expect(turn).to_be_visible()
    moves.first.click()
    expect(page.get_by_role("status").first).to_contain_text("random")

    expect(turn).to_be_visible()
    moves.last.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_contain_text("random")


def test_a_friend_comes_by_link_and_both_see_each_other_move(page: Page, browser: Browser) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Open a table").click()
    link = page.get_by_label("Link").input_value()
    assert re.search(r"/t/[0-9a-f]{16}#[\w-]{22,}$", link)
    with browser.new_context(locale="fr-FR") as context:
        friend = context.new_page()
        friend.goto(link)
        expect(friend.get_by_text("Ann vous invite à une partie.")).to_be_visible()
        friend.get_by_label("Votre nom").fill("Bo")
        friend.get_by_role("button", name="Prendre place").click()
        expect(friend.get_by_text("Marché").first).to_be_visible()
        expect(page.get_by_text("Market").first).to_be_visible()
        mover = page if page.locator("[data-move]").count() else friend
        other, name = (friend, "Ann") if mover is page else (page, "Bo")
        mover.locator("[data-move]").first.click()
        expect(other.get_by_role("status").first).to_contain_text(name)
        expect(other.locator("[data-move]").first).to_be_visible()


def test_two_play_on_one_screen_in_turns(page: Page) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("The other trader’s name").fill("Bo")
    page.get_by_role("button", name="Play together").click()
    turn = page.get_by_text("It is the turn of")
    expect(turn).to_be_visible()
    before = turn.inner_text()
    page.locator("[data-move]").first.click()
    expect(turn).not_to_have_text(before)
    expect(page.locator("[data-move]").first).to_be_visible()


def test_a_move_into_a_lost_connection_is_played_once_when_it_is_back(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path) as server, browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_role("button", name="Play together").click()
        expect(page.locator("[data-move]").first).to_be_visible()
        server.kill()
        lost = page.get_by_text("Connection lost")
        expect(lost).to_be_visible()
        page.locator("[data-move]").first.click()
        server.start()
        expect(page.get_by_text("From the deck").or_(page.get_by_text("sold"))).to_be_visible(
            timeout=20_000
        )
        expect(lost).to_be_hidden(timeout=20_000)
        seen = context.request.get(page.url.replace("/t/", "/api/tables/")).json()
        assert seen["view"]["moves_played"] == 1


def test_language_and_colours_can_be_changed_and_are_kept(page: Page) -> None:
    page.get_by_label("Language").select_option("it")
    expect(page.get_by_role("heading", name="Contro il computer")).to_be_visible()
    expect(page.get_by_text(Words("it").say("level.greedy"))).to_be_visible()
    page.get_by_label("Colori").select_option("dark")
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
    page.reload()
    expect(page.get_by_role("heading", name="Contro il computer")).to_be_visible()
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
