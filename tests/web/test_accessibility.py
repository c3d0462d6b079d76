"""Accessibility: axe finds no violations on any page, and the keyboard focus is never lost."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from jaipur.words import LANGUAGES, Language, Words
from server.serving import Client, Server
from web.axe import assert_accessible
from web.board import (
    SCORE_SHEET,
    TableSeater,
    action_button,
    click_move,
    get_table,
    hand_card,
    market_card,
    news,
    press_move,
    wait_for_version,
)
from web.conftest import Visitor
from web.rounds import DEAL, FULL_HAND, round_but_last_move

TOKENS = Path(__file__).parents[2] / "web" / "src" / "styles" / "tokens.css"


def take_seat(page: Page, player: Client, server: Server) -> None:
    """Open a table with the cookie of one of its players."""
    page.context.add_cookies([{"name": "jaipur", "value": player.secret, "url": server.address}])
    page.goto(f"{server.address}/t/{player.table}")
    expect(action_button(page)).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_no_violations_on_any_page(
    server: Server, seat_players: TableSeater, visitor: Visitor, language: Language
) -> None:
    say = Words(language).say
    page = visitor(locale=language, refused=True)

    def button(key: str) -> None:
        page.get_by_role("button", name=say(key), exact=True).click()

    def open_menu(what: str) -> None:
        button("web.menu")
        page.evaluate(
            "document.querySelectorAll('dialog details').forEach(each => (each.open = true))"
        )
        expect(page.get_by_text(say("web.plain"), exact=True)).to_be_visible()
        assert_accessible(page, what)
        page.keyboard.press("Escape")

    expect(page.get_by_label(say("web.computer.level"))).to_be_visible()
    page.get_by_text(say("web.options"), exact=True).click()
    assert_accessible(page, "home")
    page.get_by_role("link", name=say("web.rules"), exact=True).click()
    assert_accessible(page, "the rules")

    ann, bo = seat_players(DEAL, FULL_HAND)
    take_seat(page, ann, server)
    assert_accessible(page, "own turn")
    click_move(page, "+CP")
    expect(news(page)).to_have_class(re.compile("reason"))
    assert_accessible(page, "reason")
    click_move(page, "-DG")
    expect(action_button(page)).to_have_attribute("aria-disabled", "false")
    assert_accessible(page, "selected move")
    open_menu("the menu")
    action_button(page).click()
    wait_for_version(page, 7)
    assert_accessible(page, "opponent's turn")
    bo.post("/resign").raise_for_status()
    expect(page.get_by_role("button", name=say("web.rematch"))).to_be_visible()
    assert_accessible(page, "game over")
    open_menu("menu with proof of the deal")

    moves, last = round_but_last_move(DEAL)
    traders = seat_players(DEAL, moves)
    take_seat(page, traders[0], server)
    traders[len(moves) % 2].play(last, len(moves) + 2).raise_for_status()
    expect(page.locator(SCORE_SHEET)).to_be_visible()
    assert_accessible(page, "the score sheet")
    button("web.look")
    assert_accessible(page, "the table after a round")

    page.goto(server.address)
    expect(page.get_by_role("heading", name=say("web.mine"))).to_be_visible()
    assert_accessible(page, "home with games in progress")
    button("web.screen.start")
    expect(page.locator(".handover")).to_be_visible()
    assert_accessible(page, "handover")
    page.locator(".handover button").click()
    expect(action_button(page)).to_have_class(re.compile("hint"))
    assert_accessible(page, "the first turn")
    press_move(page, get_table(page)["moves"][0])
    action_button(page).click()
    expect(page.locator(".action")).to_have_count(0)
    assert_accessible(page, "after the own move on one screen")

    page.goto(server.address)
    button("web.friend.start")
    link = page.get_by_label(say("web.invite.link"))
    expect(link).to_be_visible()
    assert_accessible(page, "invitation")
    invitation = link.input_value()
    page.context.clear_cookies()
    page.goto(f"{server.address}/rules")
    page.goto(invitation)
    expect(page.get_by_role("button", name=say("web.invited.sit"))).to_be_visible()
    assert_accessible(page, "invited player")
    page.goto(f"{server.address}/t/{ann.table}")
    expect(page.get_by_text(say("web.watching"))).to_be_visible()
    assert_accessible(page, "spectator")
    page.goto(f"{server.address}/t/{'0' * 16}")
    expect(page.get_by_role("alert")).to_be_visible()
    assert_accessible(page, "unknown table")

    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.goto(f"{server.address}/rules")
    expect(page.locator("p[lang=fr]")).to_be_visible()
    assert_accessible(page, "offline")


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    """The contrast ratio of two colours as WCAG defines it."""
    lower, higher = sorted(map(luminance, (a, b)))
    return (higher + 0.05) / (lower + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_on_drawings_has_enough_contrast(theme: str) -> None:
    # Axe skips single characters and text on drawings, so the colours of tokens and cards are compared here.
    light, _, dark = re.findall(
        r"(?ms)^(?::root|\[data-theme=\"dark\"\]) \{(.+?)^\}", TOKENS.read_text()
    )
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    if theme == "dark":
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark))
    pairs = [("indigo-on", "indigo"), ("saffron-on", "saffron"), ("emerald-on", "emerald")]
    for good in (each.removesuffix("-rim") for each in colours if each.endswith("-rim")):
        pairs += [(f"{good}-on", f"{good}-2"), (f"{good}-ink", "card")]
        pairs += [(f"{good}-lit", "plaster"), (f"{good}-lit", "ground")]
    assert len(pairs) == 3 + 4 * 7
    low = {pair: contrast(*(colours[name] for name in pair)) for pair in pairs}
    assert not {pair: ratio for pair, ratio in low.items() if ratio < 4.5}


RECORD_LOST_FOCUS = """() => {
  window.lost = [];
  const check = () => {
    if (document.activeElement === document.body) lost.push(document.querySelector(".board").dataset.version);
    requestAnimationFrame(check);
  };
  check();
}"""
"""Records in every frame whether no element has the focus."""


def test_the_focus_survives_moves_of_both_players(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL)
    page = visitor(f"t/{ann.table}", secret=ann.secret, speed="fast")
    menu = page.get_by_role("button", name="Menu")
    market_card(page, "P").focus()
    page.evaluate(RECORD_LOST_FOCUS)
    page.keyboard.press("Enter")
    expect(market_card(page, "P")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    wait_for_version(page, 3)
    expect(action_button(page)).to_be_focused()
    market_card(page, "L").focus()
    bo.play("+L", 3).raise_for_status()
    wait_for_version(page, 4)
    hand_card(page, "G").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    expect(page.locator(".board [aria-pressed=true]")).to_have_count(0)
    press_move(page, "-DD")
    page.keyboard.press("Enter")
    wait_for_version(page, 5)
    expect(news(page)).to_contain_text("You sold 2 diamonds")
    bo.play("-LL", 5).raise_for_status()
    wait_for_version(page, 6)
    menu.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    action_button(page).focus()
    bo.post("/resign").raise_for_status()
    expect(page.get_by_role("button", name="Rematch")).to_be_focused()
    assert page.evaluate("lost") == []


def test_the_focus_survives_the_change_of_rounds(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    moves, last = round_but_last_move(DEAL)
    mover = seat_players(DEAL, moves)[len(moves) % 2]
    page = visitor(f"t/{mover.table}", secret=mover.secret, speed="fast")
    hand_card(page, last[1]).first.focus()
    page.evaluate(RECORD_LOST_FOCUS)
    press_move(page, last)
    page.keyboard.press("Enter")
    expect(page.locator(SCORE_SHEET).get_by_role("button", name="Next round")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(SCORE_SHEET)).to_have_count(0)
    wait_for_version(page, len(moves) + 4)
    assert page.evaluate("lost") == []


@pytest.mark.parametrize("chosen", ["+P", "+M", "+PL-DG", "-DD"])
def test_every_move_can_be_played_from_the_list_by_keyboard(
    seat_players: TableSeater, visitor: Visitor, chosen: str
) -> None:
    ann, _ = seat_players(DEAL)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    page.get_by_role("button", name="Menu").press("Enter")
    page.get_by_text("The table and the moves").press("Enter")
    offered = page.locator("[data-move]")
    expect(offered).to_have_count(len(get_table(page)["moves"]))
    assert [each.get_attribute("data-move") for each in offered.all()] == get_table(page)["moves"]
    names = offered.all_inner_texts()
    assert len(set(names)) == len(names)
    page.evaluate(RECORD_LOST_FOCUS)
    page.locator(f"[data-move='{chosen}']").press("Enter")
    wait_for_version(page, 3)
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(action_button(page)).to_be_focused()
    assert page.evaluate("lost") == []
