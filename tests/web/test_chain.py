"""The whole chain, from a click in a real browser to the table and back, for every way to play."""

import re
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, expect

from jaipur.words import Words
from server.serving import run_server
from tables import dealt
from web.conftest import Visitor
from web.playing import (
    NEVER_LOST,
    SHEET,
    Seats,
    act,
    choose,
    herd,
    kinds,
    likely,
    moved_on,
    next_turn,
    press,
    said,
    see,
    shown,
)

TABLE = re.compile(r"/t/[0-9a-f]{16}$")


def begin(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page).to_have_url(TABLE)
    expect(page.locator(".board")).to_be_visible()


def test_a_whole_game_against_the_computer_by_mouse_and_a_rematch(page: Page) -> None:
    begin(page)
    rng, sheets, closers = Random(1), 0, ["Enter", "Escape", "", "Enter", "Escape"]
    while True:
        seen = next_turn(page)
        if seen is None:
            sheets += 1
            sheet = page.get_by_role("dialog", name=f"Score of round {sheets}")
            expect(sheet).to_contain_text("Seal")
            how = closers[sheets % len(closers)]
            if how:
                page.keyboard.press(how)
            else:
                sheet.get_by_role("button").click()
            expect(page.locator(SHEET)).to_have_count(0)
        elif seen["over"]:
            break
        else:
            move = likely(seen, rng)
            choose(page, move)
            assert act(page).inner_text().lower().startswith(("sell", "take"))
            act(page).click()
            moved_on(page, seen["version"])
            assert page.evaluate(NEVER_LOST)
    assert sheets == len(seen["rounds"]) >= 2
    assert max(seen["seals"]) == 2
    expect(page.locator("h1")).to_contain_text("game")
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".board")).to_be_visible()
    assert see(page)["you"] == 1 - seen["you"]


