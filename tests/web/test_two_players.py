"""Two people at a table on two devices: clocks, presence, resignation, rematches and spectators."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from jaipur.server.live.spectators import DELAY
from jaipur.table.state import ABANDONED_AFTER
from server.serving import Server
from web.board import (
    TableSeater,
    action_button,
    card_kinds,
    get_table,
    news,
    press_move,
    wait_for_version,
)
from web.conftest import Visitor
from web.layout import LAYOUT_PROBLEMS, SIZES
from web.rounds import DEAL

LIVE = {"kind": "live", "seconds": 10}
DAILY = {"kind": "daily", "days": 3}
PAUSE = 15_000
"""Milliseconds after a deal before the clock starts."""
CONTENT_FITS = (
    "part => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1"
)
"""Whether the content of an element fits into it."""


def open_menu(page: Page, name: str = "Menu") -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_low_time_is_announced_and_a_loss_on_time_is_shown(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL, ["+P", "-L"], ago=PAUSE + 4_000, clock=LIVE)
    pages = [visitor(f"t/{each.table}", secret=each.secret) for each in (ann, bo)]
    expect(pages[0].locator(".tray time.low")).to_have_text(re.compile(r"^0:0[1-6]$"))
    expect(pages[1].locator(".other time.low")).to_have_text(re.compile(r"^0:0[1-6]$"))
    expect(
        pages[0].get_by_role("status").get_by_text("Less than 30 seconds left.")
    ).to_be_attached()
    expect(news(pages[0])).to_have_text("You ran out of time.", timeout=15_000)
    expect(news(pages[1])).to_have_text("Ann ran out of time.")
    expect(pages[0].locator("h1")).to_have_text("Bo wins the game.")
    expect(pages[1].locator("h1")).to_have_text("You win the game.")
    pages[0].reload()
    expect(news(pages[0])).to_have_text("You ran out of time.")


def test_the_chosen_clock_is_shown_to_both_players(page: Page, visitor: Visitor) -> None:
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Clock, with a friend").select_option("5 min + 5 s a move")
    page.get_by_role("button", name="Open a table").click()
    friend = visitor()
    friend.goto(page.get_by_label("Link").input_value())
    agreed = friend.get_by_role("list", name="Options of this game")
    expect(agreed).to_contain_text("5 min + 5 s a move.")
    friend.get_by_role("button", name="Join the game").click()
    for each in (page, friend):
        expect(each.locator("time")).to_have_text(["5:00", "5:00"])
        assert get_table(each)["options"]["clock"] == {
            "kind": "live",
            "seconds": 300,
            "increment": 5,
        }


def test_a_link_to_this_machine_has_no_code_to_scan(page: Page) -> None:
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_text("This address works only on this device.")).to_be_visible()
    expect(page.locator(".code")).to_have_count(0)


def test_a_refused_name_is_explained_on_the_invitation(page: Page, visitor: Visitor) -> None:
    page.get_by_role("button", name="Open a table").click()
    friend = visitor(refused=True)
    friend.goto(page.get_by_label("Link").input_value())
    friend.get_by_label("Your name").fill("\u202eeve")
    friend.get_by_role("button", name="Join the game").click()
    expect(friend.get_by_role("alert")).to_contain_text("name")
    friend.get_by_label("Your name").fill("Eve")
    friend.get_by_role("button", name="Join the game").click()
    expect(friend.locator(".board")).to_be_visible()


def test_presence_resignation_and_rematch_are_shown_to_the_opponent(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL, ["+P"], clock=DAILY)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    other = visitor(f"t/{bo.table}", secret=bo.secret)
    expect(page.locator("time").first).to_have_text("3 d 0 h")
    expect(page.locator(".other em")).to_have_count(0)
    open_menu(other)
    other.get_by_role("link", name="Home").click()
    expect(page.locator(".other em")).to_have_text("away")
    status = page.get_by_role("status")
    expect(status.get_by_text("Bo is away.")).to_be_attached()
    other.get_by_role("link", name="Table with Ann").click()
    expect(status.get_by_text("Bo is back.")).to_be_attached()
    expect(page.locator(".other em")).to_have_count(0)

    open_menu(other)
    other.get_by_role("button", name="Resign").click()
    other.get_by_role("button", name="Really resign?").click()
    expect(news(page)).to_have_text("Bo resigned.")
    expect(news(other)).to_have_text("You resigned.")
    expect(page.locator("h1")).to_have_text("You win the game.")
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_text("Rematch offered; waiting for")).to_be_visible()
    expect(other.get_by_text("Ann would like a rematch.")).to_be_visible()
    other.get_by_role("button", name="Rematch").click()
    # Both players arrive at the new table, also the one who asked first.
    expect(page).not_to_have_url(re.compile(ann.table))
    expect(page).to_have_url(other.url)
    for each in (page, other):
        expect(each.locator(".board")).to_be_visible()
    assert [get_table(each)["you"] for each in (page, other)] == [1, 0]


def test_the_history_precedes_messages_that_arrive_before_it(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, _ = seat_players(DEAL, ["+P", "-L"])
    ann.post("/leave").raise_for_status()
    page = visitor("rules", secret=ann.secret)

    def after_return(route: Route) -> None:
        wait_for_version(page, 6)
        route.continue_()

    page.route("**/events.ndjson?*follow=false", after_return)
    page.goto(page.url.replace("rules", f"t/{ann.table}"))
    expect(news(page)).to_contain_text("Bo sold 1 leather for 4 rupees.")
    open_menu(page)
    log = page.get_by_role("dialog").locator("details").first.locator("li")
    expect(log).to_have_text([re.compile("Bo sold"), re.compile("You took")])


def test_an_abandoned_game_has_no_winner(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, _ = seat_players(DEAL, ["+P"], ago=ABANDONED_AFTER)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(news(page)).to_have_text("Nobody has played for a long time.")
    expect(page.locator("h1")).to_have_text("The game is over without a winner.")


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_after_the_game_all_controls_fit_on_every_screen(
    seat_players: TableSeater, visitor: Visitor, language: str
) -> None:
    ann, bo = seat_players(DEAL, clock=DAILY, helps=True)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(action_button(page)).to_be_visible()
    for what in ("/leave", "/resign", "/rematch"):
        bo.post(what).raise_for_status()
    expect(page.locator(".bar [role=status]")).to_contain_text("Bo")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(LAYOUT_PROBLEMS), (width, height)
        for part in (".bar", ".other", ".tray"):
            assert page.locator(part).evaluate(CONTENT_FITS), (part, width, height)


def test_a_spectator_sees_the_public_part_with_a_delay(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL, ["+P", "-L"], ago=9_000)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    open_menu(page)
    page.get_by_text("Options of this game").click()
    address = page.get_by_label("Link for spectators").input_value()
    spectator_page = visitor(address.partition("//")[2].partition("/")[2])
    expect(spectator_page.get_by_text("You are watching")).to_be_visible()
    expect(spectator_page.locator(".player")).to_contain_text(["4/7", "6/7"])
    expect(news(spectator_page)).to_contain_text("Bo sold 1 leather for 4 rupees.")
    assert card_kinds(spectator_page, "body") == card_kinds(spectator_page, ".market")
    open_menu(spectator_page)
    spectator_page.locator("summary").nth(1).click()
    words = spectator_page.get_by_role("dialog")
    expect(words.get_by_text("Round 1. Seals: Ann 0, Bo 0.")).to_be_visible()
    assert not re.search(r"\byou\b", words.locator("details p").all_inner_texts()[0], re.IGNORECASE)
    expect(spectator_page.get_by_role("button", name="Resign")).to_have_count(0)
    places = card_kinds(spectator_page, ".market")
    ann.play("+L", 4).raise_for_status()
    expect(news(page)).to_contain_text("You took 1 leather.")
    assert card_kinds(spectator_page, ".market") == places
    assert bo.get_table()["version"] == 5


def test_a_spectator_waits_for_the_delay_at_the_start(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, _ = seat_players(DEAL, ago=DELAY - 5_000)
    spectator_page = visitor(f"t/{ann.table}")
    expect(spectator_page.get_by_text("The game has just begun")).to_be_visible()
    expect(news(spectator_page)).to_have_text("Round 1: Ann starts.")


def test_a_table_can_refuse_spectators(
    seat_players: TableSeater, browser: Browser, server: Server
) -> None:
    ann, _ = seat_players(DEAL, watch=False)
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(f"{server.address}/t/{ann.table}")
        expect(page.get_by_role("alert")).to_have_text("This table does not allow spectators.")


def test_a_move_whose_response_is_lost_is_played_once(
    browser: Browser, server: Server, seat_players: TableSeater
) -> None:
    ann, bo = seat_players(DEAL)
    with browser.new_context(locale="en-GB") as context:
        context.add_cookies([{"name": "jaipur", "value": ann.secret, "url": server.address}])
        page = context.new_page()
        page.goto(f"{server.address}/t/{ann.table}")
        expect(action_button(page)).to_have_text(re.compile("^Choose a card"))
        sent: list[str | None] = []

        def play_and_lose_response(route: Route) -> None:
            sent.append(route.request.post_data)
            if len(sent) > 1:
                return route.continue_()
            assert route.fetch().ok
            server.kill()
            route.abort()
            return server.start()

        page.route("**/play", play_and_lose_response)
        press_move(page, "+M")
        with page.expect_response("**/play", timeout=20_000) as answer:
            action_button(page).click()
        assert answer.value.ok
        expect(news(page)).to_contain_text("You took 3 camels.", timeout=20_000)
        expect(page.get_by_text("Connection lost")).to_be_hidden(timeout=20_000)
        expect(page.get_by_role("alert")).to_have_count(0)
        assert sent == [sent[0]] * 2
        assert bo.get_table()["view"]["moves_played"] == 1
