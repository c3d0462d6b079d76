"""Simulation of many games between two players. The same seed gives the same games with any number of processes."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache

from jaipur.arena.play import play_game
from jaipur.arena.process_pool import map_ordered
from jaipur.notation import record_of, write_record
from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Game

_BATCH_SIZE = 20  # games
_loaded_player = cache(player_named)


@dataclass(frozen=True, slots=True)
class GameBatch:
    """A task for a worker process: consecutive games of a simulation."""

    players: tuple[str, str]
    seed: int
    first: int
    games: int
    keep: bool
    """Whether to return the records."""
    play: "PlayBatch"


PlayBatch = Callable[[GameBatch], Iterator[Game]]
"""A function that plays the games of a batch: `play_with_players`, or a faster function for random players."""


@dataclass(slots=True)
class Summary:
    """Counts of results over many games."""

    games: int = 0
    won: Counter[int | None] = field(default_factory=Counter)
    seals: Counter[int | None] = field(default_factory=Counter)
    rupees: Counter[int] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    starter_seals: int = 0

    def add(self, game: Game) -> None:
        self.games += 1
        self.won[game.winner] += 1
        for played in game.rounds:
            ended = played.result
            if ended is not None:
                self.seals[ended.seal] += 1
                self.ends[ended.ended] += 1
                self.lengths[len(played.moves)] += 1
                self.starter_seals += ended.seal == played.deal.starts
                self.rupees.update({0: ended.rupees[0], 1: ended.rupees[1]})

    def merge(self, other: "Summary") -> None:
        for counter in fields(self):
            mine, theirs = getattr(self, counter.name), getattr(other, counter.name)
            setattr(self, counter.name, mine + theirs)


@dataclass(frozen=True, slots=True)
class BatchResult:
    """The summary of a batch, and its records as lines if they were requested."""

    lines: list[str]
    summary: Summary


def play_with_players(batch: GameBatch) -> Iterator[Game]:
    """Play the games of a batch. The players choose every move."""
    players = [_loaded_player(name) for name in batch.players]
    for number in range(batch.first, batch.first + batch.games):
        yield play_game(players, f"{batch.seed} {number}", NO_BUDGET)


def simulate(
    players: tuple[str, str],
    games: int,
    seed: int,
    jobs: int,
    keep: bool,
    play: PlayBatch = play_with_players,
) -> Iterator[BatchResult]:
    """Play games and yield the results of each batch, in order."""
    for name in players:
        player_named(name).close()
    batches = (
        GameBatch(players, seed, first, min(_BATCH_SIZE, games - first), keep, play)
        for first in range(0, games, _BATCH_SIZE)
    )
    return map_ordered(play_batch, batches, jobs)


def play_batch(batch: GameBatch) -> BatchResult:
    result = BatchResult([], Summary())
    for game in batch.play(batch):
        result.summary.add(game)
        if batch.keep:
            result.lines.append(write_record(record_of(game, batch.players)) + "\n")
    return result
