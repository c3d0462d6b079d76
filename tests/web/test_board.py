"""The board: moves by touch and from the list, illegal selections, languages, animations and screen sizes."""

import re

import pytest
from playwright.sync_api import Page, expect

from server.serving import Client
from tables import dealt
from web.board import (
    HAS_FOCUS,
    TableSeater,
    action_button,
    card_kinds,
    click_move,
    get_table,
    hand_card,
    herd,
    market_card,
    news,
    problem_with,
    wait_for_version,
)
from web.conftest import Visitor
from web.layout import LAYOUT_PROBLEMS, assert_layout
from web.rounds import DEAL, FULL_HAND, round_but_last_move

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def expect_refusal(page: Page, move: str, rule: str, *, incomplete: bool = False) -> None:
    """The page shows the server's reason: as an error, or as a hint if more cards complete the move."""
    problem = problem_with(page, move)
    assert problem.get("rule", problem["code"]) == rule
    expect(news(page)).to_have_text(problem["sentence"])
    expect(action_button(page)).to_have_attribute("aria-disabled", "true")
    expect(action_button(page)).to_have_text("Keep choosing" if incomplete else "Not a legal move")
    expect(page.locator(".news.wrong")).to_have_count(0 if incomplete else 1)


def test_every_kind_of_move_by_touch_on_a_phone(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(dealt("DCCCL GSSPL PG SLPDC"))
    page = visitor(f"t/{ann.table}", secret=ann.secret, **PHONE)

    def commit(effect: str, reply: str) -> None:
        expect(action_button(page)).to_have_text(re.compile(effect, re.IGNORECASE))
        version = get_table(page)["version"]
        action_button(page).tap()
        wait_for_version(page, version + 1)
        assert page.evaluate(HAS_FOCUS)
        bo.play(reply, version + 1).raise_for_status()
        wait_for_version(page, version + 2)

    market_card(page, "P").tap()
    commit("^take 1 spice$", "-SS")
    page.locator("[data-pile=C]").tap()
    commit(r"^sell 3 cloth for 11 rupees \(5\s\+\s3\s\+\s3\) and a bonus$", "-L")
    market_card(page, "M").first.tap()
    commit("^take 3 camels$", "-P")
    market_card(page, "S").tap()
    market_card(page, "G").tap()
    page.get_by_role("button", name="Fill with camels").tap()
    assert page.evaluate(HAS_FOCUS)
    commit("^take 1 gold and 1 silver for 2 camels$", "+M")
    assert card_kinds(page, ".hand") == get_table(page)["view"]["hand"] == "DGSPL"


def test_illegal_selections_show_the_reason_from_the_server(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(dealt("DCCLM GSSPL PL"))
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    other = visitor(f"t/{bo.table}", secret=bo.secret)
    herd(page).click()
    expect_refusal(page, "-M", "camels_not_sold", incomplete=True)
    page.keyboard.press("Escape")
    page.locator("[data-pile=G]").click(force=True)
    expect_refusal(page, "-G", "not_in_hand")
    hand_card(page, "D").click()
    expect_refusal(page, "-D", "two_precious", incomplete=True)
    market_card(page, "P").click()
    expect_refusal(page, "+P-D", "one_for_one", incomplete=True)
    market_card(page, "L").click()
    expect_refusal(page, "+PL-D", "uneven_exchange", incomplete=True)
    expect(hand_card(page, "L")).to_have_class(re.compile("dim"))
    hand_card(page, "L").click(force=True)
    expect_refusal(page, "+PL-DL", "same_kind")
    hand_card(page, "D").click()
    hand_card(page, "L").click(force=True)
    expect_refusal(page, "+PL-L", "same_kind")
    hand_card(page, "D").click()
    herd(page).click()
    expect(action_button(page)).to_have_text(re.compile("for 1 diamond and 1 camel", re.IGNORECASE))
    expect(news(page)).not_to_have_class(re.compile("reason"))
    page.keyboard.press("Escape")
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)
    hand_card(other, "G").click(force=True)
    expect(news(other)).to_have_text("It is not your turn.")
    expect(action_button(other)).to_have_text("Waiting for Ann")


def test_the_first_turn_shows_who_starts_and_a_hint(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL)
    hint = re.compile("^Choose a card in the market")
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    other = visitor(f"t/{bo.table}", secret=bo.secret)
    expect(news(page)).to_have_text("Round 1: you start.")
    expect(news(other)).to_have_text("Round 1: Ann starts.")
    expect(action_button(page)).to_have_text(hint)
    herd(page).click(force=True)
    expect_refusal(page, "-M", "camels_not_sold")
    click_move(page, "+P")
    action_button(page).click()
    expect(action_button(page)).to_have_text("Waiting for Bo")
    expect(action_button(other)).to_have_text(hint)
    bo.play("+M", 3).raise_for_status()
    expect(action_button(page)).to_have_text("Choose cards")


def test_a_full_hand_shows_the_hand_limit(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, _ = seat_players(DEAL, FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale="it-IT")
    market_card(page, "C").click()
    problem = page.request.get(
        page.url.replace("/t/", "/api/tables/") + "/why?move=%2BC",
        headers={"accept-language": "it"},
    ).json()["problem"]
    assert problem["rule"] == "hand_limit"
    expect(news(page)).to_have_text(problem["sentence"])


def test_a_move_can_be_played_from_the_list(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, _ = seat_players(DEAL)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    page.get_by_role("button", name="Menu").click()
    menu = page.get_by_role("dialog", name="Menu")
    menu.get_by_text("The table and the moves").click()
    expect(menu.get_by_text("Market: 1 spice, 1 leather and 3 camels.")).to_be_visible()
    expect(menu.get_by_text("S silver, C cloth, P spice, L leather, M camels.")).to_be_visible()
    assert len(get_table(page)["moves"]) == menu.locator("[data-move]").count()
    menu.get_by_role("button", name="take 3 camels").click()
    wait_for_version(page, 3)
    expect(menu).to_be_hidden()
    expect(news(page)).to_contain_text("You took 3 camels.")
    assert page.evaluate(HAS_FOCUS)


def test_the_letter_of_a_good_has_a_tooltip(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, _ = seat_players(DEAL)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale="fr")
    for where in (".market [data-kind=P]", "[data-pile=P]"):
        explained = page.locator(f"{where} [title]")
        expect(explained).to_have_attribute("title", re.compile("^P\\s: épice, au clavier"))


def test_language_and_theme_can_be_changed_during_a_game_on_a_phone(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, _ = seat_players(DEAL, FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret, **PHONE)
    expect(news(page)).to_contain_text("Bo sold 1 leather")
    click_move(page, "-DD")
    page.get_by_role("button", name="Menu").tap()
    menu = page.locator("dialog[open]")
    menu.get_by_label("Language").select_option("it")
    menu.get_by_label("Colori").select_option("dark")
    menu.get_by_role("button", name="Chiudi").tap()
    expect(page.locator("html[data-theme=dark][lang=it]")).to_be_attached()
    expect(news(page)).to_contain_text("Bo ha venduto")
    expect(action_button(page)).to_contain_text("2 diamanti")
    action_button(page).tap()
    expect(news(page)).to_contain_text("Hai venduto")


def test_both_players_see_the_cards_of_the_market_in_the_same_places(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(dealt("DDGSC LLPPC PL CD"))
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    click_move(page, "+L")
    action_button(page).click()
    wait_for_version(page, 3)
    assert card_kinds(page, ".market") == "MMMPC"
    other = visitor(f"t/{bo.table}", secret=bo.secret)
    wait_for_version(other, 3)
    assert card_kinds(other, ".market") == "MMMPC"
    page.reload()
    wait_for_version(page, 3)
    assert card_kinds(page, ".market") == "MMMPC"
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Rules").click()
    bo.play("+C", 3).raise_for_status()
    page.go_back()
    market_card(page, "D").wait_for()
    assert card_kinds(page, ".market") == "MMMPD"


@pytest.mark.parametrize("reduced", [False, True])
def test_cards_are_animated_unless_reduced_motion_is_preferred(
    seat_players: TableSeater, visitor: Visitor, reduced: bool
) -> None:
    ann, bo = seat_players(DEAL)
    preference = "reduce" if reduced else "no-preference"
    page = visitor(f"t/{ann.table}", secret=ann.secret, speed="normal", reduced_motion=preference)
    page.evaluate(
        """() => {
          window.animated = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...how) { window.animated++; return animate.apply(this, how); };
        }"""
    )
    click_move(page, "+P")
    action_button(page).click()
    wait_for_version(page, 3)
    bo.play("+M", 3).raise_for_status()
    wait_for_version(page, 4)
    if reduced:
        assert page.evaluate("document.getAnimations().length") == 0
        assert page.evaluate("window.animated") == 0
    else:
        assert page.evaluate("window.animated") >= 2
        page.wait_for_function("() => !document.getAnimations().length")
        assert page.locator(".board > .face").count() == 0
    assert card_kinds(page, ".hand") == get_table(page)["view"]["hand"]


OVERFLOWING = """() => [...document.querySelectorAll(".panel, .panel *:not(svg *)")]
  .filter(part => part.getBoundingClientRect().right > innerWidth + 0.5)
  .map(part => `${part.tagName} ${part.className}`)"""
"""The elements that reach beyond the right edge."""


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_the_first_turn_fits_every_screen(
    seat_players: TableSeater, visitor: Visitor, language: str
) -> None:
    ann, _ = seat_players(dealt("DCCLM GSSPL PL"))
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(action_button(page)).to_have_class(re.compile("hint"))
    assert_layout(page, "hint")
    for wrong in ("-M", "+P-D", "+PL", "-DC"):
        click_move(page, wrong)
        expect(news(page)).to_have_class(re.compile("reason"))
        assert_layout(page, wrong)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_turn_fits_every_screen(
    seat_players: TableSeater, visitor: Visitor, language: str
) -> None:
    ann, bo = seat_players(DEAL, FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(action_button(page)).to_be_visible()
    assert_layout(page, "before")
    click_move(page, "+CP")
    expect(news(page)).to_have_class(re.compile("reason"))
    assert_layout(page, "incomplete exchange")
    click_move(page, "-DG")
    expect(action_button(page)).to_have_attribute("aria-disabled", "false")
    assert_layout(page, "complete exchange")
    action_button(page).click()
    wait_for_version(page, 7)
    assert_layout(page, "opponent's turn")
    resign(bo)
    expect(page.locator(".bar a.quiet")).to_be_visible()
    assert_layout(page, "over")


POSITIONS = """() => {
  const box = part => [...Object.values(part.getBoundingClientRect().toJSON())].map(Math.round);
  const parts = [...document.querySelectorAll(".place, .piles, .side, .news, .held, .herd, .bar")];
  const cards = [...document.querySelectorAll(".board [data-kind]")];
  return JSON.stringify([parts.map(box), cards.map(card => [card.offsetWidth, card.offsetHeight])]);
}"""
"""The positions of all parts and the sizes of the cards. A selected card is lifted, its place is not."""
PHONES = [(360, 640), (390, 844), (640, 360)]


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_nothing_moves_while_cards_are_selected(
    seat_players: TableSeater, visitor: Visitor, language: str
) -> None:
    ann, _ = seat_players(dealt("DGCMM PPSSL LP"))
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    fill = page.locator(".fill")
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        expect(action_button(page)).to_have_class(re.compile("hint"))
        positions = page.evaluate(POSITIONS)

        def assert_unmoved(what: str, positions: str = positions) -> None:
            assert page.evaluate(POSITIONS) == positions, what
            assert not page.evaluate(LAYOUT_PROBLEMS), what

        click_move(page, "+PL")
        expect(fill).to_be_visible()
        expect(page.locator(".news.reason:not(.wrong)")).to_be_visible()
        assert_unmoved("two goods")
        page.locator("[data-pile=S]").click(force=True)
        expect(page.locator(".news.wrong")).to_be_visible()
        assert_unmoved("illegal")
        fill.click()
        expect(action_button(page)).to_have_attribute("aria-disabled", "false")
        assert_unmoved("complete exchange")
        page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_the_warning_about_empty_piles_takes_no_space_from_the_cards(
    seat_players: TableSeater, visitor: Visitor, language: str
) -> None:
    moves, _ = round_but_last_move(DEAL)
    tables = [seat_players(DEAL, moves[:count])[0] for count in (0, len(moves))]
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
    assert not page.evaluate(OVERFLOWING)


def resign(trader: Client) -> None:
    trader.post("/resign").raise_for_status()


def test_after_the_game_the_panels_show_its_final_score(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    moves, last = round_but_last_move(DEAL)
    ann, bo = seat_players(DEAL, moves)
    before = ann.get_table()
    mover = (ann, bo)[before["turn"]]
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(action_button(page)).to_be_visible()
    mover.play(last, before["version"])
    page.get_by_role("dialog").wait_for()
    result = get_table(page)["rounds"][0]
    assert result["camel_token"] is not None
    for seat, place in ((0, ".tray"), (1, ".other")):
        panel = page.locator(f"{place} .player")
        expect(panel.locator(".rupees")).to_have_text(f"{result['rupees'][seat]} ₹")
        won = int(result["seal"] == seat)
        expect(panel.get_by_label(f"seals: {won}")).to_have_count(1)


def test_a_chosen_card_is_put_back_when_the_game_ends(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    hand_card(page, "D").first.click()
    expect(page.locator("button.selected")).to_have_count(1)
    bo.post("/resign")
    expect(page.locator("h1")).to_have_text("You win the game.")
    expect(page.locator("button.selected")).to_have_count(0)


def test_forced_colours_keep_the_outlines(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, _ = seat_players(DEAL)
    page = visitor(f"t/{ann.table}", secret=ann.secret, forced_colors="active")
    width = "element => parseFloat(getComputedStyle(element).borderTopWidth)"
    assert action_button(page).evaluate(width) >= 1
    outline = "element => getComputedStyle(element).outlineStyle"
    assert page.locator(".player.turn").evaluate(outline) == "solid"
