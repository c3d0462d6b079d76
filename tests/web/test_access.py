"""Everybody can play: axe finds nothing on any page, and whoever plays without a mouse is never lost."""

import re
from pathlib import Path
from random import Random

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from jaipur.rules import Deal, new_round
from jaipur.words import LANGUAGES, Language, Words
from server.serving import Client, Server, choose_move
from tables import dealt, move
from web.conftest import Visitor
from web.playing import (
    SHEET,
    Seats,
    act,
    choose,
    hand_card,
    market_card,
    press,
    said,
    see,
    shown,
)

PALETTE = Path(__file__).parents[2] / "web" / "src" / "styles" / "tokens.css"

FULL = dealt("DDGSC LLPPC PL CP")
FULL_HAND = ["+P", "-L", "+L", "-L"]
"""After these, seat 0 holds seven goods and is to move."""

# How an element is found again takes axe longer than all the rest.
EVERYTHING: dict[str, object] = {
    "resultTypes": ["violations"],
    "preload": False,
    "selectors": False,
}
COLOURS = EVERYTHING | {"runOnly": ["color-contrast"]}
RUN = "options => axe.run(options).then(({ violations }) => violations)"

WITHOUT_PATTERN = """() => {
  for (const each of document.querySelectorAll("*")) {
    if (getComputedStyle(each).backgroundImage.startsWith("url")) each.style.backgroundImage = "none";
  }
}"""
"""Axe judges no letters on a picture, and those on the faint pattern of the ground are to be judged as well."""


def accessible(page: Page, what: str) -> None:
    """Axe finds nothing by day, and no letters too faint by night, once everything is drawn."""
    expect(page.locator(".art:empty")).to_have_count(0)
    page.evaluate(WITHOUT_PATTERN)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.emulate_media(color_scheme="light")
    assert not found_in(page, EVERYTHING), (what, "by day")
    page.emulate_media(color_scheme="dark")
    assert not found_in(page, COLOURS), (what, "by night")


def found_in(page: Page, wanted: dict[str, object]) -> list[str]:
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in page.evaluate(RUN, wanted)
        for node in each["nodes"]
    ]


def but_for_one_move(deal: Deal) -> tuple[list[str], str]:
    """A round up to its last move, and that move."""
    rng, moves, position = Random(0), list[str](), new_round(deal)
    while True:
        chosen = choose_move([str(each) for each in position.legal_moves()], rng)
        position.play(move(chosen))
        if position.ended:
            return moves, chosen
        moves.append(chosen)


def sit(page: Page, trader: Client, server: Server) -> None:
    """Go to a trader's table as that trader."""
    page.context.add_cookies([{"name": "jaipur", "value": trader.secret, "url": server.address}])
    page.goto(f"{server.address}/t/{trader.table}")
    expect(act(page)).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_on_any_page(
    server: Server, seated: Seats, visitor: Visitor, language: Language
) -> None:
    say = Words(language).say
    page = visitor(locale=language, refused=True)

    def button(key: str) -> None:
        page.get_by_role("button", name=say(key), exact=True).click()

    def menu(what: str) -> None:
        button("web.menu")
        page.evaluate(
            "document.querySelectorAll('dialog details').forEach(each => (each.open = true))"
        )
        expect(page.get_by_text(say("web.plain"), exact=True)).to_be_visible()
        accessible(page, what)
        page.keyboard.press("Escape")

    expect(page.get_by_label(say("web.computer.level"))).to_be_visible()
    page.get_by_text(say("web.options"), exact=True).click()
    accessible(page, "the first page")
    page.get_by_role("link", name=say("web.rules"), exact=True).click()
    accessible(page, "the rules")

    ann, bo = seated(FULL, FULL_HAND)
    sit(page, ann, server)
    accessible(page, "my turn")
    choose(page, "+CP")
    expect(said(page)).to_have_class(re.compile("reason"))
    accessible(page, "what speaks against a choice")
    choose(page, "-DG")
    expect(act(page)).to_have_attribute("aria-disabled", "false")
    accessible(page, "a move that is chosen")
    menu("the menu")
    act(page).click()
    shown(page, 7)
    accessible(page, "their turn")
    bo.post("/resign").raise_for_status()
    expect(page.get_by_role("button", name=say("web.rematch"))).to_be_visible()
    accessible(page, "the end")
    menu("the deal is checked")

    moves, last = but_for_one_move(FULL)
    traders = seated(FULL, moves)
    sit(page, traders[0], server)
    traders[len(moves) % 2].play(last, len(moves) + 2).raise_for_status()
    expect(page.locator(SHEET)).to_be_visible()
    accessible(page, "the score sheet")

    page.goto(server.address)
    expect(page.get_by_role("heading", name=say("web.mine"))).to_be_visible()
    accessible(page, "games to go on with")
    button("web.screen.start")
    expect(page.locator(".handover")).to_be_visible()
    accessible(page, "the curtain")
    page.locator(".handover button").click()
    expect(act(page)).to_have_class(re.compile("hint"))
    accessible(page, "the first turn")
    press(page, see(page)["moves"][0])
    act(page).click()
    expect(page.locator(".action")).to_have_count(0)
    accessible(page, "the screen is handed over")

    page.goto(server.address)
    button("web.friend.start")
    link = page.get_by_label(say("web.invite.link"))
    expect(link).to_be_visible()
    accessible(page, "an invitation")
    invitation = link.input_value()
    page.context.clear_cookies()
    page.goto(f"{server.address}/rules")
    page.goto(invitation)
    expect(page.get_by_role("button", name=say("web.invited.sit"))).to_be_visible()
    accessible(page, "somebody invited")
    page.goto(f"{server.address}/t/{ann.table}")
    expect(page.get_by_text(say("web.watching"))).to_be_visible()
    accessible(page, "somebody who watches")
    page.goto(f"{server.address}/t/{'0' * 16}")
    expect(page.get_by_role("alert")).to_be_visible()
    accessible(page, "a table that does not exist")

    page.evaluate("navigator.serviceWorker.ready")
    page.context.set_offline(True)
    page.goto(f"{server.address}/rules")
    expect(page.locator("p[lang=fr]")).to_be_visible()
    accessible(page, "no connection")


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_written_on_drawings_can_be_read(theme: str) -> None:
    # Axe judges no single figures and no letters on a drawing: those on tokens and cards are judged from the palette.
    day, _, night = re.findall(
        r"(?ms)^(?::root|\[data-theme=\"dark\"\]) \{(.+?)^\}", PALETTE.read_text()
    )
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", day))
    if theme == "dark":
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", night))
    pairs = [("indigo-on", "indigo"), ("saffron-on", "saffron"), ("emerald-on", "emerald")]
    for good in (each.removesuffix("-rim") for each in colours if each.endswith("-rim")):
        pairs += [(f"{good}-on", f"{good}-2"), (f"{good}-ink", "card")]
        pairs += [(f"{good}-lit", "plaster"), (f"{good}-lit", "ground")]
    assert len(pairs) == 3 + 4 * 7
    faint = {pair: contrast(*(colours[name] for name in pair)) for pair in pairs}
    assert not {pair: found for pair, found in faint.items() if found < 4.5}


