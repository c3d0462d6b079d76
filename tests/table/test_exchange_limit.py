"""Players who only exchange, tie or leave cannot make a log endless: the round stops, the game is drawn."""

from itertools import cycle, islice

import pytest

from command import jaipur
from jaipur.notation import read_record, write_record
from jaipur.rules import Game, Move, WrongRecord
from jaipur.rules.cards import CAMEL
from jaipur.rules.game import EXCHANGE_LIMIT
from jaipur.rules.scoring import Result
from jaipur.table.events import Drawn, Left, Played, Returned, Stopped
from jaipur.table.happenings import RoundEnded
from jaipur.table.options import Live, TableOptions
from jaipur.table.projection import latest_message, table_view
from jaipur.table.record import table_record
from jaipur.table.state import WARN_AT, GameEnd
from jaipur.table.table import DEPARTURE_LIMIT, ROUND_LIMIT, Table
from jaipur.words import LANGUAGES, Language, Words
from table.live_table import (
    AUDIENCES,
    ID,
    NOON,
    PEOPLE,
    LiveTable,
    deal_event,
    decoded,
    open_table,
)
from tables import dealt

PACK = "DDLCC GGSPM LP"
"""Seat 0 holds D D L C C, seat 1 G G S P and a camel; the market is L P M M M."""
TIED = "DDLCC GGSPP LP"
"""The same without the camel: if the players only exchange, everything stays equal."""
MOST_TAKES = 41
"""Every take draws a card, and the first one that finds the deck of 40 empty ends the round."""
MOST_SALES = 3 + 3 + 3 + 8 + 8 + 10
"""Of 6 diamonds, 6 gold and 6 silver in pairs; of 8 cloth, 8 spice and 10 leather one by one."""
MOST_MOVES = (MOST_TAKES + MOST_SALES + 1) * EXCHANGE_LIMIT


def exchanges(number: int) -> list[str]:
    """Exchanges after which, every three turns, the same cards are in the market again."""
    return list(islice(cycle(["+PL-DD", "+DD-GG", "+GG-PL"]), number))


def only_exchanging(
    number: int, pack: str = PACK, options: TableOptions | None = None
) -> LiveTable:
    live = open_table(deal=dealt(pack), options=options)
    live.play(*exchanges(number))
    return live


def stopped() -> LiveTable:
    live = only_exchanging(EXCHANGE_LIMIT)
    assert live.advance() == [Stopped()]
    return live


def test_two_players_who_only_exchange_are_stopped() -> None:
    live = only_exchanging(EXCHANGE_LIMIT - 1)
    assert live.advance() == []
    live.play(exchanges(EXCHANGE_LIMIT)[-1])
    assert live.advance() == [Stopped()]
    assert live.table.turn is None
    assert live.table.game.rounds[0].result == Result("exchanges", 1, (0, 5), 1)
    assert live.table.game.seals == (0, 1)


def test_after_a_stopped_round_the_next_one_is_dealt_and_two_end_the_game() -> None:
    live = stopped()
    live.apply([deal_event(dealt(PACK, starts=0))])
    live.play(*exchanges(EXCHANGE_LIMIT))
    live.advance()
    assert live.table.over == GameEnd("seals", 1)
    assert live.advance() == []


@pytest.mark.parametrize("audience", AUDIENCES)
def test_everyone_is_warned_and_told_the_reason(audience: int | None) -> None:
    live = only_exchanging(EXCHANGE_LIMIT - WARN_AT - 1)
    assert table_view(live.table, audience, NOON).exchanges_left is None
    seen = []
    for move in exchanges(EXCHANGE_LIMIT)[-WARN_AT - 1 :]:
        live.play(move)
        seen.append(latest_message(live.table, audience).table.exchanges_left)
    assert seen == [*range(WARN_AT, 0, -1), None]
    live.advance()
    message = latest_message(live.table, audience)
    assert (message.kind, message.table.exchanges_left) == ("stopped", None)
    assert message.happenings == [RoundEnded("exchanges", 1, (0, 5), 1)]
    assert message.table.rounds[0].ended == "exchanges"
    assert message.table.rounds[0].opened is not None


def test_a_take_or_a_sale_ends_the_warning() -> None:
    live = only_exchanging(EXCHANGE_LIMIT - 2)
    assert live.table.exchanges_left == 2
    live.play("-L")
    assert live.table.exchanges_left is None


