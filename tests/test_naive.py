"""The engine and the naive engine play the same rounds: moves, positions, scores and winners must be equal.

Half of the rounds choose uniformly among all moves, which are mostly exchanges. The others choose the kind of move
first, so that rounds end in every possible way.
"""

from random import Random

import pytest

from jaipur.rules import Deal, Game, Move, Position, new_round
from jaipur.rules.cards import LETTERS, cards_in, letters_of
from jaipur.rules.endings import ENDINGS
from jaipur.rules.scoring import camel_token, round_winner, rupees, somebody
from jaipur.rules.tokens import GOODS_TOKENS, bonus_values
from jaipur.rules.turn import carry_out
from naive import NaiveGame, NaiveRound, ordered


def naive_deal(deal: Deal) -> tuple[str, dict[str, tuple[int, ...]], int]:
    bonus = dict(zip("345", deal.bonus, strict=True))
    return "".join(LETTERS[card] for card in deal.pack), bonus, deal.starts


def pick(moves: list[Move], evenly: bool, rng: Random) -> Move:
    if evenly:
        return rng.choice(moves)
    kinds = sorted({(not move.taken, not move.given) for move in moves})
    kind = rng.choice(kinds)
    return rng.choice([move for move in moves if (not move.taken, not move.given) == kind])


def table_of(position: Position) -> list[object]:
    """The position in the terms of the naive engine; the order of cards in a pile is ignored."""
    return [
        position.turn,
        ENDINGS[position.ended],
        letters_of(position.market),
        [letters_of(position.hand(seat)) for seat in (0, 1)],
        [position.herd(seat) for seat in (0, 1)],
        [LETTERS[card] for card in position.deck_left()],
        letters_of(position.discard),
        [
            list(pile[taken:])
            for pile, taken in zip(GOODS_TOKENS, position.tokens_taken, strict=True)
        ],
        [position.bonus_left(pile) for pile in range(3)],
        position.rupees,
        [sum(1 for _ in cards_in(tokens)) for tokens in position.goods_tokens],
        [list(bonus_values(bonuses)) for bonuses in position.bonuses],
        [rupees(position, 0), rupees(position, 1)],
        somebody(camel_token(position)),
        somebody(round_winner(position)),
    ]


def naive_table_of(naive: NaiveRound) -> list[object]:
    return [
        naive.turn,
        naive.ended,
        ordered(naive.market),
        [ordered(hand) for hand in naive.hands],
        naive.herds,
        naive.deck,
        ordered(naive.discard),
        list(naive.tokens.values()),
        list(naive.bonus.values()),
        [sum(won) for won in naive.goods_won],
        [len(won) for won in naive.goods_won],
        [sorted(won) for won in naive.bonus_won],
        naive.rupees(),
        naive.camel_token(),
        naive.winner(),
    ]


def play_side_by_side(deal: Deal, rng: Random) -> Position:
    """Play one round on both engines and compare them at every step."""
    position, naive = new_round(deal), NaiveRound(*naive_deal(deal))
    evenly = rng.random() < 0.5
    moves = position.legal_moves()
    while moves:
        assert table_of(position) == naive_table_of(naive)
        assert sorted(map(str, moves)) == sorted(naive.legal_moves())
        chosen = pick(moves, evenly, rng)
        carry_out(position, chosen.code)
        naive.make(str(chosen))
        if naive.discard:
            assert LETTERS[position.discard_top] == naive.discard[-1]
        moves = position.legal_moves()
    assert table_of(position) == naive_table_of(naive)
    assert position.ended
    assert naive.legal_moves() == set()
    return position


def play_many(seed: int, rounds: int) -> None:
    rng = Random(seed)
    endings = {play_side_by_side(Deal.shuffled(rng), rng).ended for _ in range(rounds)}
    assert {ENDINGS[ended] for ended in endings} == {"goods", "deck"}


@pytest.mark.parametrize("chunk", range(10))
def test_2000_rounds_match_the_naive_engine(chunk: int) -> None:
    play_many(chunk, 200)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10, 50))
def test_40000_more_rounds_match_the_naive_engine(chunk: int) -> None:
    play_many(chunk, 1000)


def play_game(rng: Random) -> Game:
    """Play one game on both engines and compare them after every round."""
    game, naive = Game(), NaiveGame()
    while game.winner is None:
        starter = game.next_starter()
        assert starter == naive.next_starts
        deal = Deal.shuffled(rng, starter)
        game.start(deal)
        naive_round = naive.start(*naive_deal(deal))
        while moves := game.legal_moves():
            chosen = pick(moves, False, rng)
            game.play(chosen)
            naive_round.make(str(chosen))
        result = game.rounds[-1].result
        assert result is not None
        assert (result.ended, list(result.rupees)) == (naive_round.ended, naive_round.rupees())
        assert result.seal == naive.finish()
        assert (list(game.seals), game.winner) == (naive.seals, naive.winner)
    return game


def test_100_games_match_the_naive_engine() -> None:
    rng = Random(0)
    games = [play_game(rng) for _ in range(100)]
    assert {game.winner for game in games} == {0, 1}
    assert {len(game.rounds) for game in games} >= {2, 3}
