"""Rare cases of the rules, each with a predicate on a turn, a position or a game.

`python tests/oddities.py FILE` searches random games for one of each and writes them: the source of the golden games.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from jaipur.notation import record_of, write_record
from jaipur.rules import Deal, Game, Move, Position, Round, new_round
from jaipur.rules.cards import CAMEL_SHIFT, DECK_SIZE, cards_in, size
from jaipur.rules.scoring import rupees, tokens_held
from jaipur.rules.tokens import BONUS_SIZES, PILE_SIZES


@dataclass(frozen=True)
class Turn:
    """One move with the position before and after it."""

    before: Position
    move: Move
    after: Position

    @property
    def sold(self) -> int:
        return 0 if self.move.taken else size(self.move.given)

    @property
    def tokens(self) -> int:
        """The number of goods tokens that the move took."""
        return sum(self.after.tokens_taken) - sum(self.before.tokens_taken)

    @property
    def good(self) -> int:
        return next(cards_in(self.move.given))


def turns(played: Round) -> Iterator[Turn]:
    position = new_round(played.deal)
    for move in played.moves:
        before = position.copy()
        position.play(move)
        yield Turn(before, move, position.copy())


def _bonus_pile_empty(turn: Turn) -> bool:
    pile = min(turn.sold, 5) - 3
    return pile >= 0 and turn.before.bonus_taken[pile] == BONUS_SIZES[pile]


def _more_cards_than_tokens(turn: Turn) -> bool:
    return 0 < turn.tokens < turn.sold


def _sale_into_an_empty_pile(turn: Turn) -> bool:
    return turn.sold > 0 and turn.before.tokens_taken[turn.good] == PILE_SIZES[turn.good]


def _deck_emptied_exactly(turn: Turn) -> bool:
    return turn.before.drawn < turn.after.drawn == DECK_SIZE and not turn.after.ended


def _refill_falls_short(turn: Turn) -> bool:
    return turn.after.ended == 2 and turn.after.drawn > turn.before.drawn


def _exchange_at_seven(turn: Turn) -> bool:
    hand = turn.before.hand(turn.before.turn)
    return size(hand) == 7 and bool(turn.move.taken and turn.move.given)


def _tied(position: Position) -> bool:
    return bool(position.ended) and rupees(position, 0) == rupees(position, 1)


def _level(position: Position, tokens: str) -> bool:
    held = getattr(position, tokens)
    return tokens_held(held[0]) == tokens_held(held[1])


IN_A_TURN: dict[str, Callable[[Turn], bool]] = {
    "an empty bonus pile": _bonus_pile_empty,
    "more cards than tokens": _more_cards_than_tokens,
    "selling into an empty pile": _sale_into_an_empty_pile,
    "six cards sold": lambda turn: turn.sold == 6,
    "seven cards sold": lambda turn: turn.sold == 7,
    "a deck emptied exactly": _deck_emptied_exactly,
    "a refill that falls short": _refill_falls_short,
    "five camels in the market": lambda turn: turn.after.market >> CAMEL_SHIFT == 5,
    "an exchange at seven cards": _exchange_at_seven,
}
AT_THE_END: dict[str, Callable[[Position], bool]] = {
    "a tie broken by bonus tokens": lambda end: _tied(end) and not _level(end, "bonuses"),
    "a tie broken by goods tokens": lambda end: (
        _tied(end) and _level(end, "bonuses") and not _level(end, "goods_tokens")
    ),
    "a wholly tied round": lambda end: (
        _tied(end) and _level(end, "bonuses") and _level(end, "goods_tokens")
    ),
    "equal herds": lambda end: bool(end.ended) and end.herd(0) == end.herd(1),
}
OF_A_GAME: dict[str, Callable[[Game], bool]] = {
    "a game of two rounds": lambda game: len(game.rounds) == 2,
    "a game of three rounds": lambda game: len(game.rounds) == 3,
    "a game of four rounds": lambda game: len(game.rounds) > 3,
}


def oddities(game: Game) -> set[str]:
    """The names of all rare cases that occur in a game."""
    shown = {name for name, shows in OF_A_GAME.items() if game.winner is not None and shows(game)}
    for played in game.rounds:
        shown |= {name for name, shows in AT_THE_END.items() if shows(played.position)}
        for turn in turns(played):
            shown |= {name for name, shows in IN_A_TURN.items() if shows(turn)}
    return shown


def _hoard(moves: list[Move], rng: Random) -> Move:
    """Mostly hold cards until many can be sold, so that large sales and full hands occur."""
    large = [move for move in moves if move.taken or size(move.given) >= 5]
    chosen = large if large and rng.random() < 0.97 else moves
    best = [move for move in chosen if not move.taken and size(move.given) >= 6]
    return (best or chosen)[int(rng.random() * len(best or chosen))]


def _uniform(moves: list[Move], rng: Random) -> Move:
    return moves[int(rng.random() * len(moves))]


def _game(rng: Random, choose: Callable[[list[Move], Random], Move]) -> Game:
    game = Game()
    while game.winner is None:
        running = game.start(Deal.shuffled(rng, game.next_starter()))
        while moves := running.position.legal_moves():
            game.play(choose(moves, rng))
    return game


def main() -> None:
    wanted = {*IN_A_TURN, *AT_THE_END, *OF_A_GAME}
    rng = Random(2026)
    with Path(sys.argv[1]).open("w") as file:
        while wanted:
            game = _game(rng, _hoard if rng.random() < 0.3 else _uniform)
            if shown := wanted & oddities(game):
                wanted -= shown
                extra: dict[str, object] = {"shows": sorted(shown)}
                file.write(write_record(record_of(game, ("golden", "golden"), extra)) + "\n")
                print(sorted(shown), "left:", len(wanted))


if __name__ == "__main__":
    main()
