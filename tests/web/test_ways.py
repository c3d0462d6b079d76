"""Other ways to act: cards are carried and moves typed; and words that follow the language meanwhile."""

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from jaipur.words import Words
from tables import dealt
from web.conftest import Visitor
from web.playing import Seats, act, hand_card, herd, kinds, market_card, said, shown, why_not

Point = tuple[float, float]
Drag = Callable[[Page, Sequence[Point]], None]


def by_mouse(page: Page, way: Sequence[Point]) -> None:
    page.mouse.move(*way[0])
    page.mouse.down()
    for point in way[1:]:
        page.mouse.move(*point)
    page.mouse.up()


def by_touch(page: Page, way: Sequence[Point]) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: Point) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", way[0])
    for point in way[1:]:
        touch("touchMove", point)
    touch("touchEnd")


def middle(of: Locator) -> Point:
    box = of.bounding_box()
    assert box is not None
    return box["x"] + min(box["width"] / 2, 18), box["y"] + box["height"] / 2


@pytest.mark.parametrize("drag", [by_mouse, by_touch])
def test_cards_are_carried_to_and_from_the_market(
    seated: Seats, visitor: Visitor, drag: Drag
) -> None:
    ann, _ = seated(dealt("DCCLM GSSPL PL"))
    touch = drag is by_touch
    phone = {"width": 360, "height": 640}
    page = visitor(f"t/{ann.table}", secret=ann.secret, has_touch=touch, viewport=phone)

    def carry(what: Locator, to: Locator) -> None:
        (x, y), (end_x, end_y) = middle(what), middle(to)
        drag(page, [(x, y), ((x + end_x) / 2, (y + end_y) / 2), (end_x, end_y)])

    chosen = page.locator("[aria-pressed=true]")
    carry(market_card(page, "P"), market_card(page, "L"))
    expect(chosen).to_have_count(0)
    carry(market_card(page, "P"), herd(page))
    expect(act(page)).to_have_text(re.compile("^take 1 spice$", re.IGNORECASE))
    carry(market_card(page, "P"), page.locator(".news"))
    expect(chosen).to_have_count(1)
    carry(market_card(page, "L"), hand_card(page, "C").first)
    expect(said(page)).to_have_text(why_not(page, "+PL")["sentence"])
    carry(hand_card(page, "D"), page.locator(".discard"))
    carry(herd(page), market_card(page, "M").first)
    expect(act(page)).to_have_text(re.compile("for 1 diamond and 1 camel", re.IGNORECASE))
    assert not page.locator("[data-dragged]").count()
    act(page).click()
    shown(page, 3)
    assert kinds(page, ".hand") == "CCPLL"


def test_a_card_that_cannot_be_taken_says_why_when_it_is_let_go(
    seated: Seats, visitor: Visitor
) -> None:
    ann, _ = seated(dealt("DDGSC LLPPC PL CP"), ["+P", "-L", "+L", "-L"])
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    by_mouse(page, [middle(market_card(page, "C")), (300, 400), middle(hand_card(page, "S"))])
    expect(said(page)).to_have_text(why_not(page, "+C")["sentence"])
    page.keyboard.press("Escape")
    market_card(page, "C").click()
    expect(said(page)).to_have_text(why_not(page, "+C")["sentence"])


def test_a_move_can_be_typed(seated: Seats, visitor: Visitor) -> None:
    ann, _ = seated(dealt("DCCLM GSSPL PL"))
    page = visitor(f"t/{ann.table}", secret=ann.secret)

    def write(move: str) -> None:
        page.get_by_role("button", name="Menu").click()
        page.get_by_label("Type a move").fill(move)
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog")).to_be_hidden()

    page.get_by_role("button", name="Menu").click()
    page.get_by_text("The table and the moves").click()
    page.keyboard.press("Escape")
    write("+pl-dm")
    shown(page, 3)
    expect(said(page)).to_contain_text("You took 1 spice and 1 leather for 1 diamond and 1 camel.")


def test_a_reason_is_told_again_in_the_language_that_is_chosen_meanwhile(
    seated: Seats, visitor: Visitor
) -> None:
    ann, _ = seated(dealt("DCCLM GSSPL PL"))
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    hand_card(page, "D").click()
    expect(said(page)).to_have_text(why_not(page, "-D")["sentence"])
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_label("Language").select_option("fr")
    page.keyboard.press("Escape")
    reason = Words("fr").say("reason.two_precious", kind="diamants")
    expect(said(page)).to_have_text(reason)
    expect(page.locator("[aria-pressed=true]")).to_have_count(1)


def test_a_level_is_called_by_its_name_in_every_language(page: Page) -> None:
    for language in ("en", "fr", "it"):
        page.get_by_label(re.compile("Language|Langue|Lingua")).select_option(language)
        name = Words(language).say("level.name.random")
        expect(page.locator(".computer option").first).to_have_text(f"1 · {name}")
    page.locator(".computer button").click()
    expect(page.get_by_role("region", name="Caso")).to_be_visible()
    page.locator("header .name").click()
    expect(page.get_by_role("link", name="Tavolo con Caso")).to_be_visible()
