"""The size of a first visit, and the metadata of every page."""

import pytest
from playwright.sync_api import Browser, expect

from jaipur.words import LANGUAGES, Language, Words
from server.serving import Server
from web.board import TableSeater, news, record_sizes
from web.conftest import Visitor
from web.rounds import DEAL, round_but_last_move

MAX_BYTES = 150_000
"""Including pictures and the history of the round."""


def test_a_first_visit_late_in_a_round_is_small(
    browser: Browser, server: Server, seat_players: TableSeater
) -> None:
    moves, _ = round_but_last_move(DEAL)
    ann, _ = seat_players(DEAL, moves)
    with browser.new_context(locale="fr-FR") as context:
        context.add_cookies([{"name": "jaipur", "value": ann.secret, "url": server.address}])
        page = context.new_page()
        sizes = record_sizes(page)
        page.goto(f"{server.address}/t/{ann.table}")
        expect(news(page)).not_to_be_empty()
        page.evaluate("navigator.serviceWorker.ready")
    assert len(sizes) >= 6
    assert sum(sizes) < MAX_BYTES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_a_title_and_description_in_its_language(
    seat_players: TableSeater, visitor: Visitor, language: Language
) -> None:
    say = Words(language).say
    ann, _ = seat_players(DEAL)
    titles = {
        "": ("Jaipur", "web.tagline"),
        "rules": (f"{say('web.rules')} · Jaipur", "web.rules.lead"),
        f"t/{ann.table}": (f"{say('your_turn')} · Jaipur", "web.tagline"),
    }
    for path, (title, description) in titles.items():
        page = visitor(path, secret=ann.secret, locale=language)
        expect(page).to_have_title(title)
        expect(page.locator("html")).to_have_attribute("lang", language)
        about = page.locator("meta[name=description]")
        expect(about).to_have_attribute("content", f"Jaipur: {say(description)}")
