"""Two people on one screen: the handover hides all cards, and each seat has a stream of its own."""

import re
from collections import Counter
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Request, expect

from server.serving import Server, run_server
from web.board import (
    HAS_FOCUS,
    SCORE_SHEET,
    action_button,
    card_kinds,
    click_move,
    get_table,
    news,
    pick_move,
    press_move,
)
from web.conftest import Visitor
from web.rounds import almost_finished_rounds

SECRET = "the-secret-of-both-at-one-screen"
TURNS = 10


def start(page: Page) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("The other trader’s name").fill("Bo")
    page.get_by_role("button", name="Play together").click()


def uncover(page: Page) -> str:
    """Confirm the handover; returns the name of the player to move."""
    page.get_by_role("button", name="show my cards").click()
    expect(page.locator(".board")).to_be_visible()
    table = get_table(page)
    name: str = table["seats"][table["turn"]]["name"]
    expect(page.locator("h1")).to_have_text(f"It is {name}’s turn.")
    assert card_kinds(page, ".hand") == get_table(page, seat=table["turn"])["view"]["hand"]
    return name


def test_the_handover_hides_all_cards_between_turns(page: Page) -> None:
    start(page)
    seats = []
    for _ in range(3):
        ready = page.get_by_role("button", name="show my cards")
        expect(ready).to_be_focused()
        table = get_table(page)
        seat = table["turn"]
        expect(ready).to_contain_text(f"I am {table['seats'][seat]['name']}")
        assert not card_kinds(page, "body")
        assert not page.locator("[data-move]").count()
        page.keyboard.press("Enter")
        expect(page.locator(".board")).to_be_visible()
        assert card_kinds(page, ".hand") == get_table(page, seat=seat)["view"]["hand"]
        assert page.evaluate(HAS_FOCUS)
        seats.append(seat)
        press_move(page, "+M" if "+M" in table["moves"] else table["moves"][0])
        page.keyboard.press("Enter")
        other = table["seats"][1 - seat]["name"]
        handover = page.get_by_role("button", name=f"Hand over to {other}")
        expect(handover).to_be_focused()
        assert card_kinds(page, ".hand") == get_table(page, seat=seat)["view"]["hand"]
        handover.click()
    assert seats[0] != seats[1] != seats[2]


def test_a_turn_takes_two_requests_and_streamed_messages_are_not_fetched_again(page: Page) -> None:
    requests: Counter[str] = Counter()

    def count(request: Request) -> None:
        path = urlsplit(request.url).path
        if "/api/tables/" in path:
            requests[f"{request.method} {path.partition('/api/tables/')[2][17:]}"] += 1

    page.on("request", count)
    start(page)
    rng = Random(5)
    for _ in range(TURNS):
        name = uncover(page)
        press_move(page, pick_move(get_table(page), rng))
        page.keyboard.press("Enter")
        expect(news(page)).to_contain_text(f"{name} ")
        page.get_by_role("button", name="Hand over").click()
    requests.pop("GET why", None)
    assert requests == {
        "GET ": TURNS + 1,  # at the start and after each handover
        "GET events": 2,
        "GET events.ndjson": 1,
        "POST contribution": 2,  # to the first deal and to the next one
        "POST play": TURNS,
    }


def test_both_streams_resume_after_a_lost_connection(browser: Browser, tmp_path: Path) -> None:
    rng = Random(6)
    with run_server(tmp_path) as server, browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(server.address)
        start(page)
        uncover(page)
        server.kill()
        lost = page.get_by_text("Connection lost")
        expect(lost).to_be_visible()
        server.start()
        expect(lost).to_be_hidden(timeout=20_000)
        for _ in range(3):
            press_move(page, pick_move(get_table(page), rng))
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Hand over").click()
            uncover(page)


def test_a_round_ends_with_its_score_sheet_and_a_game_with_its_winner(
    server: Server, visitor: Visitor
) -> None:
    tables = almost_finished_rounds(server, (SECRET, SECRET), seed=3)
    page = visitor(f"t/{tables[0][0]}", secret=SECRET)
    uncover(page)
    click_move(page, tables[0][1])
    action_button(page).click()
    sheet = page.locator(SCORE_SHEET)
    expect(sheet).to_contain_text("Score of round 1")
    table = get_table(page)
    result = table["rounds"][0]
    winner = table["seats"][result["seal"]]["name"]
    expect(page.locator("h1")).to_have_text(f"{winner} wins round 1.")
    camels = [text.strip() for text in sheet.locator(".camel").all_inner_texts()]
    assert sorted(camels) == ["5", "–"]
    for rupees in result["rupees"]:
        total = sheet.locator(".sum td").filter(has_text=re.compile(f"^{rupees}$"))
        expect(total).not_to_have_count(0)
    expect(sheet).to_contain_text(re.compile("(Ann|Bo) takes the Seal of Excellence"))
    assert not re.search(r"\byou\b", sheet.inner_text(), re.IGNORECASE)
    sheet.get_by_role("button", name="Next round").click()
    ready = page.get_by_role("button", name="show my cards").inner_text()
    starter = uncover(page)
    assert starter == get_table(page)["seats"][1]["name"]
    assert starter in ready
    assert page.evaluate(HAS_FOCUS)
    assert len(get_table(page)["rounds"]) == 2

    page.goto(page.url.replace(tables[0][0], tables[-1][0]))
    uncover(page)
    click_move(page, tables[-1][1])
    action_button(page).click()
    sheet.get_by_role("button", name="Close").click()
    over = get_table(page)["over"]
    expect(page.locator("h1")).to_have_text(f"{['Ann', 'Bo'][over['winner']]} wins the game.")
    page.get_by_role("button", name="Rematch").click()
    expect(page).not_to_have_url(re.compile(tables[-1][0]))
    uncover(page)
