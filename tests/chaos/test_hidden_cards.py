"""No byte that players receive tells hidden cards, and the search for such bytes finds what is planted."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from chaos.leaks import Moment, leaks, search
from chaos.process import Start
from chaos.referee import SPECTATOR, Referee

DECK = "CLMSPGDCLLMPGSDCPL"
MOMENT = Moment([list("DDS"), list("CPPL")], [Counter("DS"), Counter("CP")], [DECK], ["5a" * 32])
VIEW = {"hand": "DDS", "ended": None, "other": {"hand": 4, "shown": "CP", "bonus_values": None}}


def message(view: object = None, **table: object) -> bytes:
    shown = VIEW if view is None else view
    return json.dumps({"version": 7, "table": {"view": shown, "moves": ["+C"]} | table}).encode()


def found(line: bytes) -> list[str]:
    return list(leaks(line, 0, MOMENT))


def test_an_honest_message_has_no_leak() -> None:
    assert found(message()) == []


@pytest.mark.parametrize(
    ("line", "leak"),
    [
        (message(debug="5a" * 32), "a salt"),
        (message(debug=DECK), "8 cards of the deck"),
        (message(debug=list(DECK)), "14 cards of the deck"),
        (message(debug="PLCP"), "a hidden hand in table.debug"),
        (message(debug=["P", "L", "C", "P"]), "a hidden hand in table.debug"),
        (message(VIEW | {"hand": "CPPL"}), "a wrong hand"),
        (
            message(VIEW | {"other": {"shown": "CPPL", "bonus_values": None}}),
            "cards of the opponent that nobody has seen",
        ),
        (
            message(VIEW | {"other": {"shown": "CP", "bonus_values": [3]}}),
            "the opponent's bonus tokens",
        ),
    ],
)
def test_a_planted_leak_is_found(line: bytes, leak: str) -> None:
    assert leak in found(line)


def test_the_suite_does_not_import_the_server() -> None:
    sources = [path.read_text() for path in Path(__file__).parent.glob("*.py")]
    package = "jaipur"
    assert not [
        text for text in sources if f"import {package}" in text or f"from {package}" in text
    ]


@pytest.mark.long
@pytest.mark.anyio
async def test_players_receive_no_hidden_card(sqlite_url: str, start: Start) -> None:
    server = start(sqlite_url)
    referee = Referee(server.port, Random(1), spectators=True)
    for number in range(6):
        # A game must be longer than the spectators' delay of ten seconds.
        referee.play(f"127.0.1.{number + 1}", 0.15)
        referee.play(f"127.0.2.{number + 1}", 0.3, "greedy")
    await referee.until(lambda: referee.moves > 3000, 300)
    await referee.close()
    scan = await search(referee)
    print(f"{scan.messages} messages, {scan.bytes / 1e6:.1f} MB")
    assert scan.messages > 3000
    assert sum(len(table.received[SPECTATOR]) for table in referee.tables) > 300
    assert scan.found == []
