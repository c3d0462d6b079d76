"""Finding one's way: out of a game and back to it, at any size, and home from an address that leads nowhere."""

import pytest
from playwright.sync_api import Locator, Page, expect

from jaipur.words import Language, Words
from server.serving import Server
from web.conftest import Visitor
from web.playing import Seats, act
from web.test_access import FULL, accessible, but_for_one_move

DIGITS = 64
"""Of the fingerprint of a deal."""


def open_menu(page: Page) -> None:
    """The menu with everything in it unfolded."""
    page.get_by_role("button", name="Menu").click()
    page.evaluate("document.querySelectorAll('dialog details').forEach(each => (each.open = true))")


@pytest.mark.parametrize("size", [(1280, 720), (360, 640), (640, 360)])
def test_the_ways_out_of_a_game_are_in_sight_however_long_the_menu(
    seated: Seats, visitor: Visitor, size: tuple[int, int]
) -> None:
    moves, _ = but_for_one_move(FULL)
    ann, _ = seated(FULL, moves)
    width, height = size
    page = visitor(f"t/{ann.table}", secret=ann.secret, viewport={"width": width, "height": height})
    open_menu(page)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").nth(20)).to_be_attached()
    assert dialog.evaluate("dialog => dialog.scrollHeight === dialog.clientHeight")
    for way in (
        dialog.get_by_role("button", name="Close"),
        dialog.get_by_role("link", name="Home"),
        dialog.get_by_role("link", name="Rules"),
        dialog.get_by_role("button", name="Give up"),
    ):
        expect(way).to_be_in_viewport(ratio=1)
    accessible(page, "a long menu")


def test_the_fingerprint_of_a_deal_is_copied_whole(seated: Seats, visitor: Visitor) -> None:
    ann, _ = seated(FULL)
    page = visitor(
        f"t/{ann.table}", secret=ann.secret, permissions=["clipboard-read", "clipboard-write"]
    )
    open_menu(page)
    fingerprint = page.get_by_label("Fingerprint, round 1")
    page.locator("li", has=fingerprint).get_by_role("button", name="Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert len(copied) == DIGITS
    assert copied == fingerprint.input_value()


def test_a_sheet_is_read_from_its_top_and_a_game_that_is_over_leads_to_a_new_one(
    seated: Seats, visitor: Visitor
) -> None:
    moves, last = but_for_one_move(FULL)
    traders = seated(FULL, moves)
    ann, bo = traders
    on_its_side = {"width": 640, "height": 360}
    page = visitor(f"t/{ann.table}", secret=ann.secret, viewport=on_its_side)
    expect(act(page)).to_be_visible()
    traders[len(moves) % 2].play(last, len(moves) + 2).raise_for_status()
    expect(page.get_by_role("heading", name="Score of round 1")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    bo.post("/resign").raise_for_status()
    page.get_by_role("link", name="New game").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_whoever_reads_the_rules_finds_back_to_their_game(seated: Seats, visitor: Visitor) -> None:
    ann, bo = seated(FULL)
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
    expect(act(page)).to_be_visible()
    bo.post("/resign").raise_for_status()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    page.goto(table.replace(f"t/{ann.table}", "rules"))
    expect(page.get_by_role("link", name="Play now")).to_be_visible()
    expect(back).to_have_count(0)


def test_games_to_go_on_with_are_there_at_once_and_tell_how_they_stand(
    seated: Seats, visitor: Visitor
) -> None:
    ann, bo = seated(FULL)
    first = visitor(f"t/{ann.table}", secret=ann.secret)
    expect(act(first)).to_be_visible()
    home = first.url.partition("t/")[0]
    first.route("**/api/tables/**", lambda _request: None)
    first.goto(home)
    expect(tables_on(first)).to_contain_text("Round 1 · seals 0–0")
    # An end is told once, and not to a page that still waits for an answer.
    page = first.context.new_page()
    first.close()
    bo.post("/resign").raise_for_status()
    page.goto(home)
    expect(tables_on(page)).to_contain_text("The game is over.")
    page.reload()
    expect(page.get_by_role("heading", name="Against the computer")).to_be_visible()
    expect(tables_on(page)).to_have_count(0)


def tables_on(page: Page) -> Locator:
    return page.get_by_role("link", name="Table with")


@pytest.mark.parametrize(
    ("path", "language"), [("nonsense", "en"), ("non/sense/", "fr"), (f"t/{'0' * 16}", "it")]
)
def test_an_address_that_leads_nowhere_says_so_and_leads_home(
    server: Server, visitor: Visitor, path: str, language: Language
) -> None:
    say = Words(language).say
    page = visitor(path, locale=language, refused=True)
    said = say("refused.no_such_table" if path.startswith("t/") else "web.lost")
    expect(page.get_by_text(said)).to_be_visible()
    accessible(page, "nowhere")
    page.get_by_role("link", name=say("web.home"), exact=True).click()
    expect(page).to_have_url(f"{server.address}/")
    expect(page.get_by_role("heading", name=say("web.computer"))).to_be_visible()
