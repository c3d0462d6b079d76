"""A series: every player against every other, pair by pair, over all cores; stopped and gone on with at will.

With iterations or no budget, the same plan gives the same pairs whatever the number of processes and interruptions.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import combinations

from jaipur import __version__
from jaipur.arena.journal import Journal
from jaipur.arena.pairs import Pair, play_pair
from jaipur.arena.sequential import ERROR, ShareTest, Verdict
from jaipur.arena.workers import as_finished
from jaipur.players import NO_BUDGET, Budget, Player, player_named
from jaipur.players.external.process import LIMIT, Bot


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what is played."""

    players: tuple[str, ...]
    pairs: int
    """A match; with `until`, at most."""
    seed: int = 0
    budget: Budget = NO_BUDGET
    until: float | None = None
    """A share: stop once it is known whether the first of two players takes more than that."""
    limit: float = LIMIT
    """Seconds that a bot has for a move where the budget gives none."""
    games: bool = False
    """Whether whole games are played rather than single rounds."""

    @property
    def unit(self) -> str:
        return "game" if self.games else "round"

    @property
    def matches(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.players)), 2))

    def labels(self) -> list[str]:
        """The names of the players, numbered where one stands twice."""
        met = [self.players[: place + 1].count(name) for place, name in enumerate(self.players)]
        return [
            name if times == 1 else f"{name} ({times})"
            for name, times in zip(self.players, met, strict=True)
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


@dataclass(frozen=True, slots=True)
class Task:
    """A pair that is to be played."""

    plan: Plan
    match: int
    number: int


def play(plan: Plan, journal: Journal, jobs: int, advance: Callable[[int], None]) -> None:
    """Play what the journal does not have yet; `advance` is told of each pair, and first of those there are."""
    question = Question(plan)
    advance(len(journal.pairs))
    if question.answered(journal):
        return
    try:
        with closing(as_finished(play_task, _missing(plan, journal), jobs)) as finished:
            for pair in finished:
                journal.append(pair)
                advance(1)
                if question.answered(journal):
                    break
    finally:
        _close_players()


def play_task(task: Task) -> Pair:
    plan = task.plan
    first, second = (plan.players[place] for place in plan.matches[task.match])
    players = [_player(name, chair, plan.limit) for chair, name in enumerate((first, second))]
    return play_pair(
        players,
        (first, second),
        plan.seed,
        task.number,
        plan.budget,
        task.match,
        games=plan.games,
    )


class Question:
    """The sequential test over the pairs in their order, as far as there is no gap: no matter which finished first."""

    def __init__(self, plan: Plan) -> None:
        self._pairs = plan.pairs
        self._test = None if plan.until is None else ShareTest(plan.until)

    def answered(self, journal: Journal) -> bool:
        """Whether there is an answer; where nothing was asked there never is."""
        test = self._test
        if test is None:
            return False
        while test.verdict.answer == "open":
            pair = journal.pairs.get((0, test.verdict.pairs))
            if pair is None:
                return False
            test.feed(pair.score)
        return True

    def verdict(self, journal: Journal) -> Verdict | None:
        self.answered(journal)
        return None if self._test is None else self._test.verdict

    def pairs(self, journal: Journal) -> int:
        """How many pairs of each match make the result: those that finished after the answer do not."""
        verdict = self.verdict(journal)
        return self._pairs if verdict is None else verdict.pairs


def _missing(plan: Plan, journal: Journal) -> Iterator[Task]:
    """Pair by pair through all matches, so that none is ahead of the others."""
    for number in range(plan.pairs):
        for match in range(len(plan.matches)):
            if (match, number) not in journal.pairs:
                yield Task(plan, match, number)


_players: dict[tuple[str, int, float], Player] = {}
"""Those of this process, one a chair, kept for all their rounds: loading a player may take longer than a round."""


def _player(name: str, chair: int, limit: float) -> Player:
    key = (name, chair, limit)
    if key not in _players:
        player = _players[key] = player_named(name)
        if isinstance(player, Bot):
            player.limit = limit
    return _players[key]


def _close_players() -> None:
    while _players:
        _players.popitem()[1].close()
