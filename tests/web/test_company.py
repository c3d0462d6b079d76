"""Two people at a table: clocks, going away and coming back, giving up, rematches, watching, and sharing one screen."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from jaipur.players import player_named
from jaipur.server.live.spectators import DELAY
from jaipur.table.events import AnyEvent, Chair, Dealt, Played
from jaipur.table.state import ABANDONED_AFTER, digest
from server.serving import Server, store_events
from table.keeping import kept_table
from tables import dealt
from web.conftest import Visitor
from web.playing import (
    NEVER_LOST,
    SHEET,
    Seats,
    act,
    choose,
    kinds,
    new_name,
    press,
    said,
    see,
    shown,
)
from web.test_hands import FULL, MEASURE, SIZES

SECRET = "the-secret-of-both-at-one-screen"
LIVE = {"kind": "live", "seconds": 10}
DAILY = {"kind": "daily", "days": 3}
PAUSE = 15_000
"""Milliseconds after a deal in which no clock runs."""
FITS = (
    "part => part.scrollHeight <= part.clientHeight + 1 && part.scrollWidth <= part.clientWidth + 1"
)
"""Whether nothing sticks out of a part of the page."""


def menu(page: Page, name: str = "Menu") -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_the_last_seconds_can_be_read_and_a_game_lost_on_time_is_told(
    seated: Seats, visitor: Visitor
) -> None:
    ann, bo = seated(dealt(FULL), ["+P", "-L"], ago=PAUSE + 4_000, clock=LIVE)
    pages = [visitor(f"t/{each.table}", secret=each.secret) for each in (ann, bo)]
    expect(pages[0].locator(".tray time.low")).to_have_text(re.compile(r"^0:0[1-6]$"))
    expect(pages[1].locator(".other time.low")).to_have_text(re.compile(r"^0:0[1-6]$"))
    expect(
        pages[0].get_by_role("status").get_by_text("Less than 30 seconds left.")
    ).to_be_attached()
    expect(said(pages[0])).to_have_text("You ran out of time.", timeout=15_000)
    expect(said(pages[1])).to_have_text("Ann ran out of time.")
    expect(pages[0].locator("h1")).to_have_text("Bo wins the game.")
    expect(pages[1].locator("h1")).to_have_text("You win the game.")
    pages[0].reload()
    expect(said(pages[0])).to_have_text("You ran out of time.")


def test_a_clock_is_chosen_with_the_table_and_shown_to_both(page: Page, visitor: Visitor) -> None:
    page.get_by_text("Options").click()
    page.get_by_label("Clock, with a friend").select_option("5 min + 5 s a move")
    page.get_by_role("button", name="Open a table").click()
    friend = visitor()
    friend.goto(page.get_by_label("Link").input_value())
    agreed = friend.get_by_role("list", name="Options of this game")
    expect(agreed).to_contain_text("5 min + 5 s a move.")
    friend.get_by_role("button", name="Take the seat").click()
    for each in (page, friend):
        expect(each.locator("time")).to_have_text(["5:00", "5:00"])
        assert see(each)["options"]["clock"] == {"kind": "live", "seconds": 300, "increment": 5}


def test_going_away_coming_back_giving_up_and_a_rematch_are_told(
    seated: Seats, visitor: Visitor
) -> None:
    ann, bo = seated(dealt(FULL), ["+P"], clock=DAILY)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    other = visitor(f"t/{bo.table}", secret=bo.secret)
    expect(page.locator("time").first).to_have_text("3 d 0 h")
    expect(page.locator(".other em")).to_have_count(0)
    menu(other)
    other.get_by_role("link", name="Home").click()
    expect(page.locator(".other em")).to_have_text("away")
    told = page.get_by_role("status")
    expect(told.get_by_text("Bo has gone away; the table waits.")).to_be_attached()
    other.get_by_role("link", name="Table with Ann").click()
    expect(told.get_by_text("Bo is back.")).to_be_attached()
    expect(page.locator(".other em")).to_have_count(0)

    menu(other)
    other.get_by_role("button", name="Give up").click()
    other.get_by_role("button", name="Really give up?").click()
    expect(said(page)).to_have_text("Bo gave the game up.")
    expect(said(other)).to_have_text("You gave the game up.")
    expect(page.locator("h1")).to_have_text("You win the game.")
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_text("Rematch asked for; waiting for the other.")).to_be_visible()
    expect(other.get_by_text("Ann would like a rematch.")).to_be_visible()
    other.get_by_role("button", name="Rematch").click()
    page.get_by_role("link", name="To the rematch").click()
    expect(page).to_have_url(other.url)
    for each in (page, other):
        expect(each.locator(".board")).to_be_visible()
    assert [see(each)["you"] for each in (page, other)] == [1, 0]


def test_what_happened_is_told_also_where_coming_back_is_told_first(
    seated: Seats, visitor: Visitor
) -> None:
    ann, _ = seated(dealt(FULL), ["+P", "-L"])
    ann.post("/leave").raise_for_status()
    page = visitor("rules", secret=ann.secret)

    def when_back(route: Route) -> None:
        shown(page, 6)
        route.continue_()

    page.route("**/events.ndjson?*follow=false", when_back)
    page.goto(page.url.replace("rules", f"t/{ann.table}"))
    expect(said(page)).to_contain_text("Bo sold 1 leather for 4 rupees.")
    menu(page)
    told = page.get_by_role("dialog").locator("details").first.locator("li")
    expect(told).to_have_text([re.compile("Bo sold"), re.compile("You took")])


def test_a_game_nobody_came_back_to_is_over_without_a_winner(
    seated: Seats, visitor: Visitor
) -> None:
    ann, _ = seated(dealt(FULL), ["+P"], ago=ABANDONED_AFTER)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(said(page)).to_have_text("Nobody came back to the game for a long time.")
    expect(page.locator("h1")).to_have_text("The game is over, and nobody wins.")


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_after_the_game_everything_is_in_reach_on_every_screen(
    seated: Seats, visitor: Visitor, language: str
) -> None:
    ann, bo = seated(dealt(FULL), clock=DAILY, helps=True)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(act(page)).to_be_visible()
    for what in ("/leave", "/resign", "/rematch"):
        bo.post(what).raise_for_status()
    expect(page.locator(".bar [role=status]")).to_contain_text("Bo")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(MEASURE), (width, height)
        for part in (".bar", ".other", ".tray"):
            assert page.locator(part).evaluate(FITS), (part, width, height)


def test_whoever_has_the_address_may_watch_what_both_see_a_little_later(
    seated: Seats, visitor: Visitor
) -> None:
    ann, bo = seated(dealt(FULL), ["+P", "-L"], ago=9_000)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    menu(page)
    page.get_by_text("Options of this game").click()
    address = page.get_by_label("Address for watching").input_value()
    watcher = visitor(address.partition("//")[2].partition("/")[2])
    expect(watcher.get_by_text("You are watching")).to_be_visible()
    expect(watcher.locator(".player")).to_contain_text(["4/7", "6/7"])
    expect(said(watcher)).to_contain_text("Bo sold 1 leather for 4 rupees.")
    assert kinds(watcher, "body") == kinds(watcher, ".market")
    menu(watcher)
    watcher.locator("summary").nth(1).click()
    words = watcher.get_by_role("dialog")
    expect(words.get_by_text("Round 1. Seals: Ann 0, Bo 0.")).to_be_visible()
    assert not re.search(r"\byou\b", words.locator("details p").all_inner_texts()[0], re.IGNORECASE)
    expect(watcher.get_by_role("button", name="Give up")).to_have_count(0)
    places = kinds(watcher, ".market")
    ann.play("+L", 4).raise_for_status()
    expect(said(page)).to_contain_text("You took 1 leather.")
    assert kinds(watcher, ".market") == places
    assert bo.get_table()["version"] == 5


def test_whoever_watches_too_early_is_told_to_wait_and_then_sees_the_table(
    seated: Seats, visitor: Visitor
) -> None:
    ann, _ = seated(dealt(FULL), ago=DELAY - 5_000)
    watcher = visitor(f"t/{ann.table}")
    expect(watcher.get_by_text("The game has only just begun")).to_be_visible()
    expect(said(watcher)).to_have_text("Round 1: Ann starts.")


def test_a_table_may_be_closed_to_those_who_watch(
    seated: Seats, browser: Browser, server: Server
) -> None:
    ann, _ = seated(dealt(FULL), watch=False)
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(f"{server.address}/t/{ann.table}")
        expect(page.get_by_role("alert")).to_have_text("This table is not for watching.")


def played_before(server: Server, seed: int) -> list[tuple[str, str]]:
    """Tables on one screen where one move is missing to the end of a round, one after the other; table and move."""
    chairs = (Chair("person", "Ann", digest(SECRET)), Chair("person", "Bo", digest(SECRET)))
    kept = kept_table(chairs, deal=None, seed=seed)
    kept.play_on([player_named("greedy"), player_named("random")])
    events = [entry.event for entry in kept.journal]
    ends = [at - 1 for at, each in enumerate(events) if isinstance(each, Dealt) and at > 1]
    return [without_its_last(server, events[: end + 1]) for end in (*ends, len(events) - 1)]


def without_its_last(server: Server, events: Sequence[AnyEvent]) -> tuple[str, str]:
    name, last = new_name(), events[-1]
    assert isinstance(last, Played)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(store_events, server.database, name, events[:-1]).result()
    return name, last.move


def ready(page: Page) -> str:
    """Lift the curtain; who is to move."""
    page.get_by_role("button", name="show my cards").click()
    expect(page.locator(".board")).to_be_visible()
    seen = see(page)
    name: str = seen["seats"][seen["turn"]]["name"]
    expect(page.locator("h1")).to_have_text(f"It is {name}’s turn.")
    assert kinds(page, ".hand") == see(page, seat=seen["turn"])["view"]["hand"]
    return name


def test_on_one_screen_a_round_ends_with_its_sheet_and_a_game_with_its_winner(
    server: Server, visitor: Visitor
) -> None:
    tables = played_before(server, seed=3)
    page = visitor(f"t/{tables[0][0]}", secret=SECRET)
    ready(page)
    choose(page, tables[0][1])
    act(page).click()
    sheet = page.locator(SHEET)
    expect(sheet).to_contain_text("Score of round 1")
    result = see(page)["rounds"][0]
    rupees = result["rupees"]
    winner = see(page)["seats"][result["seal"]]["name"]
    expect(page.locator("h1")).to_have_text(f"{winner} wins round 1.")
    camels = [inner.strip() for inner in sheet.locator(".camel").all_inner_texts()]
    assert sorted(camels) == ["5", "–"]
    for seat in (0, 1):
        expect(
            sheet.locator(".sum td").filter(has_text=re.compile(f"^{rupees[seat]}$"))
        ).not_to_have_count(0)
    expect(sheet).to_contain_text(re.compile("(Ann|Bo) takes the Seal of Excellence"))
    assert not re.search(r"\byou\b", sheet.inner_text(), re.IGNORECASE)
    sheet.get_by_role("button", name="Next round").click()
    ready(page)
    assert page.evaluate(NEVER_LOST)
    assert len(see(page)["rounds"]) == 2
    press(page, "+M" if "+M" in see(page)["moves"] else see(page)["moves"][0])

    page.goto(page.url.replace(tables[0][0], tables[-1][0]))
    ready(page)
    choose(page, tables[-1][1])
    act(page).click()
    sheet.get_by_role("button", name="Close").click()
    over = see(page)["over"]
    expect(page.locator("h1")).to_have_text(f"{['Ann', 'Bo'][over['winner']]} wins the game.")
    page.get_by_role("button", name="Rematch").click()
    expect(page).not_to_have_url(re.compile(tables[-1][0]))
    ready(page)


LATE = """() => {
  const soon = window.fetch;
  window.fetch = async (what, how) => {
    if (String(what).includes("follow=false")) await new Promise((go) => setTimeout(go, 800));
    return soon(what, how);
  };
}"""


def test_on_one_screen_the_curtain_names_whose_hand_it_hides_however_late_the_deal_is_told(
    server: Server, visitor: Visitor
) -> None:
    table, last = played_before(server, seed=3)[0]
    page = visitor(f"t/{table}", secret=SECRET)
    ready(page)
    choose(page, last)
    act(page).click()
    page.evaluate(LATE)
    page.locator(SHEET).get_by_role("button", name="Next round").click()
    named = page.get_by_role("button", name="show my cards").inner_text()
    starter = ready(page)
    assert starter == see(page)["seats"][1]["name"]
    assert starter in named


def test_a_move_whose_answer_is_lost_with_the_server_is_played_once(
    browser: Browser, server: Server, seated: Seats
) -> None:
    ann, bo = seated(dealt(FULL))
    with browser.new_context(locale="en-GB") as context:
        context.add_cookies([{"name": "jaipur", "value": ann.secret, "url": server.address}])
        page = context.new_page()
        page.goto(f"{server.address}/t/{ann.table}")
        expect(act(page)).to_have_text(re.compile("^Choose a card"))
        sent: list[str | None] = []

        def heard_and_lost(route: Route) -> None:
            sent.append(route.request.post_data)
            if len(sent) > 1:
                return route.continue_()
            assert route.fetch().ok
            server.kill()
            route.abort()
            return server.start()

        page.route("**/play", heard_and_lost)
        press(page, "+M")
        with page.expect_response("**/play", timeout=20_000) as answer:
            act(page).click()
        assert answer.value.ok
        expect(said(page)).to_contain_text("You took 3 camels.", timeout=20_000)
        expect(page.get_by_text("Connection lost")).to_be_hidden(timeout=20_000)
        expect(page.get_by_role("alert")).to_have_count(0)
        assert sent == [sent[0]] * 2
        assert bo.get_table()["view"]["moves_played"] == 1
