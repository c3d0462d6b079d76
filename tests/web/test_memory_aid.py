"""The memory aid: an option of a table, visible and readable for screen readers, on every screen."""

import pytest
from playwright.sync_api import Page, expect

from jaipur.words import Language, Words
from server.serving import Json
from tables import dealt
from web.board import TableSeater, action_button, click_move, get_table, wait_for_version
from web.conftest import Visitor
from web.layout import LAYOUT_PROBLEMS, SIZES
from web.rounds import DEAL, FULL_HAND

KNOWN = "LLPPC DDGSC GS PLCD"
MANY_KINDS = ["-L", "-DD", "-L", "-C", "-P", "+G", "-P", "+S", "-C", "+P", "+M", "+L", "+D", "+C"]
"""After these moves five of the seven cards in the hand of seat 1 are known, each of a different kind."""
OUTSIDE_SIDE = """() => {
  const box = which => document.querySelector(which).getBoundingClientRect();
  const side = box(".side");
  const parts = [...document.querySelectorAll(".row > *")].map(part => part.getBoundingClientRect());
  return ["memory-aid", "tokens", "bonuses"].filter(each => {
    const part = box(`.${each}`);
    const out = part.top < side.top - 0.5 || part.bottom > side.bottom + 0.5 || part.right > side.right + 0.5;
    return out || parts.some(one => one.right > side.right + 0.5);
  });
}"""
"""The parts that do not fit into the column of the tokens."""


def shown_counts(page: Page) -> list[str]:
    """The visible rows."""
    rows = [
        row.locator("> *").all_text_contents() for row in page.locator(".memory-aid .row").all()
    ]
    return [" ".join(part.strip() for part in row) for row in rows]


def expected_sentences(seen: Json, name: str, words: Words) -> list[str]:
    """The rows for screen readers, computed from the API."""

    def listed(letters: str) -> str:
        order = dict.fromkeys(letters)
        return words.listed([words.say(f"cards.{kind}", n=letters.count(kind)) for kind in order])

    helps = seen["helps"]
    known = listed(helps["shown"][1 - seen["you"]])
    return [
        words.say("plain.known", name=name, cards=known),
        words.say("plain.unseen", cards=listed(helps["unseen"])),
    ]


def test_the_memory_aid_is_an_option_of_a_new_table(page: Page, visitor: Visitor) -> None:
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Memory aid").check()
    page.get_by_role("button", name="Open a table").click()
    agreed = page.get_by_role("list", name="Options of this game")
    expect(agreed).to_contain_text("Memory aid: the cards already seen are counted for both.")
    friend = visitor(page.get_by_label("Link").input_value().partition("//")[2].partition("/")[2])
    expect(friend.get_by_role("list", name="Options of this game")).to_have_text(
        agreed.text_content() or ""
    )
    friend.get_by_role("button", name="Join the game").click()
    for each in (page, friend):
        expect(each.locator(".memory-aid .row")).to_have_count(2)
        assert shown_counts(each)[0].endswith(f" ?{get_table(each)['view']['other']['hand']}")


def test_without_the_memory_aid_nothing_is_counted(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, _ = seat_players(DEAL, FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(action_button(page)).to_be_visible()
    assert get_table(page)["helps"] is None
    assert page.locator(".memory-aid").count() == 0


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_counts_follow_the_game(
    seat_players: TableSeater, visitor: Visitor, language: Language
) -> None:
    words = Words(language)
    ann, bo = seat_players(DEAL, FULL_HAND, helps=True)
    page = visitor(f"t/{bo.table}", secret=bo.secret, locale=language)
    expect(page.locator(".memory-aid .visually-hidden")).to_have_text(
        expected_sentences(get_table(page), "Ann", words)
    )
    assert shown_counts(page)[0] == "Ann P1 L1 ?5"
    ann.play("-DD", 6).raise_for_status()
    wait_for_version(page, 7)
    expect(page.locator(".memory-aid .visually-hidden")).to_have_text(
        expected_sentences(get_table(page), "Ann", words)
    )
    assert shown_counts(page)[0] == "Ann P1 L1 ?3"
    click_move(page, "+C")
    action_button(page).click()
    wait_for_version(page, 8)
    page.get_by_role("button", name="Menu").click()
    page.locator("summary").nth(1).click()
    for line in expected_sentences(get_table(page), "Ann", words):
        expect(page.get_by_role("dialog").get_by_text(line)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_the_longest_counts_fit_every_screen(
    seat_players: TableSeater, visitor: Visitor, language: str
) -> None:
    ann, _ = seat_players(dealt(KNOWN), MANY_KINDS, helps=True)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(action_button(page)).to_be_visible()
    assert shown_counts(page)[0] == "Bo G1 S1 C1 P1 L1 ?2"
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(LAYOUT_PROBLEMS), (width, height)
        assert not page.evaluate(OUTSIDE_SIDE), (width, height)
