"""Whole games in a real browser against a real server."""

import re
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, expect

from jaipur.words import Words
from server.serving import run_server
from tables import dealt
from web.board import (
    HAS_FOCUS,
    SCORE_SHEET,
    TableSeater,
    action_button,
    card_kinds,
    click_move,
    get_table,
    herd,
    news,
    pick_move,
    press_move,
    wait_for_change,
    wait_for_turn,
    wait_for_version,
)
from web.conftest import Visitor

TABLE = re.compile(r"/t/[0-9a-f]{16}$")


def start_game(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page).to_have_url(TABLE)
    expect(page.locator(".board")).to_be_visible()


def test_a_whole_game_against_the_computer_by_mouse_and_a_rematch(page: Page) -> None:
    start_game(page)
    rng, sheets, closers = Random(1), 0, ["Enter", "Escape", "", "Enter", "Escape"]
    while True:
        seen = wait_for_turn(page)
        if seen is None:
            sheets += 1
            sheet = page.get_by_role("dialog", name=f"Score of round {sheets}")
            expect(sheet).to_contain_text("Seal")
            how = closers[sheets % len(closers)]
            if how:
                page.keyboard.press(how)
            else:
                sheet.locator("form button").first.click()
            expect(page.locator(SCORE_SHEET)).to_have_count(0)
            if how == "Escape" and not get_table(page)["over"]:
                page.get_by_role("button", name="Next round").click()
        elif seen["over"]:
            break
        else:
            move = pick_move(seen, rng)
            click_move(page, move)
            assert action_button(page).inner_text().lower().startswith(("sell", "take"))
            action_button(page).click()
            wait_for_change(page, seen["version"])
            assert page.evaluate(HAS_FOCUS)
    assert sheets == len(seen["rounds"]) >= 2
    assert max(seen["seals"]) == 2
    expect(page.locator("h1")).to_contain_text("game")
    first = page.url
    page.get_by_role("button", name="Rematch").click()
    expect(page).not_to_have_url(first)
    expect(page.locator(".board")).to_be_visible()
    assert get_table(page)["you"] == 1 - seen["you"]


def test_a_whole_round_by_keyboard(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    expect(page.locator(".board")).to_be_visible()
    rng = Random(2)
    # If the computer started, the market may have one camel or none.
    seen = wait_for_turn(page)
    page.keyboard.press("m")
    if seen and "M" in seen["view"]["market"]:
        expect(action_button(page)).to_have_text(re.compile("take . camels?", re.IGNORECASE))
    page.keyboard.press("Escape")
    expect(page.locator(".board [aria-pressed=true]")).to_have_count(0)
    while seen := wait_for_turn(page):
        press_move(page, pick_move(seen, rng))
        expect(action_button(page)).to_have_attribute("aria-disabled", "false")
        page.keyboard.press("Enter")
        wait_for_change(page, seen["version"])
        assert page.evaluate(HAS_FOCUS)
    page.keyboard.press("Enter")
    expect(page.locator(SCORE_SHEET)).to_have_count(0)
    assert page.evaluate(HAS_FOCUS)


def test_a_friend_joins_by_link_and_each_player_sees_only_their_own_hand(
    page: Page, visitor: Visitor
) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Open a table").click()
    link = page.get_by_label("Link").input_value()
    page.get_by_label("Link").focus()
    assert re.search(r"/t/[0-9a-f]{16}#[\w-]{22,}$", link)
    friend = visitor(locale="fr-FR")
    friend.goto(link)
    expect(friend.get_by_text("Ann vous invite à une partie.")).to_be_visible()
    friend.get_by_label("Votre nom").fill("Bo")
    friend.get_by_role("button", name="Rejoindre la partie").click()
    expect(friend.get_by_role("region", name="Marché")).to_be_visible()
    expect(page.get_by_role("region", name="Market")).to_be_visible()
    assert friend.evaluate(HAS_FOCUS)
    assert page.evaluate(HAS_FOCUS)
    names = {page: "Ann", friend: "Bo"}
    for _ in range(6):
        mover = page if get_table(page)["turn"] == get_table(page)["you"] else friend
        other = friend if mover is page else page
        for each in (page, friend):
            seen = get_table(each)
            wait_for_version(each, seen["version"])
            assert card_kinds(each, ".hand") == seen["view"]["hand"]
            assert len(card_kinds(each, "body")) == len(seen["view"]["hand"]) + 5
        one = next(move for move in get_table(mover)["moves"] if re.fullmatch(r"\+\w|-\w+", move))
        click_move(mover, one)
        action_button(mover).click()
        expect(news(other)).to_contain_text(names[mover])
        expect(action_button(other)).to_have_text(re.compile("Choose|Choisissez"))


def test_a_move_during_a_lost_connection_is_played_once(browser: Browser, tmp_path: Path) -> None:
    with run_server(tmp_path) as server, browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(server.address)
        page.get_by_role("button", name="Play together").click()
        page.get_by_role("button", name="show my cards").click()
        expect(page.locator(".board")).to_be_visible()
        server.kill()
        # The time is formatted for the region of the browser.
        lost = page.get_by_text(re.compile(r"Connection lost at \d\d:\d\d;"))
        expect(lost).to_be_visible()
        press_move(page, "+M")
        action_button(page).click()
        server.start()
        expect(page.get_by_role("button", name="Hand over")).to_be_visible(timeout=20_000)
        expect(news(page)).to_contain_text("camels. From the deck")
        expect(lost).to_be_hidden(timeout=20_000)
        expect(page.get_by_role("alert")).to_have_count(0)
        assert get_table(page)["view"]["moves_played"] == 1


def test_a_reload_shows_the_same_table_with_its_last_move_and_log(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(dealt("DDGSC LLPPC PL CP"), ["+P", "-L", "+L"])
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(news(page)).to_contain_text("You took 1 leather")
    bo.play("-L", 5).raise_for_status()
    expect(news(page)).to_contain_text("Bo sold 1 leather")
    click_move(page, "+C")
    page.reload()
    expect(news(page)).to_contain_text("Bo sold 1 leather")
    assert card_kinds(page, ".hand") == get_table(page)["view"]["hand"] == "DDGSCPL"
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("dialog", name="Menu").locator("ol").first.locator("li")).to_have_count(
        4
    )
    page.keyboard.press("Escape")
    click_move(page, "-DD")
    action_button(page).click()
    expect(herd(page)).to_be_visible()
    wait_for_version(page, 7)


def test_language_and_theme_are_stored(page: Page) -> None:
    page.get_by_label("Language").select_option("it")
    expect(page.get_by_role("heading", name="Contro il computer")).to_be_visible()
    expect(page.get_by_text(Words("it").say("level.random"))).to_be_visible()
    page.get_by_label("Colori").select_option("dark")
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
    page.reload()
    expect(page.get_by_role("heading", name="Contro il computer")).to_be_visible()
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
