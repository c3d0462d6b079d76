"""The browser contributes to every deal, notes what it saw, and says after the round what it has checked."""

from playwright.sync_api import Page, expect

from web.board import get_table
from web.conftest import Visitor

PROVEN = "✓ Checked: the server’s number was fixed before yours, and the deal follows from both."
BROKEN = "✗ The cards are not those fixed before the first move!"
UNNOTED = "This browser noted none of them before the round, so this is no proof."
ELSEWHERE = "Your browser checks only on a secure connection"
INSECURE = """
  Object.defineProperty(window, "isSecureContext", { value: false });
  Object.defineProperty(crypto, "subtle", { value: undefined });
"""


def play_and_resign(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".board")).to_be_visible()
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.locator("h1")).to_contain_text("wins the game")


def show_proof(page: Page) -> None:
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_text("Is the deal fair?").click()


def test_the_deal_contains_the_contribution_of_the_browser(page: Page) -> None:
    play_and_resign(page)
    table = get_table(page)
    show_proof(page)
    expect(page.get_by_text(PROVEN)).to_be_visible()
    (played,) = table["rounds"]
    assert (
        page.get_by_label("Your number, round 1").input_value()
        == played["contributions"][table["you"]]
    )
    assert page.get_by_label("Fingerprint, round 1").input_value() == played["commitment"]


def test_a_commitment_that_differs_from_the_noted_one_is_reported(page: Page) -> None:
    play_and_resign(page)
    commitment = get_table(page)["rounds"][0]["commitment"]
    page.evaluate(
        "([old, other]) => localStorage['jaipur.deals'] = localStorage['jaipur.deals'].replace(old, other)",
        [commitment, "0" * 64],
    )
    page.reload()
    show_proof(page)
    expect(page.get_by_text(BROKEN)).to_be_visible()


def test_a_browser_that_noted_nothing_claims_no_proof(page: Page, visitor: Visitor) -> None:
    play_and_resign(page)
    spectator = visitor(f"t/{get_table(page)['id']}")
    # Spectators see the end of the game later.
    expect(spectator.locator("h1")).to_contain_text("wins the game", timeout=20_000)
    show_proof(spectator)
    expect(spectator.get_by_text(UNNOTED)).to_be_visible()


def test_without_a_secure_connection_the_browser_contributes_but_does_not_check(
    visitor: Visitor,
) -> None:
    page = visitor()
    page.context.add_init_script(INSECURE)
    page.reload()
    play_and_resign(page)
    table = get_table(page)
    assert table["rounds"][0]["contributions"][table["you"]]
    show_proof(page)
    expect(page.get_by_text(ELSEWHERE)).to_be_visible()