WATCH = """() => {
  window.lost = [];
  const look = () => {
    if (document.activeElement === document.body) lost.push(document.querySelector(".board").dataset.version);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Look in every frame whether the focus is anywhere."""


def test_the_focus_is_never_lost_by_a_move_of_either(seated: Seats, visitor: Visitor) -> None:
    ann, bo = seated(FULL)
    page = visitor(f"t/{ann.table}", secret=ann.secret, speed="fast")
    menu = page.get_by_role("button", name="Menu")
    market_card(page, "P").focus()
    page.evaluate(WATCH)
    page.keyboard.press("Enter")
    expect(market_card(page, "P")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    shown(page, 3)
    expect(act(page)).to_be_focused()
    market_card(page, "L").focus()
    bo.play("+L", 3).raise_for_status()
    shown(page, 4)
    hand_card(page, "G").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    expect(page.locator(".board [aria-pressed=true]")).to_have_count(0)
    press(page, "-DD")
    page.keyboard.press("Enter")
    shown(page, 5)
    expect(said(page)).to_contain_text("You sold 2 diamonds")
    bo.play("-LL", 5).raise_for_status()
    shown(page, 6)
    menu.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    act(page).focus()
    bo.post("/resign").raise_for_status()
    expect(page.get_by_role("button", name="Rematch")).to_be_focused()
    assert page.evaluate("lost") == []


def test_the_focus_is_never_lost_between_two_rounds(seated: Seats, visitor: Visitor) -> None:
    moves, last = but_for_one_move(FULL)
    mover = seated(FULL, moves)[len(moves) % 2]
    page = visitor(f"t/{mover.table}", secret=mover.secret, speed="fast")
    hand_card(page, last[1]).first.focus()
    page.evaluate(WATCH)
    press(page, last)
    page.keyboard.press("Enter")
    expect(page.locator(SHEET).get_by_role("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(SHEET)).to_have_count(0)
    shown(page, len(moves) + 4)
    assert page.evaluate("lost") == []


@pytest.mark.parametrize("chosen", ["+P", "+M", "+PL-DG", "-DD"])
def test_every_move_can_be_made_from_the_list_by_keys_alone(
    seated: Seats, visitor: Visitor, chosen: str
) -> None:
    ann, _ = seated(FULL)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    page.get_by_role("button", name="Menu").press("Enter")
    page.get_by_text("The table and the moves").press("Enter")
    offered = page.locator("[data-move]")
    expect(offered).to_have_count(len(see(page)["moves"]))
    assert [each.get_attribute("data-move") for each in offered.all()] == see(page)["moves"]
    names = offered.all_inner_texts()
    assert len(set(names)) == len(names)
    page.evaluate(WATCH)
    page.locator(f"[data-move='{chosen}']").press("Enter")
    shown(page, 3)
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(act(page)).to_be_focused()
    assert page.evaluate("lost") == []
