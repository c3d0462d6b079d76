"""A tournament: every player plays a match against every other player. Worker processes play the pairs of all matches.

A tournament can be interrupted and continued. If the budget has no time limit, the results do not depend on the number
of processes or on interruptions.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations

from jaipur import __version__
from jaipur.arena.pairs import Pair, play_pair
from jaipur.arena.process_pool import map_unordered
from jaipur.arena.results_log import Key, ResultsLog
from jaipur.arena.sequential import ERROR, SequentialResult, SequentialTest
from jaipur.players import NO_BUDGET, Budget, Player, player_named
from jaipur.players.external.process import MOVE_TIME_LIMIT, Bot


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that determines the games of a tournament."""

    players: tuple[str, ...]
    pairs: int
    """The number of pairs per match. With `until`, it is the maximum."""
    seed: int = 0
    budget: Budget = NO_BUDGET
    until: float | None = None
    """Stop when the sequential test has decided whether the first of two players wins more than this share."""
    limit: float = MOVE_TIME_LIMIT
    """The seconds per move that a bot has if the budget has no time limit."""
    games: bool = False
    """Play whole games instead of single rounds."""

    @property
    def unit(self) -> str:
        return "game" if self.games else "round"

    @property
    def matches(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.players)), 2))

    def labels(self) -> list[str]:
        """Return the names of the players. A repeated name gets a number."""
        counts = [self.players[: index + 1].count(name) for index, name in enumerate(self.players)]
        return [
            name if count == 1 else f"{name} ({count})"
            for name, count in zip(self.players, counts, strict=True)
        ]

    def as_data(self) -> dict[str, object]:
        return {
            "format": "jaipur-arena-1",
            "version": __version__,
            "players": list(self.players),
            "pairs": self.pairs,
            "seed": self.seed,
            "budget": asdict(self.budget),
            "until": self.until,
            "error": None if self.until is None else ERROR,
            "limit": self.limit,
            "unit": self.unit,
        }


def play_tournament(plan: Plan, log: ResultsLog, jobs: int, advance: Callable[[int], None]) -> None:
    """Play the pairs that are not in the log.

    The callback `advance` reports progress. It gets the number of stored pairs first, and then 1 for each new pair.
    """
    rule = StoppingRule(plan)
    advance(len(log.pairs))
    if rule.decided(log):
        return
    try:
        with closing(
            map_unordered(partial(play_task, plan), _missing(plan, log), jobs)
        ) as finished:
            for pair in finished:
                log.append(pair)
                advance(1)
                if rule.decided(log):
                    break
    finally:
        _close_players()


def play_task(plan: Plan, key: Key) -> Pair:
    match, number = key
    first, second = (plan.players[index] for index in plan.matches[match])
    players = [_player(name, side, plan.limit) for side, name in enumerate((first, second))]
    return play_pair(
        players, (first, second), plan.seed, number, plan.budget, match, games=plan.games
    )


class StoppingRule:
    """The sequential test of the option `--until`. It uses the pairs in the order of their numbers.

    Therefore the result does not depend on the order in which the pairs finish.
    """

    def __init__(self, plan: Plan) -> None:
        self._pairs = plan.pairs
        self._test = None if plan.until is None else SequentialTest(plan.until)

    def decided(self, log: ResultsLog) -> bool:
        """Return whether the test has an answer. Without `--until` the result is always false."""
        test = self._test
        if test is None:
            return False
        while test.result.answer == "open":
            pair = log.pairs.get((0, test.result.pairs))
            if pair is None:
                return False
            test.update(pair.score)
        return True

    def result(self, log: ResultsLog) -> SequentialResult | None:
        self.decided(log)
        return None if self._test is None else self._test.result

    def pairs(self, log: ResultsLog) -> int:
        """Return the number of pairs per match that count. Pairs after the test has decided do not count."""
        result = self.result(log)
        return self._pairs if result is None else result.pairs


def _missing(plan: Plan, log: ResultsLog) -> Iterator[Key]:
    """Yield the pairs that are not played yet: pair 0 of every match, then pair 1 of every match, and so on."""
    for number in range(plan.pairs):
        for match in range(len(plan.matches)):
            if (match, number) not in log.pairs:
                yield match, number


_players: dict[tuple[str, int, float], Player] = {}
"""The players that this process has loaded. Loading a player can take longer than playing a round."""


def _player(name: str, side: int, limit: float) -> Player:
    key = (name, side, limit)
    if key not in _players:
        player = _players[key] = player_named(name)
        if isinstance(player, Bot):
            player.limit = limit
    return _players[key]


def _close_players() -> None:
    while _players:
        _players.popitem()[1].close()
