"""The end of a round: the last move is seen first, then the score sheet, which can be closed and opened again."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from server.serving import Client, Json, Server
from tables import dealt
from web.board import (
    SCORE_SHEET,
    TableSeater,
    action_button,
    click_move,
    get_table,
    news,
    wait_for_version,
)
from web.conftest import Visitor
from web.layout import assert_layout
from web.rounds import DEAL, almost_finished_rounds, round_but_last_move

SECRETS = ("the-secret-of-ann-at-her-table", "the-secret-of-bo-at-his-table")

RECORD_OPENING = """() => {
  let started = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) { started++; return animate.apply(this, how); };
  const { showModal } = HTMLDialogElement.prototype;
  HTMLDialogElement.prototype.showModal = function () {
    window.opening = { started, running: document.getAnimations().length };
    return showModal.apply(this);
  };
}"""
"""Records the card animations that had started and those that were running when the score sheet opened."""


def almost_ended(
    seat_players: TableSeater, visitor: Visitor, **options: object
) -> tuple[Page, Client, str]:
    """A table one move before the end of a round: the page of the player who waits, the other player, and the move."""
    moves, last = round_but_last_move(DEAL)
    traders = seat_players(DEAL, moves)
    mover, waiting = traders[len(moves) % 2], traders[1 - len(moves) % 2]
    page = visitor(f"t/{waiting.table}", secret=waiting.secret, **options)
    expect(action_button(page)).to_be_visible()
    return page, mover, last


def end_round(page: Page, mover: Client, last: str) -> int:
    """Play the last move; returns the version of the table at the end of the round."""
    version: int = mover.get_table()["version"]
    mover.play(last, version).raise_for_status()
    expect(page.locator(SCORE_SHEET)).to_be_visible()
    return version + 1


def bonus_tokens(sheet: Locator) -> list[list[str]]:
    """The values of the bonus tokens on a score sheet, by column."""
    return [column.locator("b").all_inner_texts() for column in sheet.locator(".bonus").all()]


@pytest.mark.parametrize("reduced", [False, True])
def test_the_score_sheet_opens_after_the_last_cards_have_landed(
    seat_players: TableSeater, visitor: Visitor, reduced: bool
) -> None:
    preference = "reduce" if reduced else "no-preference"
    page, mover, last = almost_ended(
        seat_players, visitor, speed="normal", reduced_motion=preference
    )
    page.evaluate(RECORD_OPENING)
    end_round(page, mover, last)
    opening = page.evaluate("opening")
    assert opening["running"] == 0
    assert (opening["started"] == 0) == reduced


@pytest.mark.parametrize("how", ["Escape", "click outside", "button"])
def test_closing_the_score_sheet_shows_the_table_as_it_was(
    seat_players: TableSeater, visitor: Visitor, how: str
) -> None:
    page, mover, last = almost_ended(seat_players, visitor)
    end = end_round(page, mover, last)
    sheet, following = page.locator(SCORE_SHEET), page.get_by_role("button", name="Next round")
    if how == "Escape":
        page.keyboard.press("Escape")
    elif how == "click outside":
        page.mouse.click(2, 2)
    else:
        sheet.get_by_role("button", name="Look at the table").click()
    expect(sheet).to_have_count(0)
    expect(following).to_be_focused()
    assert get_table(page)["version"] > end
    wait_for_version(page, end)
    expect(page.locator("h1")).to_contain_text("round 1")
    assert_layout(page, "between rounds")

    page.get_by_role("button", name="Score sheet").click()
    expect(sheet).to_contain_text("Score of round 1")
    page.keyboard.press("Escape")
    wait_for_version(page, end)
    following.click()
    wait_for_version(page, end + 1)
    expect(following).to_have_count(0)
    expect(action_button(page)).to_be_focused()


def test_a_player_who_looks_at_the_table_can_resign(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    page, mover, last = almost_ended(seat_players, visitor)
    end_round(page, mover, last)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    page.get_by_role("button", name="Score sheet").click()
    expect(page.locator(SCORE_SHEET)).to_contain_text("Score of round 1")


def finished_game(server: Server, visitor: Visitor, **options: object) -> tuple[Page, Json]:
    """Ann's page of a game that has just ended, with its score sheet open, and her table."""
    table, last = almost_finished_rounds(server, SECRETS, seed=3)[-1]
    page = visitor(f"t/{table}", secret=SECRETS[0], **options)
    expect(action_button(page)).to_be_visible()
    mover = page
    if get_table(page)["turn"] == 1:
        mover = visitor(f"t/{table}", secret=SECRETS[1])
    click_move(mover, last)
    action_button(mover).click()
    expect(page.locator(SCORE_SHEET)).to_be_visible()
    return page, get_table(page)


