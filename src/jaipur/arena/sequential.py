"""A sequential test: does the first player take more than such a share of the rounds? It stops once that is answered.

Testing by betting (Waudby-Smith and Ramdas 2024). A gambler bets on “yes” with every pair, another on “no”, at odds
that are fair or worse if they are wrong. Then one's capital ever grows twentyfold with a chance of 1 in 20 at most,
however often one looks (Ville's inequality); when it does, that is the answer. A probability ratio test would need a
second share to tell from the first, and the variance of pairs; this needs neither, and holds for few pairs as for many.
"""

from dataclasses import dataclass
from typing import Literal

Answer = Literal["yes", "no", "open"]

ERROR = 0.05
"""At most this share of tests says “yes” where it is not so, and at most this share “no” where it is."""

# Small stakes win surely where the difference is small, large ones quickly where it is large. Capital is split evenly
# among them and never moved, which costs little and needs no guess.
_STAKES = tuple(0.5**halvings for halvings in range(1, 8))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, and after how many pairs it was found; all of them where it stays open."""

    answer: Answer
    pairs: int


class ShareTest:
    """The two gamblers and their capital, pair after pair."""

    def __init__(self, share: float) -> None:
        self.verdict = Verdict("open", 0)
        self._share = share
        self._above = [1.0] * len(_STAKES)
        self._below = [1.0] * len(_STAKES)

    def feed(self, score: float) -> Answer:
        """Look at the first player's share of one more pair; an answer once given stays."""
        if self.verdict.answer != "open":
            return self.verdict.answer
        # The most a pair can lose is the stake: at score 0 above, at score 1 below.
        share = self._share
        self._above = _bet(self._above, (score - share) / share)
        self._below = _bet(self._below, (share - score) / (1 - share))
        answer: Answer = "open"
        if sum(self._above) >= _GOAL:
            answer = "yes"
        elif sum(self._below) >= _GOAL:
            answer = "no"
        self.verdict = Verdict(answer, self.verdict.pairs + 1)
        return answer


def _bet(capital: list[float], gain: float) -> list[float]:
    return [money * (1 + stake * gain) for money, stake in zip(capital, _STAKES, strict=True)]


_GOAL = len(_STAKES) / ERROR
