"""How one acts on the drawn table: by touch, from a list, wrongly, in any language, on any screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from server.serving import Client
from tables import dealt
from web.conftest import Visitor
from web.playing import (
    NEVER_LOST,
    Seats,
    act,
    choose,
    hand_card,
    herd,
    kinds,
    market_card,
    said,
    see,
    shown,
    why_not,
)
from web.test_access import but_for_one_move

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
FULL = "DDGSC LLPPC PL CP"
FULL_HAND = ["+P", "-L", "+L", "-L"]
"""After these, seat 0 holds seven goods and is to move; cloth and spice lie beside three camels."""


def answered(page: Page, move: str, rule: str, *, goes_on: bool = False) -> None:
    """The page says what the server has against a move: red where nothing can follow, else as a hint to go on."""
    problem = why_not(page, move)
    assert problem.get("rule", problem["code"]) == rule
    expect(said(page)).to_have_text(problem["sentence"])
    expect(act(page)).to_have_attribute("aria-disabled", "true")
    expect(act(page)).to_have_text("Go on choosing" if goes_on else "Cannot be played like this")
    expect(page.locator(".news.wrong")).to_have_count(0 if goes_on else 1)


def test_every_kind_of_move_by_touch_on_a_phone(seated: Seats, visitor: Visitor) -> None:
    ann, bo = seated(dealt("DCCCL GSSPL PG SLPDC"))
    page = visitor(f"t/{ann.table}", secret=ann.secret, **PHONE)

    def commit(effect: str, reply: str) -> None:
        expect(act(page)).to_have_text(re.compile(effect, re.IGNORECASE))
        version = see(page)["version"]
        act(page).tap()
        shown(page, version + 1)
        assert page.evaluate(NEVER_LOST)
        bo.play(reply, version + 1).raise_for_status()
        shown(page, version + 2)

    market_card(page, "P").tap()
    commit("^take 1 spice$", "-SS")
    page.locator("[data-pile=C]").tap()
    commit(r"^sell 3 cloth for 11 rupees \(5\s\+\s3\s\+\s3\) and a bonus$", "-L")
    market_card(page, "M").first.tap()
    commit("^take 3 camels$", "-P")
    market_card(page, "S").tap()
    market_card(page, "G").tap()
    page.get_by_role("button", name="Fill with camels").tap()
    assert page.evaluate(NEVER_LOST)
    commit("^take 1 gold and 1 silver for 2 camels$", "+M")
    assert kinds(page, ".hand") == see(page)["view"]["hand"] == "DGSPL"


def test_wrong_choices_are_answered_in_the_servers_words(seated: Seats, visitor: Visitor) -> None:
    ann, bo = seated(dealt("DCCLM GSSPL PL"))
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    other = visitor(f"t/{bo.table}", secret=bo.secret)
    herd(page).click()
    answered(page, "-M", "camels_not_sold", goes_on=True)
    page.keyboard.press("Escape")
    page.locator("[data-pile=G]").click(force=True)
    answered(page, "-G", "not_in_hand")
    hand_card(page, "D").click()
    answered(page, "-D", "two_precious", goes_on=True)
    market_card(page, "P").click()
    answered(page, "+P-D", "one_for_one", goes_on=True)
    market_card(page, "L").click()
    answered(page, "+PL-D", "uneven_exchange", goes_on=True)
    expect(hand_card(page, "L")).to_have_class(re.compile("dim"))
    hand_card(page, "L").click(force=True)
    answered(page, "+PL-DL", "same_kind")
    hand_card(page, "D").click()
    hand_card(page, "L").click(force=True)
    answered(page, "+PL-L", "same_kind")
    hand_card(page, "D").click()
    herd(page).click()
    expect(act(page)).to_have_text(re.compile("for 1 diamond and 1 camel", re.IGNORECASE))
    expect(said(page)).not_to_have_class(re.compile("reason"))
    page.keyboard.press("Escape")
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)
    hand_card(other, "G").click(force=True)
    expect(said(other)).to_have_text("It is not your turn.")
    expect(act(other)).to_have_text("Waiting for Ann")


def test_the_first_turn_says_who_starts_and_what_to_do(seated: Seats, visitor: Visitor) -> None:
    ann, bo = seated(dealt(FULL))
    hint = re.compile("^Choose a card in the market")
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    other = visitor(f"t/{bo.table}", secret=bo.secret)
    expect(said(page)).to_have_text("Round 1: you start.")
    expect(said(other)).to_have_text("Round 1: Ann starts.")
    expect(act(page)).to_have_text(hint)
    herd(page).click(force=True)
    answered(page, "-M", "camels_not_sold")
    choose(page, "+P")
    act(page).click()
    expect(act(page)).to_have_text("Waiting for Bo")
    expect(act(other)).to_have_text(hint)
    bo.play("+M", 3).raise_for_status()
    expect(act(page)).to_have_text("Choose cards")


def test_a_full_hand_is_answered_with_its_limit(seated: Seats, visitor: Visitor) -> None:
    ann, _ = seated(dealt(FULL), FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale="it-IT")
    market_card(page, "C").click()
    problem = page.request.get(
        page.url.replace("/t/", "/api/tables/") + "/why?move=%2BC",
        headers={"accept-language": "it"},
    ).json()["problem"]
    assert problem["rule"] == "hand_limit"
    expect(said(page)).to_have_text(problem["sentence"])


def test_a_move_can_be_picked_from_the_list_of_all(seated: Seats, visitor: Visitor) -> None:
    ann, _ = seated(dealt(FULL))
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("dialog", name="Menu")
    menu.get_by_text("The table and the moves").click()
    expect(menu.get_by_text("Market: 1 spice, 1 leather and 3 camels.")).to_be_visible()
    expect(menu.get_by_text("S silver, C cloth, P spice, L leather, M camels.")).to_be_visible()
    assert len(see(page)["moves"]) == menu.locator("[data-move]").count()
    menu.get_by_role("button", name="take 3 camels").click()
    shown(page, 3)
    expect(menu).to_be_hidden()
    expect(said(page)).to_contain_text("You took 3 camels.")
    assert page.evaluate(NEVER_LOST)


def test_the_letter_of_a_good_says_what_it_is_for(seated: Seats, visitor: Visitor) -> None:
    ann, _ = seated(dealt(FULL))
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale="fr")
    for where in (".market [data-kind=P]", "[data-pile=P]"):
        explained = page.locator(f"{where} [title]")
        expect(explained).to_have_attribute("title", re.compile("^P\\s: épice, au clavier"))


def test_on_a_phone_the_menu_changes_language_and_colours_in_mid_game(
    seated: Seats, visitor: Visitor
) -> None:
    ann, _ = seated(dealt(FULL), FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret, **PHONE)
    expect(said(page)).to_contain_text("Bo sold 1 leather")
    choose(page, "-DD")
    page.get_by_role("button", name="Menu").tap()
    menu = page.locator("dialog[open]")
    menu.get_by_label("Language").select_option("it")
    menu.get_by_label("Colori").select_option("dark")
    menu.get_by_role("button", name="Chiudi").tap()
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
    expect(said(page)).to_contain_text("Bo ha venduto")
    expect(act(page)).to_contain_text("2 diamanti")
    act(page).tap()
    expect(said(page)).to_contain_text("Hai venduto")


def test_every_card_of_the_market_lies_in_its_place_after_a_reload(
    seated: Seats, visitor: Visitor
) -> None:
    ann, bo = seated(dealt("DDGSC LLPPC PL CD"))
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    choose(page, "+L")
    act(page).click()
    shown(page, 3)
    assert kinds(page, ".market") == "PCMMM"
    page.reload()
    shown(page, 3)
    assert kinds(page, ".market") == "PCMMM"
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Rules").click()
    bo.play("+C", 3).raise_for_status()
    page.go_back()
    market_card(page, "D").wait_for()
    assert kinds(page, ".market") == "PDMMM"


@pytest.mark.parametrize("still", [False, True])
def test_cards_fly_and_stand_still_for_those_who_want_less_motion(
    seated: Seats, visitor: Visitor, still: bool
) -> None:
    ann, bo = seated(dealt(FULL))
    wish = "reduce" if still else "no-preference"
    page = visitor(f"t/{ann.table}", secret=ann.secret, speed="normal", reduced_motion=wish)
    page.evaluate(
        """() => {
          window.flown = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...how) { window.flown++; return animate.apply(this, how); };
        }"""
    )
    choose(page, "+P")
    act(page).click()
    shown(page, 3)
    bo.play("+M", 3).raise_for_status()
    shown(page, 4)
    if still:
        assert page.evaluate("document.getAnimations().length") == 0
        assert page.evaluate("window.flown") == 0
    else:
        assert page.evaluate("window.flown") >= 2
        page.wait_for_function("() => !document.getAnimations().length")
        assert page.locator(".board > .face").count() == 0
    assert kinds(page, ".hand") == see(page)["view"]["hand"]


WIDE = """() => [...document.querySelectorAll(".panel, .panel *:not(svg *)")]
  .filter(part => part.getBoundingClientRect().right > innerWidth + 0.5)
  .map(part => `${part.tagName} ${part.className}`)"""
"""What reaches beyond the right edge."""
SIZES = [(360, 640), (640, 360), (768, 1024), (1280, 720)]
MEASURE = """() => {
  const inside = box => box.left >= -0.5 && box.top >= -0.5
    && box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;
  const root = document.documentElement;
  const wrong = [];
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) wrong.push("it scrolls");
  const hand = [...document.querySelectorAll(".hand button")];
  for (const button of document.querySelectorAll(".room :is(button, .button)")) {
    const box = button.getBoundingClientRect();
    if (!box.width) continue;
    const name = button.ariaLabel || button.textContent.trim();
    const held = hand.includes(button);
    const next = held ? hand[hand.indexOf(button) + 1]?.getBoundingClientRect().left : undefined;
    const free = Math.min(box.width, (next ?? Infinity) - box.left);
    if (!inside(box)) wrong.push(`${name} is outside`);
    if (free < (held ? 39.9 : 43.9) || box.height < 43.9) wrong.push(`${name}: ${free} × ${box.height}`);
    const middle = document.elementFromPoint(box.left + Math.min(free, box.width) / 2, box.top + box.height / 2);
    if (!button.contains(middle)) wrong.push(`${name} is covered by ${middle?.className}`);
    if (button.scrollWidth > button.clientWidth + 1) wrong.push(`${name} is cut off`);
    const bar = button.closest(".bar");
    if (box.height > (bar?.clientHeight ?? Infinity)) wrong.push(`${name} is higher than its row`);
  }
  const line = document.querySelector(".news");
  if (line.scrollHeight > line.clientHeight + 1) wrong.push(`cut off: ${line.textContent}`);
  if (!inside(line.getBoundingClientRect())) wrong.push("the last move is outside");
  return wrong;
}"""


def measured(page: Page, what: str) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(MEASURE), (what, width, height)


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_nothing_scrolls_and_everything_is_in_reach_on_the_first_turn(
    seated: Seats, visitor: Visitor, language: str
) -> None:
    ann, _ = seated(dealt("DCCLM GSSPL PL"))
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(act(page)).to_have_class(re.compile("hint"))
    measured(page, "what to do")
    for wrong in ("-M", "+P-D", "+PL", "-DC"):
        choose(page, wrong)
        expect(said(page)).to_have_class(re.compile("reason"))
        measured(page, wrong)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_nothing_scrolls_and_everything_is_in_reach_on_every_screen(
    seated: Seats, visitor: Visitor, language: str
) -> None:
    ann, bo = seated(dealt(FULL), FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(act(page)).to_be_visible()
    measured(page, "before")
    choose(page, "+CP")
    expect(said(page)).to_have_class(re.compile("reason"))
    measured(page, "an exchange")
    choose(page, "-DG")
    expect(act(page)).to_have_attribute("aria-disabled", "false")
    measured(page, "a whole exchange")
    act(page).click()
    shown(page, 7)
    measured(page, "not to move")
    resigned(bo)
    expect(page.locator(".bar .new")).to_be_visible()
    measured(page, "over")


LYING = """() => {
  const box = part => [...Object.values(part.getBoundingClientRect().toJSON())].map(Math.round);
  const parts = [...document.querySelectorAll(".place, .piles, .side, .news, .held, .herd, .bar")];
  const cards = [...document.querySelectorAll(".board [data-kind]")];
  return JSON.stringify([parts.map(box), cards.map(card => [card.offsetWidth, card.offsetHeight])]);
}"""
"""Where everything lies, and how large the cards are: a chosen one is lifted, its place is not."""
PHONES = [(360, 640), (390, 844), (640, 360)]


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_nothing_moves_under_the_finger_while_one_chooses(
    seated: Seats, visitor: Visitor, language: str
) -> None:
    ann, _ = seated(dealt("DGCMM PPSSL LP"))
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    fill = page.locator(".fill")
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        expect(act(page)).to_have_class(re.compile("hint"))
        lying = page.evaluate(LYING)

        def as_before(what: str, lying: str = lying) -> None:
            assert page.evaluate(LYING) == lying, what
            assert not page.evaluate(MEASURE), what

        choose(page, "+PL")
        expect(fill).to_be_visible()
        expect(page.locator(".news.reason:not(.wrong)")).to_be_visible()
        as_before("two goods")
        page.locator("[data-pile=S]").click(force=True)
        expect(page.locator(".news.wrong")).to_be_visible()
        as_before("what cannot be")
        fill.click()
        expect(act(page)).to_have_attribute("aria-disabled", "false")
        as_before("a whole exchange")
        page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_piles_that_are_nearly_all_used_up_take_no_room_from_the_cards(
    seated: Seats, visitor: Visitor, language: str
) -> None:
    moves, _ = but_for_one_move(dealt(FULL))
    tables = [seated(dealt(FULL), moves[:count])[0] for count in (0, len(moves))]
    early, late = [visitor(f"t/{t.table}", secret=t.secret, locale=language) for t in tables]
    expect(late.locator(".sold-out.near")).to_be_visible()
    for width, height in PHONES:
        for page in (early, late):
            page.set_viewport_size({"width": width, "height": height})
        boxes = [page.locator(".tray").bounding_box() for page in (early, late)]
        assert boxes[0] == boxes[1], (width, height)


@pytest.mark.parametrize("address", ["", "rules"])
@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_no_page_is_wider_than_a_phone(visitor: Visitor, address: str, language: str) -> None:
    page = visitor(address, locale=language)
    page.set_viewport_size({"width": 360, "height": 640})
    expect(page.locator("h1")).to_be_attached()
    expect(page.locator(".panel").first).to_be_visible()
    assert not page.evaluate(WIDE)


def resigned(trader: Client) -> None:
    trader.post("/resign").raise_for_status()
