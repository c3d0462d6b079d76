"""What a first visit costs, and what every page says about itself."""

import pytest
from playwright.sync_api import Browser, expect

from jaipur.words import LANGUAGES, Language, Words
from server.serving import Server
from web.conftest import Visitor
from web.playing import Seats, said, weighed
from web.test_access import FULL, but_for_one_move

MOST = 150_000
"""Bytes, pictures and what happened so far included."""


def test_a_first_visit_to_a_table_late_in_a_round_is_light(
    browser: Browser, server: Server, seated: Seats
) -> None:
    moves, _ = but_for_one_move(FULL)
    ann, _ = seated(FULL, moves)
    with browser.new_context(locale="fr-FR") as context:
        context.add_cookies([{"name": "jaipur", "value": ann.secret, "url": server.address}])
        page = context.new_page()
        sizes = weighed(page)
        page.goto(f"{server.address}/t/{ann.table}")
        expect(said(page)).not_to_be_empty()
        page.evaluate("navigator.serviceWorker.ready")
    assert len(sizes) >= 6
    assert sum(sizes) < MOST


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_says_what_it_is_in_the_language_it_speaks(
    seated: Seats, visitor: Visitor, language: Language
) -> None:
    say = Words(language).say
    ann, _ = seated(FULL)
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
