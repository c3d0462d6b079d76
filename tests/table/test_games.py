"""Whole games at a table, held against a plain game of the rules with the same deals."""

from itertools import pairwise

import pytest

from jaipur.rules import Game, Herds, Move, Round
from jaipur.table.events import Dealt, LogEntry, Played
from jaipur.table.options import TableOptions
from jaipur.table.projection import latest_message
from jaipur.table.state import GameEnd
from jaipur.table.table import Table
from table.keeping import ID, deal_in, game_of, kept_table

GAMES = [(seed, players) for seed in range(6) for players in ("greedy greedy", "random greedy")]
every_game = pytest.mark.parametrize(("seed", "players"), GAMES)


def follow(game: Game, entry: LogEntry) -> None:
    """Let a plain game come to what an entry says."""
    match entry.event:
        case Dealt() as event:
            game.start(deal_in(event))
        case Played(seat, move):
            assert game.running is not None
            assert game.running.position.turn == seat
            game.play(Move.parse(move))


@every_game
def test_a_table_is_always_where_the_rules_are(seed: int, players: str) -> None:
    table, game = Table(ID), Game()
    for entry in game_of(seed, players).journal:
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
def test_whoever_lost_a_round_starts_the_next_and_two_seals_win(seed: int, players: str) -> None:
    table = game_of(seed, players).table
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


def test_a_round_is_dealt_as_soon_as_the_last_one_is_over_and_not_before() -> None:
    kept = kept_table()
    while kept.table.game.running is not None:
        assert kept.advance() == []
        kept.play(str(kept.rng.choice(kept.table.game.legal_moves())))
    (event,) = kept.advance()
    assert isinstance(event, Dealt)
    assert kept.advance() == []


def test_no_round_is_dealt_after_the_second_seal() -> None:
    kept = game_of(1)
    assert kept.advance() == []
    assert kept.table.phase == "over"


def test_chance_picks_who_starts_the_first_round() -> None:
    starters = [kept_table(deal=None, seed=seed).table.turn for seed in range(40)]
    assert 10 < starters.count(0) < 30


def test_no_two_rounds_have_the_same_deal_or_the_same_salt() -> None:
    tables = [game_of(seed).table for seed in range(5)]
    deals = [played.deal for table in tables for played in table.game.rounds]
    salts = [salt for table in tables for salt in table.salts]
    assert len(set(deals)) == len(deals) == len(salts) == len(set(salts))


@pytest.mark.parametrize(("herds", "seen"), [("open", 0), ("hidden", None)])
def test_herds_lie_as_the_options_say(herds: Herds, seen: int | None) -> None:
    told = latest_message(kept_table(options=TableOptions(herds=herds)).table, 0).table.view
    assert told is not None
    assert (told.herd, told.own.herd, told.other.herd) == (1, 1, seen)


def test_every_legal_move_that_is_told_is_accepted() -> None:
    kept = kept_table(deal=None)
    for _ in range(30):
        told = latest_message(kept.table, kept.table.turn).table
        assert told.turn is not None
        for move in told.moves:
            assert kept.table.play(told.turn, move, told.version) == [Played(told.turn, move)]
        kept.play(kept.rng.choice(told.moves))
        kept.advance()


def test_legal_moves_are_told_to_whoever_is_to_move_and_to_nobody_else() -> None:
    kept = kept_table()
    assert latest_message(kept.table, 0).table.moves == [
        str(m) for m in kept.table.game.legal_moves()
    ]
    assert (
        latest_message(kept.table, 1).table.moves
        == latest_message(kept.table, None).table.moves
        == []
    )
    kept.happen(kept.table.resign(1))
    assert latest_message(kept.table, 0).table.moves == []


def test_a_message_tells_what_was_done_by_whom_and_what_was_seen() -> None:
    kept = kept_table()
    kept.play("+GS-LM", "+M", "-DD")
    told = latest_message(kept.table, 1)
    assert (told.version, told.kind, told.seat, told.move) == (5, "played", 0, "-DD")
    assert [type(happening).__name__ for happening in told.happenings] == ["Sold"]


def test_when_somebody_leaves_right_after_a_move_no_card_is_seen_moving_again() -> None:
    kept = kept_table()
    kept.play("+GS-LM")
    kept.happen(kept.table.leave(0))
    told = latest_message(kept.table, 1)
    assert (told.kind, told.seat, told.move, told.happenings) == ("left", 0, None, [])


def test_a_message_of_what_nobody_did_names_no_seat() -> None:
    told = latest_message(kept_table().table, 0)
    assert (told.kind, told.seat, told.move, told.happenings) == ("dealt", None, None, [])
