"""Whole games at a table, compared with a plain `Game` on the same deals."""

from itertools import pairwise

import pytest

from jaipur.rules import Game, Herds, Move, Round
from jaipur.table.events import Dealt, LogEntry, Played
from jaipur.table.options import TableOptions
from jaipur.table.projection import latest_message
from jaipur.table.state import GameEnd
from jaipur.table.table import Table
from table.live_table import ID, deal_of, finished_game, open_table

GAMES = [(seed, players) for seed in range(6) for players in ("greedy greedy", "random greedy")]
every_game = pytest.mark.parametrize(("seed", "players"), GAMES)


def follow(game: Game, entry: LogEntry) -> None:
    """Apply an entry to a plain game."""
    match entry.event:
        case Dealt() as event:
            game.start(deal_of(event))
        case Played(seat, move):
            assert game.running is not None
            assert game.running.position.turn == seat
            game.play(Move.parse(move))


@every_game
def test_a_table_agrees_with_a_plain_game_after_every_entry(seed: int, players: str) -> None:
    table, game = Table(ID), Game()
    for entry in finished_game(seed, players).entries:
        table.apply(entry)
        follow(game, entry)
        assert table.game.seals == game.seals
        assert table.game.winner == game.winner
        assert [played.moves for played in table.game.rounds] == [r.moves for r in game.rounds]
        assert [played.position for played in table.game.rounds] == [
            played.position for played in game.rounds
        ]
        turn = game.running.position.turn if game.running is not None else None
        assert table.turn == turn
    assert table.over == GameEnd("seals", game.winner)


@every_game
def test_the_loser_starts_the_next_round_and_two_seals_win(seed: int, players: str) -> None:
    table = finished_game(seed, players).table
    assert table.over is not None
    rounds = table.game.rounds
    for last, following in pairwise(rounds):
        assert following.deal.starts == 1 - winner_of(last)
    seals = [winner_of(played) for played in rounds]
    assert seals.count(table.over.winner or 0) == 2
    assert seals[-1] == table.over.winner


def winner_of(played: Round) -> int:
    assert played.result is not None
    assert played.result.seal is not None
    return played.result.seal


def test_a_round_is_dealt_when_the_last_one_is_over() -> None:
    live = open_table()
    while live.table.game.running is not None:
        assert live.advance() == []
        live.play(str(live.rng.choice(live.table.game.legal_moves())))
    (event,) = live.advance()
    assert isinstance(event, Dealt)
    assert live.advance() == []


def test_no_round_is_dealt_after_the_second_seal() -> None:
    live = finished_game(1)
    assert live.advance() == []
    assert live.table.phase == "over"


def test_the_first_starter_is_random() -> None:
    starters = [open_table(deal=None, seed=seed).table.turn for seed in range(40)]
    assert 10 < starters.count(0) < 30


def test_no_two_rounds_have_the_same_deal_or_the_same_salt() -> None:
    tables = [finished_game(seed).table for seed in range(5)]
    deals = [played.deal for table in tables for played in table.game.rounds]
    salts = [proof.salt for table in tables for proof in table.proofs]
    assert len(set(deals)) == len(deals)
    assert len(set(salts)) == len(salts)


@pytest.mark.parametrize(("herds", "seen"), [("open", 0), ("hidden", None)])
def test_herds_are_open_or_hidden_as_the_options_say(herds: Herds, seen: int | None) -> None:
    sent = latest_message(open_table(options=TableOptions(herds=herds)).table, 0).table.view
    assert sent is not None
    assert (sent.herd, sent.own.herd, sent.other.herd) == (1, 1, seen)


def test_every_listed_move_is_accepted() -> None:
    live = open_table(deal=None)
    for _ in range(30):
        sent = latest_message(live.table, live.table.turn).table
        assert sent.turn is not None
        for move in sent.moves:
            assert live.table.play(sent.turn, move, sent.version) == [Played(sent.turn, move)]
        live.play(live.rng.choice(sent.moves))
        live.advance()


def test_only_the_player_to_move_gets_legal_moves() -> None:
    live = open_table()
    assert latest_message(live.table, 0).table.moves == [
        str(m) for m in live.table.game.legal_moves()
    ]
    assert (
        latest_message(live.table, 1).table.moves
        == latest_message(live.table, None).table.moves
        == []
    )
    live.apply(live.table.resign(1))
    assert latest_message(live.table, 0).table.moves == []


def test_a_message_has_the_move_its_seat_and_its_happenings() -> None:
    live = open_table()
    live.play("+GS-LM", "+M", "-DD")
    sent = latest_message(live.table, 1)
    assert (sent.version, sent.kind, sent.seat, sent.move) == (5, "played", 0, "-DD")
    assert [type(happening).__name__ for happening in sent.happenings] == ["Sold"]


def test_happenings_are_not_repeated_with_the_next_event() -> None:
    live = open_table()
    live.play("+GS-LM")
    live.apply(live.table.leave(0))
    sent = latest_message(live.table, 1)
    assert (sent.kind, sent.seat, sent.move, sent.happenings) == ("left", 0, None, [])


def test_a_deal_has_no_seat() -> None:
    sent = latest_message(open_table().table, 0)
    assert (sent.kind, sent.seat, sent.move, sent.happenings) == ("dealt", None, None, [])
