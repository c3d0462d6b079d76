"""A pair: the same deals played twice, as single rounds or as games, with the players' seats swapped.

It is the unit of the arena.

Every pair has its own random streams, so what happens in it depends on the seed and its number alone: not on the other
pairs, nor on who plays them where.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from jaipur.arena.play import Thought, play_round, play_to_the_end
from jaipur.notation import Record, record_of, write_record
from jaipur.players import NO_BUDGET, Budget, Player
from jaipur.players.external.process import Bot, Forfeit
from jaipur.rules import Deal, Game, IllegalMove, Seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """One round, or one game, from the side of the first player."""

    score: float
    """1 won, 0 lost, a half for nobody."""
    lead: int | None
    """Rupees more than the second player, all rounds together; None where it was forfeited."""
    started: bool
    """Whether the first player made the first move of all."""
    ended: str
    """As the last round in records, or `forfeit`."""
    forfeit: tuple[int, str] | None = None
    """Which player forfeited it (0 the first, 1 the second) and why."""

    @property
    def tied(self) -> bool:
        return self.score == 0.5 and self.ended != "abandoned"


@dataclass(frozen=True, slots=True)
class Pair:
    """What came of a pair: two rounds or games, and the records of them as lines."""

    match: int
    number: int
    outcomes: tuple[Outcome, Outcome]
    thought: tuple[Thought, Thought]
    records: tuple[str, str]

    @property
    def score(self) -> float:
        """The first player's share of the two."""
        return sum(outcome.score for outcome in self.outcomes) / 2


def play_pairs(
    players: Sequence[Player],
    names: tuple[str, str],
    pairs: int,
    seed: int = 0,
    budget: Budget = NO_BUDGET,
) -> Iterator[Pair]:
    """Pairs of rounds between any two players, here and now; the arena gives the same for the same names and seed."""
    return (play_pair(players, names, seed, number, budget) for number in range(pairs))


def play_pair(
    players: Sequence[Player],
    names: tuple[str, str],
    seed: int,
    number: int,
    budget: Budget,
    match: int = 0,
    *,
    games: bool = False,
) -> Pair:
    """Play one deal, or deals until the game is won, twice: first with the first player on seat 0, then on seat 1.

    Who starts the first round stays."""
    thought = (Thought(), Thought())
    outcomes, records = [], []
    for first_seat in (0, 1):
        # Who sits where; swapping two is its own inverse, so this is also where who sits.
        seats = (first_seat, 1 - first_seat)
        rngs = [Random(f"{seed} pair {number} round {first_seat} seat {seat}") for seat in (0, 1)]
        deals = Random(f"{seed} pair {number} deal")
        by_seat = [players[who] for who in seats]
        game, forfeit = _play(
            deals, by_seat, rngs, budget, [thought[who] for who in seats], games=games
        )
        _forget(players)
        outcomes.append(_outcome(game, first_seat, forfeit, games=games))
        record = record_of(game, (names[seats[0]], names[seats[1]]), {"pair": number})
        records.append(write_record(_marked(record, forfeit)))
    return Pair(
        match,
        number,
        (outcomes[0], outcomes[1]),
        (thought[0], thought[1]),
        (records[0], records[1]),
    )


def _forget(players: Sequence[Player]) -> None:
    """A bot that could remember would know the cards when the deal comes again: it is started anew."""
    for player in players:
        if isinstance(player, Bot):
            player.close()


def _play(
    deals: Random,
    players: Sequence[Player],
    rngs: Sequence[Random],
    budget: Budget,
    thought: Sequence[Thought],
    *,
    games: bool,
) -> tuple[Game, tuple[Seat, Forfeit] | None]:
    """A round or a game, and who forfeited it; all sequences are by seat. What is forfeited stays as it was left."""
    game = Game()
    try:
        if games:
            play_to_the_end(game, deals, players, rngs, budget, thought)
        else:
            play_round(game, Deal.shuffled(deals), players, rngs, budget, thought)
    except Forfeit as forfeit:
        return game, (game.rounds[-1].position.turn, forfeit)
    except IllegalMove as error:
        return game, (game.rounds[-1].position.turn, Forfeit("illegal", str(error)))
    return game, None


def _outcome(
    game: Game, first_seat: Seat, forfeit: tuple[Seat, Forfeit] | None, *, games: bool
) -> Outcome:
    started = game.rounds[0].deal.starts == first_seat
    if forfeit is not None:
        loser = int(forfeit[0] != first_seat)
        return Outcome(float(loser), None, started, "forfeit", (loser, forfeit[1].reason))
    results = [played.result for played in game.rounds if played.result is not None]
    winner = game.winner if games else results[-1].seal
    score = 0.5 if winner is None else float(winner == first_seat)
    lead = sum(each.rupees[first_seat] - each.rupees[1 - first_seat] for each in results)
    return Outcome(score, lead, started, results[-1].ended)


def _marked(record: Record, forfeit: tuple[Seat, Forfeit] | None) -> Record:
    if forfeit is not None:
        seat, why = forfeit
        record.rounds[-1].extra["forfeit"] = {
            "seat": seat,
            "reason": why.reason,
            "told": str(why),
        }
    return record
