"""Drag and drop, typed moves, and texts that follow a change of language."""

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from jaipur.words import Words
from tables import dealt
from web.board import (
    TableSeater,
    action_button,
    card_kinds,
    hand_card,
    herd,
    market_card,
    news,
    problem_with,
    wait_for_version,
)
from web.conftest import Visitor

Point = tuple[float, float]
Drag = Callable[[Page, Sequence[Point]], None]


def drag_by_mouse(page: Page, path: Sequence[Point]) -> None:
    page.mouse.move(*path[0])
    page.mouse.down()
    for point in path[1:]:
        page.mouse.move(*point)
    page.mouse.up()


def drag_by_touch(page: Page, path: Sequence[Point]) -> None:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: Point) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", path[0])
    for point in path[1:]:
        touch("touchMove", point)
    touch("touchEnd")


def center(of: Locator) -> Point:
    box = of.bounding_box()
    assert box is not None
    return box["x"] + min(box["width"] / 2, 18), box["y"] + box["height"] / 2


@pytest.mark.parametrize("drag", [drag_by_mouse, drag_by_touch])
def test_cards_are_dragged_to_and_from_the_market(
    seat_players: TableSeater, visitor: Visitor, drag: Drag
) -> None:
    ann, _ = seat_players(dealt("DCCLM GSSPL PL"))
    touch = drag is drag_by_touch
    phone = {"width": 360, "height": 640}
    page = visitor(f"t/{ann.table}", secret=ann.secret, has_touch=touch, viewport=phone)

    def drag_to(card: Locator, to: Locator) -> None:
        (x, y), (end_x, end_y) = center(card), center(to)
        drag(page, [(x, y), ((x + end_x) / 2, (y + end_y) / 2), (end_x, end_y)])

    chosen = page.locator("[aria-pressed=true]")
    drag_to(market_card(page, "P"), market_card(page, "L"))
    expect(chosen).to_have_count(0)
    drag_to(market_card(page, "P"), herd(page))
    expect(action_button(page)).to_have_text(re.compile("^take 1 spice$", re.IGNORECASE))
    drag_to(market_card(page, "P"), page.locator(".news"))
    expect(chosen).to_have_count(1)
    drag_to(market_card(page, "L"), hand_card(page, "C").first)
    expect(news(page)).to_have_text(problem_with(page, "+PL")["sentence"])
    drag_to(hand_card(page, "D"), page.locator(".discard"))
    drag_to(herd(page), market_card(page, "M").first)
    expect(action_button(page)).to_have_text(re.compile("for 1 diamond and 1 camel", re.IGNORECASE))
    assert not page.locator("[data-dragged]").count()
    action_button(page).click()
    wait_for_version(page, 3)
    assert card_kinds(page, ".hand") == "CCPLL"


def test_dropping_a_card_that_cannot_be_taken_shows_the_reason(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, _ = seat_players(dealt("DDGSC LLPPC PL CP"), ["+P", "-L", "+L", "-L"])
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    drag_by_mouse(page, [center(market_card(page, "C")), (300, 400), center(hand_card(page, "S"))])
    expect(news(page)).to_have_text(problem_with(page, "+C")["sentence"])
    page.keyboard.press("Escape")
    market_card(page, "C").click()
    expect(news(page)).to_have_text(problem_with(page, "+C")["sentence"])


def test_a_move_can_be_typed(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, _ = seat_players(dealt("DCCLM GSSPL PL"))
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
    wait_for_version(page, 3)
    expect(news(page)).to_contain_text("You took 1 spice and 1 leather for 1 diamond and 1 camel.")


def test_a_reason_follows_a_change_of_language(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, _ = seat_players(dealt("DCCLM GSSPL PL"))
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    hand_card(page, "D").click()
    expect(news(page)).to_have_text(problem_with(page, "-D")["sentence"])
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_label("Language").select_option("fr")
    page.keyboard.press("Escape")
    reason = Words("fr").say("reason.two_precious", kind="diamants")
    expect(news(page)).to_have_text(reason)
    expect(page.locator("[aria-pressed=true]")).to_have_count(1)


def test_a_level_has_a_name_in_every_language(page: Page) -> None:
    for language in ("en", "fr", "it"):
        page.get_by_label(re.compile("Language|Langue|Lingua")).select_option(language)
        name = Words(language).say("level.name.random")
        expect(page.locator(".computer option").first).to_have_text(f"1 · {name}")
    page.locator(".computer button").click()
    expect(page.get_by_role("region", name="Caso")).to_be_visible()
    page.locator("header .name").click()
    expect(page.get_by_role("link", name="Tavolo con Caso")).to_be_visible()
