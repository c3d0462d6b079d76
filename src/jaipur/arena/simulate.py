"""Simulating many games between two players: the same seed gives the same games, whatever the number of jobs."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from jaipur.arena.play import play_game
from jaipur.arena.workers import spread
from jaipur.notation import record_of, write_record
from jaipur.players import NO_BUDGET, Player, player_named
from jaipur.rules import Game

_GAMES_A_TASK = 20


@dataclass(frozen=True, slots=True)
class Task:
    """Some of the games of a simulation."""

    players: tuple[str, str]
    seed: int
    first: int
    games: int
    keep: bool
    """Whether the records are wanted."""
    play: "Play"


Play = Callable[[Task], Iterator[Game]]
"""How the games of a task are played. Players play them; the lab has a faster way for some."""


@dataclass(slots=True)
class Summary:
    """What many games came to, by seat and by end."""

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
        self.games += other.games
        self.won += other.won
        self.seals += other.seals
        self.rupees += other.rupees
        self.ends += other.ends
        self.lengths += other.lengths
        self.starter_seals += other.starter_seals


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a task: its records as lines, where they are wanted, and their summary."""

    lines: list[str]
    summary: Summary


def ask_players(task: Task) -> Iterator[Game]:
    """Let the players choose every move."""
    players = [_player(name) for name in task.players]
    for number in range(task.first, task.first + task.games):
        yield play_game(players, f"{task.seed} {number}", NO_BUDGET)


def simulate(
    players: tuple[str, str],
    games: int,
    seed: int,
    jobs: int,
    keep: bool,
    play: Play = ask_players,
) -> Iterator[Played]:
    """Play games; what came of them arrives a few at a time and in order."""
    for name in players:
        player_named(name).close()
    tasks = (
        Task(players, seed, first, min(_GAMES_A_TASK, games - first), keep, play)
        for first in range(0, games, _GAMES_A_TASK)
    )
    return spread(play_games, tasks, jobs)


def play_games(task: Task) -> Played:
    played = Played([], Summary())
    for game in task.play(task):
        played.summary.add(game)
        if task.keep:
            played.lines.append(write_record(record_of(game, task.players)) + "\n")
    return played


@cache
def _player(name: str) -> Player:
    return player_named(name)
