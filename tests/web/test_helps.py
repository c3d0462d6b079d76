"""The counts that a table may be opened with: agreed on by both, the same for eyes and ears, and small."""

import pytest
from playwright.sync_api import Page, expect

from jaipur.words import Language, Words
from server.serving import Json
from tables import dealt
from web.conftest import Visitor
from web.playing import Seats, act, choose, see, shown
from web.test_hands import FULL, FULL_HAND, MEASURE, SIZES

KNOWN = "LLPPC DDGSC GS PLCD"
MANY_KINDS = ["-L", "-DD", "-L", "-C", "-P", "+G", "-P", "+S", "-C", "+P", "+M", "+L", "+D", "+C"]
"""After these, five of the seven cards in the hand of seat 1 are known, each of another kind."""
WITHIN = """() => {
  const box = which => document.querySelector(which).getBoundingClientRect();
  const side = box(".side");
  const parts = [...document.querySelectorAll(".row > *")].map(part => part.getBoundingClientRect());
  return ["memory-aid", "tokens", "bonuses"].filter(each => {
    const part = box(`.${each}`);
    const out = part.top < side.top - 0.5 || part.bottom > side.bottom + 0.5 || part.right > side.right + 0.5;
    return out || parts.some(one => one.right > side.right + 0.5);
  });
}"""
"""What does not fit into the place of the tokens."""


def counts(page: Page) -> list[str]:
    """The rows as they are seen."""
    rows = [
        row.locator("> *").all_text_contents() for row in page.locator(".memory-aid .row").all()
    ]
    return [" ".join(part.strip() for part in row) for row in rows]


def said_of(seen: Json, name: str, words: Words) -> list[str]:
    """What the rows say to a screen reader, from what the server sends."""

    def listed(letters: str) -> str:
        order = dict.fromkeys(letters)
        return words.listed([words.say(f"cards.{kind}", n=letters.count(kind)) for kind in order])

    helps = seen["helps"]
    known = listed(helps["shown"][1 - seen["you"]])
    return [
        words.say("plain.known", name=name, cards=known),
        words.say("plain.unseen", cards=listed(helps["unseen"])),
    ]


def test_counts_are_agreed_on_when_a_table_is_opened(page: Page, visitor: Visitor) -> None:
    page.get_by_text("Options").click()
    page.get_by_label("Memory aid").check()
    page.get_by_role("button", name="Open a table").click()
    agreed = page.get_by_role("list", name="Options of this game")
    expect(agreed).to_contain_text("Memory aid: the cards already seen are counted for both.")
    friend = visitor(page.get_by_label("Link").input_value().partition("//")[2].partition("/")[2])
    expect(friend.get_by_role("list", name="Options of this game")).to_have_text(
        agreed.text_content() or ""
    )
    friend.get_by_role("button", name="Take the seat").click()
    for each in (page, friend):
        expect(each.locator(".memory-aid .row")).to_have_count(2)
        assert counts(each)[0].endswith(f" ?{see(each)['view']['other']['hand']}")


def test_without_them_nothing_is_counted(seated: Seats, visitor: Visitor) -> None:
    ann, _ = seated(dealt(FULL), FULL_HAND)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(act(page)).to_be_visible()
    assert see(page)["helps"] is None
    assert page.locator(".memory-aid").count() == 0


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_counts_follow_what_is_seen_for_eyes_and_ears(
    seated: Seats, visitor: Visitor, language: Language
) -> None:
    words = Words(language)
    ann, bo = seated(dealt(FULL), FULL_HAND, helps=True)
    page = visitor(f"t/{bo.table}", secret=bo.secret, locale=language)
    expect(page.locator(".memory-aid .visually-hidden")).to_have_text(
        said_of(see(page), "Ann", words)
    )
    assert counts(page)[0] == "Ann P1 L1 ?5"
    ann.play("-DD", 6).raise_for_status()
    shown(page, 7)
    expect(page.locator(".memory-aid .visually-hidden")).to_have_text(
        said_of(see(page), "Ann", words)
    )
    assert counts(page)[0] == "Ann P1 L1 ?3"
    choose(page, "+C")
    act(page).click()
    shown(page, 8)
    page.get_by_role("button", name="Menu").click()
    page.locator("summary").nth(1).click()
    for line in said_of(see(page), "Ann", words):
        expect(page.get_by_role("dialog").get_by_text(line)).to_be_visible()


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_there_is_room_for_the_longest_counts_on_every_screen(
    seated: Seats, visitor: Visitor, language: str
) -> None:
    ann, _ = seated(dealt(KNOWN), MANY_KINDS, helps=True)
    page = visitor(f"t/{ann.table}", secret=ann.secret, locale=language)
    expect(act(page)).to_be_visible()
    assert counts(page)[0] == "Bo G1 S1 C1 P1 L1 ?2"
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert not page.evaluate(MEASURE), (width, height)
        assert not page.evaluate(WITHIN), (width, height)
