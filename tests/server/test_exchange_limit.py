"""Two clients that only exchange are stopped through the API, and everyone reads the same reason."""

from itertools import cycle, islice
from pathlib import Path

from jaipur.notation import read_record
from jaipur.rules import Game
from jaipur.rules.game import EXCHANGE_LIMIT
from jaipur.table.state import WARN_AT
from server.serving import decode, run_in_thread, store_game
from tables import dealt

# Seat 0 holds D D L C C, seat 1 G G S P and a camel; the market is L P M M M.
PACK = "DDLCC GGSPM LP"


def test_two_clients_that_only_exchange_are_stopped(tmp_path: Path) -> None:
    with run_in_thread(tmp_path) as host:
        seats = store_game(host.database, host.http, dealt(PACK))
        version, warned = 2, []
        for number, move in enumerate(islice(cycle(["+PL-DD", "+DD-GG", "+GG-PL"]), 50)):
            answer = seats[number % 2].play(move, version).raise_for_status().json()
            assert answer["version"] == version + 1
            # A repeated request gets the same answer, also for the exchange that ends the round.
            again = seats[number % 2].play(move, version).raise_for_status().json()
            assert again == answer
            version += 1
            warned.append(seats[0].get_table()["exchanges_left"])
        assert warned == [None] * (EXCHANGE_LIMIT - WARN_AT - 1) + [*range(WARN_AT, 0, -1), None]
        late = seats[0].play("+PL-DD", version)
        assert (late.status_code, late.json()["code"]) == (409, "stale")
        for seat in seats:
            played, stopped, dealt_again = map(decode, seat.messages(after=version - 1)[:3])
            assert [played["kind"], stopped["kind"], dealt_again["kind"]] == [
                "played",
                "stopped",
                "dealt",
            ]
            assert stopped["happenings"] == [
                {
                    "what": "ended",
                    "ended": "exchanges",
                    "camel_token": 1,
                    "rupees": [0, 5],
                    "seal": 1,
                }
            ]
        seats[0].post("/resign").raise_for_status()
        record = read_record(seats[0].get("/record").raise_for_status().text)
    assert record.rounds[0].result is not None
    assert record.rounds[0].result.ended == "exchanges"
    Game.from_record(record)