def test_a_stopped_round_stops_the_clock() -> None:
    live = only_exchanging(EXCHANGE_LIMIT, options=TableOptions(clock=Live(60, 5)))
    live.advance()
    left = list(live.table.clock.left)
    live.now += 3_600_000
    assert live.table.clock.since is None
    assert live.table.clock.left == left


def test_the_log_of_a_stopped_round_replays() -> None:
    live = stopped()
    assert Table.replay(ID, decoded(live.entries)) == live.table


def test_an_older_log_with_more_exchanges_replays_and_the_game_goes_on() -> None:
    older = only_exchanging(10 * EXCHANGE_LIMIT)
    table = Table.replay(ID, decoded(older.entries))
    assert table == older.table
    assert table.turn == 0
    live = LiveTable(table)
    assert live.advance() == [Stopped()]
    assert Game.from_record(table_record(table)).seals == (0, 1)


def test_the_record_of_a_stopped_round_is_verified() -> None:
    line = write_record(table_record(stopped().table))
    assert '"ended":"exchanges"' in line
    for command in ("verify", "replay"):
        done = jaipur(command, "-", text=line + "\n")
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_record_that_claims_such_an_end_wrongly_is_refused() -> None:
    record = read_record(write_record(table_record(stopped().table)))
    (played,) = record.rounds
    played.moves[-2:] = [Move.parse("+M")]
    with pytest.raises(WrongRecord, match="only after 50 of them in a row"):
        Game.from_record(record)
    done = jaipur("replay", "-", text=write_record(record) + "\n")
    assert done.returncode == 1
    assert "only after 50 of them in a row" in done.stdout + done.stderr


def test_a_record_of_more_exchanges_without_such_an_end_is_still_correct() -> None:
    live = only_exchanging(10 * EXCHANGE_LIMIT)
    live.apply(live.table.resign(0))
    Game.from_record(table_record(live.table))


def test_players_who_tie_on_purpose_draw_the_game() -> None:
    live = open_table(deal=dealt(TIED))
    for number in range(1, ROUND_LIMIT + 1):
        live.play(*exchanges(EXCHANGE_LIMIT))
        live.advance()
        assert live.table.game.seals == (0, 0)
        if number < ROUND_LIMIT:
            live.apply([deal_event(dealt(*rotated(number)))])
    assert live.advance() == [Drawn()]
    assert live.table.over == GameEnd("rounds", None)
    assert live.advance() == []
    assert Table.replay(ID, decoded(live.entries)) == live.table
    assert Game.from_record(table_record(live.table)).winner is None


def rotated(number: int) -> tuple[str, int]:
    """The tied deal for a round that seat `number % 2` starts."""
    first, second, market = TIED.split()
    hands = (first, second) if number % 2 == 0 else (second, first)
    return " ".join((*hands, market)), number % 2


def test_the_log_of_the_most_stubborn_players_is_bounded() -> None:
    """They exchange as often as they can, and make the smallest progress before each stop."""
    live = open_table(deal=None, seed="stubborn")
    for _ in range(ROUND_LIMIT * MOST_MOVES):
        live.advance()
        running = live.table.game.running
        if running is None or live.table.over is not None:
            break
        moves = running.position.legal_moves()
        swaps = [move for move in moves if move.taken and move.given]
        others = [move for move in moves if not (move.taken and move.given)]
        assert others, "there is always another move than an exchange"
        if swaps and running.exchanges_left > 1:
            # Camels that are given are goods that the hand gets: the hands stay large without them.
            move = min(swaps, key=lambda move: move.given.count(CAMEL))
        else:
            move = min(others, key=lambda move: (len(move.given), CAMEL in move.taken))
        live.play(str(move))
    assert live.table.over is not None
    longest = max(len(played.moves) for played in live.table.game.rounds)
    assert EXCHANGE_LIMIT * 10 < longest <= MOST_MOVES


def test_leaving_and_returning_do_not_fill_the_log() -> None:
    live = open_table(PEOPLE)
    for _ in range(DEPARTURE_LIMIT + 50):
        live.apply(live.table.leave(1))
        live.apply(live.table.rejoin(1))
    kinds = [type(entry.event) for entry in live.entries]
    assert (kinds.count(Left), kinds.count(Returned)) == (DEPARTURE_LIMIT, DEPARTURE_LIMIT)
    live.play("+S")
    assert isinstance(live.entries[-1].event, Played)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_for_players_name_the_limit(language: Language) -> None:
    assert f" {EXCHANGE_LIMIT} " in Words(language).say("web.rules.end.exchanges")
