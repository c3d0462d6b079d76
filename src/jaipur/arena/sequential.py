"""A sequential test: does the first player win more than a given share of the rounds?

The method is testing by betting (Waudby-Smith and Ramdas 2024). One bettor bets on "yes" before every pair, another
bettor bets on "no". The expected gain of a bettor who is wrong is zero or negative. By Ville's inequality, the
probability that such a bettor ever reaches twenty times the initial capital is at most 1/20. The test may therefore be
checked after every pair. A sequential probability ratio test would also need a second share and the variance of pairs.
"""

from dataclasses import dataclass
from typing import Literal

Answer = Literal["yes", "no", "open"]

ERROR = 0.05
"""The maximum probability of a wrong "yes", and also of a wrong "no"."""

# Each bettor divides the capital equally among several stakes. A stake is the fraction of the capital that is bet.
# Small stakes detect small differences. Large stakes detect large differences quickly.
_STAKES = tuple(0.5**halvings for halvings in range(1, 8))
_GOAL = len(_STAKES) / ERROR


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """The answer, and the number of pairs that the test has used."""

    answer: Answer
    pairs: int


class SequentialTest:
    """Keeps the capital of both bettors and updates it after each pair."""

    def __init__(self, share: float) -> None:
        self.result = SequentialResult("open", 0)
        self._share = share
        self._above = [1.0] * len(_STAKES)
        self._below = [1.0] * len(_STAKES)

    def update(self, score: float) -> Answer:
        """Add the first player's share of one more pair, and return the answer. A "yes" or "no" never changes."""
        if self.result.answer != "open":
            return self.result.answer
        # The gain is scaled so that a bettor loses at most the stake: "above" at score 0, "below" at score 1.
        share = self._share
        self._above = _bet(self._above, (score - share) / share)
        self._below = _bet(self._below, (share - score) / (1 - share))
        answer: Answer = "open"
        if sum(self._above) >= _GOAL:
            answer = "yes"
        elif sum(self._below) >= _GOAL:
            answer = "no"
        self.result = SequentialResult(answer, self.result.pairs + 1)
        return answer


def _bet(capital: list[float], gain: float) -> list[float]:
    return [money * (1 + stake * gain) for money, stake in zip(capital, _STAKES, strict=True)]