def test_the_score_sheets_of_a_finished_game_can_be_opened_after_a_reload(
    server: Server, visitor: Visitor
) -> None:
    page, table = finished_game(server, visitor)
    sheet = page.locator(SCORE_SHEET)
    tokens = [
        [str(value) for value in table["view"][who]["bonus_values"]] for who in ("own", "other")
    ]
    assert any(tokens)
    assert bonus_tokens(sheet) == tokens

    page.reload()
    page.get_by_role("button", name="Score sheet").click()
    number = len(table["rounds"])
    expect(sheet).to_contain_text(f"Score of round {number}")
    assert bonus_tokens(sheet) == tokens
    for earlier in range(1, number):
        sheet.get_by_role("button", name=f"round {earlier}").click()
        expect(sheet).to_contain_text(f"Score of round {earlier}")
        rupees = [str(each) for each in table["rounds"][earlier - 1]["rupees"]]
        assert sheet.locator(".sum td").all_inner_texts() == rupees
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("button", name="Score sheet")).to_be_focused()


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_finished_game_fits_every_screen(server: Server, visitor: Visitor, language: str) -> None:
    page, _ = finished_game(server, visitor, locale=language)
    page.keyboard.press("Escape")
    assert_layout(page, "over")


RECORD_EARLY_TURN = """() => {
  window.frames = 0;
  window.early = 0;
  const check = () => {
    if (document.querySelector(".board").getAnimations({ subtree: true }).length) {
      frames++;
      if (document.querySelector("h1").textContent === "Your turn.") early++;
    }
    requestAnimationFrame(check);
  };
  check();
}"""
"""Counts the frames in which cards fly, and those of them whose heading already gives the turn to the player."""


def test_it_is_the_players_turn_when_the_other_players_cards_have_landed(
    seat_players: TableSeater, visitor: Visitor
) -> None:
    ann, bo = seat_players(DEAL, ["+P"])
    page = visitor(f"t/{ann.table}", secret=ann.secret, speed="normal")
    expect(page.locator("h1")).to_contain_text("Bo")
    page.evaluate(RECORD_EARLY_TURN)
    bo.play("+M", 3).raise_for_status()
    expect(page.locator("h1")).to_have_text("Your turn.")
    assert page.evaluate("frames") > 0
    assert page.evaluate("early") == 0


RECORD_RECEIVED = """() => {
  const { parse } = JSON;
  JSON.parse = text => {
    const value = parse(text);
    window.received = value.version;
    return value;
  };
}"""
"""Records the version of the last message that the page received, shown or not."""


@pytest.mark.parametrize(("sale", "reading_time"), [("-DDD", 1_500), ("-DD", 800)])
def test_a_sale_can_be_read_before_the_reply_is_shown(
    seat_players: TableSeater, visitor: Visitor, sale: str, reading_time: int
) -> None:
    ann, bo = seat_players(dealt("DDDSC LLPPC PL CP"))
    page = visitor(f"t/{ann.table}", secret=ann.secret, speed="normal")
    click_move(page, sale)
    page.evaluate(RECORD_RECEIVED)
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    action_button(page).click()
    wait_for_version(page, 3)
    bo.play("+L", 3).raise_for_status()
    page.wait_for_function("() => window.received === 4")
    page.clock.run_for(100)
    page.wait_for_function("() => !document.getAnimations().length")
    page.clock.run_for(reading_time - 100)
    wait_for_version(page, 3)
    expect(news(page)).to_contain_text("You sold")
    page.clock.resume()
    wait_for_version(page, 4)
