"""A sequential test: does the first player win more than a given share of the rounds?

Testing by betting (Waudby-Smith and Ramdas 2024). One bettor bets on "yes" with every pair, another bettor on "no". The
expected gain of a wrong bettor is zero or negative. By Ville's inequality, the capital of a wrong bettor reaches twenty
times its start with a probability of at most 1/20, however often the test is checked. A sequential probability ratio
test would also need a second share and the variance of pairs.
"""

from dataclasses import dataclass
from typing import Literal

Answer = Literal["yes", "no", "open"]

ERROR = 0.05
"""The maximum probability of a wrong "yes", and also of a wrong "no"."""

# Small stakes detect small differences; large stakes detect large differences quickly. All start with equal capital.
_STAKES = tuple(0.5**halvings for halvings in range(1, 8))
_GOAL = len(_STAKES) / ERROR


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """The answer and the number of pairs that were needed, or all pairs if there is no answer yet."""

    answer: Answer
    pairs: int


class SequentialTest:
    """The capital of both bettors, updated after each pair."""

    def __init__(self, share: float) -> None:
        self.result = SequentialResult("open", 0)
        self._share = share
        self._above = [1.0] * len(_STAKES)
        self._below = [1.0] * len(_STAKES)

    def update(self, score: float) -> Answer:
        """Add the first player's share of one more pair. After the first answer, the answer never changes."""
        if self.result.answer != "open":
            return self.result.answer
        # A pair loses at most the stake: "above" at score 0, "below" at score 1.
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
