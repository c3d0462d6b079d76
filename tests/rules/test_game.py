"""A game: rounds until a trader has two seals, their starters, and wrong deals."""

import pytest

from jaipur.rules import MOVE_LIMIT, Game, IllegalMove, Result, Seat, WrongDeal, new_round
from jaipur.rules.game import EXCHANGE_LIMIT
from tables import dealt, move, table


def start_round(game: Game, starts: Seat, drawing: str) -> None:
    """Deal the next round and put the drawn table in place of its first position."""
    game.rounds[-1] = game.start(dealt("", starts))._replace(position=table(drawing))


def play_round(game: Game, winner: Seat | None) -> None:
    """Deal the next round, draw it one move before its end, and play that move."""
    starts = game.next_starter() or 0
    drawing = f"""
          market  D G L L M
        > seat {starts}
          seat {winner or 0}  rupees {0 if winner is None else 10}
    """
    start_round(game, starts, drawing)
    game.play(move("+D"))


def game_won_by(*winners: Seat | None) -> Game:
    game = Game()
    for winner in winners:
        play_round(game, winner)
    return game


def test_the_winner_of_a_round_takes_a_seal() -> None:
    assert game_won_by(1).seals == (0, 1)
    assert game_won_by(1, 0).seals == (1, 1)


def test_the_first_trader_with_two_seals_wins_the_game() -> None:
    assert game_won_by(1, 0).winner is None
    assert game_won_by(1, 0, 0).winner == 0
    assert game_won_by(1, 1).winner == 1


def test_no_game_needs_more_than_three_seals() -> None:
    game = game_won_by(0, 1, 1)
    assert sum(game.seals) == 3
    with pytest.raises(WrongDeal, match="The game is over"):
        game.start(dealt("", 0))


def test_a_new_round_has_the_same_set_up() -> None:
    game = game_won_by(1)
    assert game.running is None
    deal = dealt("LLLLL GGGGG DD", starts=0)
    assert game.start(deal).position == new_round(deal)
    assert game.running is game.rounds[1]


def test_either_trader_may_start_the_first_round_as_the_deal_says() -> None:
    assert Game().next_starter() is None
    for starts in (0, 1):
        assert Game().start(dealt("", starts)).position.turn == starts


def test_the_loser_of_a_round_starts_the_next() -> None:
    assert game_won_by(1).next_starter() == 0
    assert game_won_by(1, 0).next_starter() == 1


def test_a_deal_with_the_wrong_starter_is_refused() -> None:
    game = game_won_by(1)
    with pytest.raises(WrongDeal, match="Seat 0 starts this round, not seat 1"):
        game.start(dealt("", 1))


def test_a_tied_round_gives_no_seal_and_is_played_again() -> None:
    game = game_won_by(None)
    assert game.seals == (0, 0)
    assert game.winner is None
    play_round(game, 0)
    assert game.seals == (1, 0)


def test_after_a_tied_round_the_other_trader_starts_since_nobody_lost() -> None:
    game = game_won_by(None)
    assert game.rounds[0].deal.starts == 0
    assert game.next_starter() == 1
    play_round(game, None)
    assert game.next_starter() == 0


def test_one_round_is_played_at_a_time() -> None:
    game = Game()
    game.start(dealt(""))
    with pytest.raises(WrongDeal, match="The last round is still running"):
        game.start(dealt("", 1))


def test_playing_and_viewing_need_a_deal() -> None:
    game = Game()
    assert game.legal_moves() == []
    for attempt in (lambda: game.play(move("+D")), lambda: game.view(0)):
        with pytest.raises(WrongDeal, match="No round has been dealt yet"):
            attempt()


def test_a_game_stores_the_legal_moves_of_each_round() -> None:
    game = Game()
    game.start(dealt("LLPPC GGGSS DC"))
    game.play(move("+D"))
    with pytest.raises(IllegalMove, match="The market has no leather"):
        game.play(move("+L"))
    assert move("-GGG") in game.legal_moves()
    game.play(move("-GGG"))
    assert [str(turn) for turn in game.rounds[0].moves] == ["+D", "-GGG"]


def test_there_are_no_legal_moves_between_two_rounds() -> None:
    game = game_won_by(0)
    assert game.legal_moves() == []
    with pytest.raises(IllegalMove, match="The round is over"):
        game.play(move("+G"))


def test_a_round_is_abandoned_as_a_draw_and_people_have_no_limit() -> None:
    assert MOVE_LIMIT == 500
    game = Game()
    # The move limit of simulations does not end a round by itself.
    drawing = """
          round   moves 501
          market  D G L L M
        > seat 0  hand C C | rupees 30
    """
    start_round(game, 0, drawing)
    assert move("+DG-CC") in game.legal_moves()
    game.abandon()
    result = game.rounds[0].result
    assert result is not None
    assert (result.ended, result.seal, game.seals) == ("abandoned", None, (0, 0))
    assert game.next_starter() == 1


def test_a_finished_round_is_not_abandoned() -> None:
    game = game_won_by(0)
    game.abandon()
    assert game.seals == (1, 0)


def exchange(game: Game, times: int) -> None:
    """Exchange without end: after every three turns the same cards are in the market again."""
    for n in range(times):
        game.play(move(("+PL-DD", "+DD-GG", "+GG-PL")[n % 3]))


def only_exchanging(first: str = "DDLCC GGSPM LP") -> Game:
    game = Game()
    game.start(dealt(first))
    return game


def test_a_live_round_ends_after_fifty_exchanges_in_a_row() -> None:
    assert EXCHANGE_LIMIT == 50
    game = only_exchanging()
    exchange(game, 49)
    assert game.rounds[0].exchanges_left == 1
    with pytest.raises(AssertionError):
        game.stop()
    exchange(game_at := only_exchanging(), 50)
    assert game_at.rounds[0].exchanges_left == 0
    assert game_at.running is not None, "a position has no limit; the live game calls stop"
    game_at.stop()
    assert game_at.running is None


def test_a_round_that_exchanges_end_is_scored_as_any_other() -> None:
    game = only_exchanging()
    exchange(game, 50)
    game.stop()
    # Seat 1 has the only camel.
    assert game.rounds[0].result == Result("exchanges", 1, (0, 5), 1)
    assert (game.seals, game.next_starter()) == ((0, 1), 0)


@pytest.mark.parametrize("other", ["+P", "+M", "-L"])
def test_a_take_or_a_sale_starts_the_count_of_exchanges_again(other: str) -> None:
    game = only_exchanging()
    exchange(game, 48)
    game.play(other)
    assert game.rounds[0].exchanges_left == 50


def test_a_finished_round_is_not_stopped() -> None:
    game = game_won_by(0)
    game.stop()
    assert game.rounds[0].result is not None
    assert game.rounds[0].result.ended == "deck"


def test_a_view_has_the_seals_from_before_the_round() -> None:
    game = game_won_by(1)
    assert (game.view(0).own.seals, game.view(0).other.seals) == (0, 0)
    game.start(dealt("", 0))
    assert (game.view(0).own.seals, game.view(0).other.seals) == (0, 1)
    assert (game.view(1).own.seals, game.view(1).other.seals) == (1, 0)


def test_herds_are_open_in_a_game_unless_it_hides_them() -> None:
    for game, herd in ((Game(), 1), (Game(herds="hidden"), None)):
        game.start(dealt("DDDDD GGGGM"))
        assert game.view(0).other.herd == herd
