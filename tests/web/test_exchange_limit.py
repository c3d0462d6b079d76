"""The browser warns two players who only exchange, and tells them why the round ended."""

from itertools import cycle, islice

import pytest
from playwright.sync_api import expect

from jaipur.words import LANGUAGES, Language, Words
from tables import dealt
from web.board import SCORE_SHEET, TableSeater, action_button, click_move, news
from web.conftest import Visitor

EXCHANGES = [*islice(cycle(["+PL-DD", "+DD-GG", "+GG-PL"]), 50)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_who_only_exchange_are_warned_and_told_the_reason(
    language: Language, visitor: Visitor, seat_players: TableSeater
) -> None:
    words = Words(language)
    # Seat 0 holds D D L C C, seat 1 G G S P and a camel; the market is L P M M M.
    seats = seat_players(dealt("DDLCC GGSPM LP"), EXCHANGES[:-1])
    page = visitor(f"t/{seats[1].table}", secret=seats[1].secret, locale=language)
    expect(news(page)).to_have_text(words.say("exchanges_left", n=1))
    for width, height in ((360, 640), (640, 360), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        assert news(page).evaluate("line => line.scrollHeight <= line.clientHeight"), (
            width,
            height,
        )
    click_move(page, EXCHANGES[-1])
    action_button(page).click()
    sheet = page.locator(SCORE_SHEET)
    expect(sheet).to_contain_text(words.say("ended.exchanges"))
    expect(sheet).to_contain_text(words.say("web.seal.you"))
    sheet.get_by_role("button", name=words.say("web.next")).click()
    expect(news(page)).not_to_have_text(words.say("exchanges_left", n=1))
