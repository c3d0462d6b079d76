"""A pair: the same deals played twice, the second time with swapped seats, as single rounds or as whole games.

A worker process plays one pair at a time. Every pair has its own random number generators. Therefore its result depends
only on the seed and the number of the pair, and not on other pairs or on the process that plays it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from jaipur.arena.play import ThinkingTime, play_rounds
from jaipur.notation import record_of, write_record
from jaipur.players import NO_BUDGET, Budget, Player
from jaipur.players.external.process import Bot, Forfeit
from jaipur.rules import Game, IllegalMove, Seat


@dataclass(frozen=True, slots=True)
class ArenaOutcome:
    """The result of one round or one game, from the point of view of the first player."""

    score: float
    """1 if the first player won, 0 if the first player lost, 0.5 if nobody won."""
    lead: int | None
    """The lead over the second player in rupees, summed over all rounds. None after a forfeit."""
    started: bool
    """Whether the first player made the first move."""
    ended: str
    """How the last round ended: a word as in records, or `forfeit`."""
    forfeit: tuple[int, str] | None = None
    """The player that forfeited (0 for the first player, 1 for the second) and the reason."""

    @property
    def tied(self) -> bool:
        return self.score == 0.5 and self.ended != "abandoned"


@dataclass(frozen=True, slots=True)
class Pair:
    """The result of a pair: the outcomes of both rounds or games, and their records as lines of text."""

    match: int
    number: int
    outcomes: tuple[ArenaOutcome, ArenaOutcome]
    thinking: tuple[ThinkingTime, ThinkingTime]
    records: tuple[str, str]

    @property
    def score(self) -> float:
        return sum(outcome.score for outcome in self.outcomes) / 2


def play_pairs(
    players: Sequence[Player],
    names: tuple[str, str],
    pairs: int,
    seed: int = 0,
    budget: Budget = NO_BUDGET,
) -> Iterator[Pair]:
    """Play pairs of rounds in this process. The command `jaipur arena` gives the same pairs for the same seed."""
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
    """Play a round or, with `games`, a whole game twice with the same deals.

    The first player has seat 0 the first time and seat 1 the second time. The same seat starts the first round both
    times.
    """
    thinking = (ThinkingTime(), ThinkingTime())
    outcomes, records = [], []
    for first_seat in (0, 1):
        # `seats[seat]` is the player on a seat. A swap is its own inverse, so `seats[player]` is the seat of a player.
        seats = (first_seat, 1 - first_seat)
        rngs = [Random(f"{seed} pair {number} round {first_seat} seat {seat}") for seat in (0, 1)]
        deals = Random(f"{seed} pair {number} deal")
        by_seat = [players[player] for player in seats]
        clocks = [thinking[player] for player in seats]
        game = Game()
        forfeit: tuple[Seat, Forfeit] | None = None
        try:
            play_rounds(game, deals, by_seat, rngs, budget, clocks, whole_game=games)
        except Forfeit as error:
            forfeit = game.rounds[-1].position.turn, error
        except IllegalMove as error:
            forfeit = game.rounds[-1].position.turn, Forfeit("illegal", str(error))
        for player in players:
            # Start a new process for the second time. Otherwise a bot with a memory would recognise the deal.
            if isinstance(player, Bot):
                player.close()
        outcomes.append(_outcome(game, first_seat, forfeit, games=games))
        record = record_of(game, (names[seats[0]], names[seats[1]]), {"pair": number})
        if forfeit is not None:
            loser, cause = forfeit
            details = {"seat": loser, "reason": cause.reason, "told": str(cause)}
            record.rounds[-1].extra["forfeit"] = details
        records.append(write_record(record))
    return Pair(
        match,
        number,
        (outcomes[0], outcomes[1]),
        (thinking[0], thinking[1]),
        (records[0], records[1]),
    )


def _outcome(
    game: Game, first_seat: Seat, forfeit: tuple[Seat, Forfeit] | None, *, games: bool
) -> ArenaOutcome:
    started = game.rounds[0].deal.starts == first_seat
    if forfeit is not None:
        loser = int(forfeit[0] != first_seat)
        return ArenaOutcome(float(loser), None, started, "forfeit", (loser, forfeit[1].reason))
    results = [played.result for played in game.rounds if played.result is not None]
    winner = game.winner if games else results[-1].seal
    score = 0.5 if winner is None else float(winner == first_seat)
    lead = sum(each.rupees[first_seat] - each.rupees[1 - first_seat] for each in results)
    return ArenaOutcome(score, lead, started, results[-1].ended)
