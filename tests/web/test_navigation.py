"""Navigation: menu, rules, games in progress on the home page, and unknown addresses."""

import pytest
from playwright.sync_api import Locator, Page, expect

from jaipur.words import Language, Words
from server.serving import Server
from web.axe import assert_accessible
from web.board import TableSeater, action_button
from web.conftest import Visitor
from web.rounds import DEAL, round_but_last_move

DIGITS = 64
"""Hexadecimal digits of a SHA-256 digest."""


def open_full_menu(page: Page) -> None:
    """Open the menu and all its sections."""
    page.get_by_role("button", name="Menu").click()
    page.evaluate("document.querySelectorAll('dialog details').forEach(each => (each.open = true))")


@pytest.mark.parametrize("size", [(1280, 720), (360, 640), (640, 360)])
def test_the_footer_of_a_long_menu_stays_visible(
    seat_players: TableSeater, visitor: Visitor, size: tuple[int, int]
) -> None:
    moves, _ = round_but_last_move(DEAL)
    ann, _ = seat_players(DEAL, moves)
    width, height = size
    page = visitor(f"t/{ann.table}", secret=ann.secret, viewport={"width": width, "height": height})
    open_full_menu(page)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").nth(20)).to_be_attached()
    assert dialog.evaluate("dialog => dialog.scrollHeight === dialog.clientHeight")
    for control in (
        dialog.get_by_role("button", name="Close"),
        dialog.get_by_role("link", name="Home"),
        dialog.get_by_role("link", name="Rules"),
        dialog.get_by_role("button", name="Resign"),
    ):
        expect(control).to_be_in_viewport(ratio=1)
    assert_accessible(page, "long menu")


def test_the_whole_commitment_of_a_deal_is_copied(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, _ = seat_players(DEAL)
    page = visitor(
        f"t/{ann.table}", secret=ann.secret, permissions=["clipboard-read", "clipboard-write"]
    )
    open_full_menu(page)
    fingerprint = page.get_by_label("Fingerprint, round 1")
    page.locator("li", has=fingerprint).get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert len(copied) == DIGITS
    assert copied == fingerprint.input_value()


def test_a_score_sheet_starts_at_its_top_and_a_finished_game_links_to_a_new_one(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    moves, last = round_but_last_move(DEAL)
    traders = seat_players(DEAL, moves)
    ann, bo = traders
    landscape = {"width": 640, "height": 360}
    page = visitor(f"t/{ann.table}", secret=ann.secret, viewport=landscape)
    expect(action_button(page)).to_be_visible()
    traders[len(moves) % 2].play(last, len(moves) + 2).raise_for_status()
    expect(page.get_by_role("heading", name="Score of round 1")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    bo.post("/resign").raise_for_status()
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_the_rules_link_back_to_the_game(seat_players: TableSeater, visitor: Visitor) -> None:
    ann, bo = seat_players(DEAL)
    page = visitor(f"t/{ann.table}", secret=ann.secret)
    table = page.url
    back = page.get_by_role("link", name="Back to the table")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("link", name="Rules").click()
    expect(back).to_have_count(2)
    back.first.click()
    expect(page).to_have_url(table)
    page.goto(table.replace(f"t/{ann.table}", "rules"))
    back.first.click()
    expect(action_button(page)).to_be_visible()
    bo.post("/resign").raise_for_status()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    page.goto(table.replace(f"t/{ann.table}", "rules"))
    expect(page.get_by_role("link", name="Play now")).to_be_visible()
    expect(back).to_have_count(0)


def test_games_in_progress_are_listed_at_once_with_their_score(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL)
    first = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(action_button(first)).to_be_visible()
    home = first.url.partition("t/")[0]
    first.route("**/api/tables/**", lambda _request: None)
    first.goto(home)
    expect(game_links(first)).to_contain_text("Round 1 · seals 0–0")
    # A finished game is listed once, by a page that gets an answer from the server.
    page = first.context.new_page()
    first.close()
    bo.post("/resign").raise_for_status()
    page.goto(home)
    expect(game_links(page)).to_contain_text("The game is over.")
    page.reload()
    expect(page.get_by_role("heading", name="Against the computer")).to_be_visible()
    expect(game_links(page)).to_have_count(0)


def game_links(page: Page) -> Locator:
    return page.get_by_role("link", name="Table with")


@pytest.mark.parametrize(
    ("path", "language"), [("nonsense", "en"), ("non/sense/", "fr"), (f"t/{'0' * 16}", "it")]
)
def test_an_unknown_address_says_so_and_links_to_the_home_page(
    server: Server, visitor: Visitor, path: str, language: Language
) -> None:
    say = Words(language).say
    page = visitor(path, locale=language, refused=True)
    message = say("refused.no_such_table" if path.startswith("t/") else "web.lost")
    expect(page.get_by_text(message)).to_be_visible()
    assert_accessible(page, "unknown address")
    page.get_by_role("link", name=say("web.home"), exact=True).click()
    expect(page).to_have_url(f"{server.address}/")
    expect(page.get_by_role("heading", name=say("web.computer"))).to_be_visible()


def test_opening_the_options_moves_nothing_above_them(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    name = page.get_by_label("Your name", exact=True)
    before = name.bounding_box()
    page.get_by_text("Options", exact=True).click()
    expect(page.get_by_label("Herds")).to_be_visible()
    assert name.bounding_box() == before


def test_unusual_options_are_named_where_a_game_starts(page: Page) -> None:
    computer = page.locator("form.computer")
    expect(computer).not_to_contain_text("Herds are hidden.")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Herds").select_option("hidden")
    expect(computer).to_contain_text("Herds are hidden.")