def test_a_whole_round_by_keyboard_alone(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    expect(page.locator(".board")).to_be_visible()
    rng = Random(2)
    # The computer may have begun, and left a camel or none in the market.
    seen = next_turn(page)
    page.keyboard.press("m")
    if seen and "M" in seen["view"]["market"]:
        expect(act(page)).to_have_text(re.compile("take . camels?", re.IGNORECASE))
    page.keyboard.press("Escape")
    expect(page.locator(".board [aria-pressed=true]")).to_have_count(0)
    while seen := next_turn(page):
        press(page, likely(seen, rng))
        expect(act(page)).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Enter")
        moved_on(page, seen["version"])
        assert page.evaluate(NEVER_LOST)
    page.keyboard.press("Enter")
    expect(page.locator(SHEET)).to_have_count(0)
    assert page.evaluate(NEVER_LOST)


def test_a_friend_comes_by_link_and_each_sees_only_their_own(page: Page, visitor: Visitor) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Open a table").click()
    link = page.get_by_label("Link").input_value()
    page.get_by_label("Link").focus()
    assert re.search(r"/t/[0-9a-f]{16}#[\w-]{22,}$", link)
    friend = visitor(locale="fr-FR")
    friend.goto(link)
    expect(friend.get_by_text("Ann vous invite à une partie.")).to_be_visible()
    friend.get_by_label("Votre nom").fill("Bo")
    friend.get_by_role("button", name="Prendre place").click()
    expect(friend.get_by_role("region", name="Marché")).to_be_visible()
    expect(page.get_by_role("region", name="Market")).to_be_visible()
    assert friend.evaluate(NEVER_LOST)
    assert page.evaluate(NEVER_LOST)
    names = {page: "Ann", friend: "Bo"}
    for _ in range(6):
        mover = page if see(page)["turn"] == see(page)["you"] else friend
        other = friend if mover is page else page
        for each in (page, friend):
            seen = see(each)
            shown(each, seen["version"])
            assert kinds(each, ".hand") == seen["view"]["hand"]
            assert len(kinds(each, "body")) == len(seen["view"]["hand"]) + 5
        one = next(move for move in see(mover)["moves"] if re.fullmatch(r"\+\w|-\w+", move))
        choose(mover, one)
        act(mover).click()
        expect(said(other)).to_contain_text(names[mover])
        expect(act(other)).to_have_text(re.compile("Choose|Choisissez"))


def test_on_one_screen_a_curtain_hides_the_hand_between_turns(page: Page) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("The other trader’s name").fill("Bo")
    page.get_by_role("button", name="Play together").click()
    names = ["Ann", "Bo"]
    hands = []
    for _ in range(3):
        curtain = page.get_by_role("button", name="show my cards")
        expect(curtain).to_be_focused()
        seat = see(page)["turn"]
        expect(curtain).to_contain_text(f"I am {see(page)['seats'][seat]['name']}")
        assert not kinds(page, "body")
        assert not page.locator("[data-move]").count()
        page.keyboard.press("Enter")
        expect(page.locator(".board")).to_be_visible()
        assert kinds(page, ".hand") == see(page, seat=seat)["view"]["hand"]
        assert page.evaluate(NEVER_LOST)
        hands.append(seat)
        press(page, "+M" if "+M" in see(page)["moves"] else see(page)["moves"][0])
        page.keyboard.press("Enter")
        other = see(page)["seats"][1 - seat]["name"]
        assert other in names
        over = page.get_by_role("button", name=f"Hand over to {other}")
        expect(over).to_be_focused()
        assert kinds(page, ".hand") == see(page, seat=seat)["view"]["hand"]
        over.click()
    assert hands[0] != hands[1] != hands[2]


def test_a_move_into_a_lost_connection_is_played_once_when_it_is_back(
    browser: Browser, tmp_path: Path
) -> None:
    with run_server(tmp_path) as server, browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_role("button", name="Play together").click()
        page.get_by_role("button", name="show my cards").click()
        expect(page.locator(".board")).to_be_visible()
        server.kill()
        # Told as the browser's own region writes the time.
        lost = page.get_by_text(re.compile(r"Connection lost at \d\d:\d\d;"))
        expect(lost).to_be_visible()
        press(page, "+M")
        act(page).click()
        server.start()
        expect(page.get_by_role("button", name="Hand over")).to_be_visible(timeout=20_000)
        expect(said(page)).to_contain_text("camels. From the deck")
        expect(lost).to_be_hidden(timeout=20_000)
        expect(page.get_by_role("alert")).to_have_count(0)
        assert see(page)["view"]["moves_played"] == 1


def test_a_reload_shows_the_same_table_with_its_last_move_and_its_log(
    seated: Seats, visitor: Visitor
) -> None:
    ann, bo = seated(dealt("DDGSC LLPPC PL CP"), ["+P", "-L", "+L"])
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(said(page)).to_contain_text("You took 1 leather")
    bo.play("-L", 5).raise_for_status()
    expect(said(page)).to_contain_text("Bo sold 1 leather")
    choose(page, "+C")
    page.reload()
    expect(said(page)).to_contain_text("Bo sold 1 leather")
    assert kinds(page, ".hand") == see(page)["view"]["hand"] == "DDGSCPL"
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("dialog", name="Menu").locator("ol").first.locator("li")).to_have_count(
        4
    )
    page.keyboard.press("Escape")
    choose(page, "-DD")
    act(page).click()
    expect(herd(page)).to_be_visible()
    shown(page, 7)


def test_language_and_colours_can_be_changed_and_are_kept(page: Page) -> None:
    page.get_by_label("Language").select_option("it")
    expect(page.get_by_role("heading", name="Contro il computer")).to_be_visible()
    expect(page.get_by_text(Words("it").say("level.random"))).to_be_visible()
    page.get_by_label("Colori").select_option("dark")
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
    page.reload()
    expect(page.get_by_role("heading", name="Contro il computer")).to_be_visible()
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
