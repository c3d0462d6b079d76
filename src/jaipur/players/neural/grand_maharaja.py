"""The player `grand-maharaja`: it compares the best moves of the maharaja by rollouts in sampled worlds.

All candidates are played out in the same worlds (common random numbers). A candidate that is clearly worse than the
best candidate is eliminated.
"""

import math
from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from jaipur.players.neural.afterstates import exact_outputs, expected_hidden
from jaipur.players.neural.network import HIDDEN, WIN, Network, bundled_network, sigmoid
from jaipur.players.neural.rollouts import Probabilities, Rollouts, shared_rollouts
from jaipur.players.player import Budget, BudgetMeter, Player
from jaipur.rules import Move, View, deal_unseen
from jaipur.rules.cards import GOODS, count

CANDIDATES = 8  # at most
CANDIDATE_MARGIN = 2.0
"""A move is a candidate only if its win logit is at most this much below the win logit of the best move."""
PLIES = ((16, 4), (128, 6), (math.inf, 10))
"""The length of the rollouts depends on the number of worlds so far: 4 plies below 16 worlds, 6 below 128, then 10.

Longer rollouts have a smaller bias but a higher variance. They therefore need more worlds.
"""
ROLLOUTS_PER_BATCH = 32
PRIOR_WORLDS = 16
"""The network's direct evaluation of a move counts as much as rollouts in this many worlds."""
CERTAIN_ODDS = 1000
"""The sampling weight of a good if we expect all its unseen cards in the opponent's hand."""
ELIMINATION_ERRORS = 3.0
"""A candidate is eliminated if it is more than this many standard errors below the best candidate."""
MIN_WORLDS = 32
"""No candidate is eliminated before this many worlds."""


class GrandMaharaja(Player):
    """Runs rollouts until one candidate is left or the budget is used up."""

    def __init__(self, network: Network, rollouts: Rollouts | None = None) -> None:
        self._network = network
        self._rollouts = rollouts

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        meter = BudgetMeter(budget)
        codes = [move.code for move in moves]
        outputs = exact_outputs(self._network, view, codes).astype(np.float64)
        logits = outputs[:, WIN]
        candidates = np.argsort(-logits, kind="stable")[:CANDIDATES]
        candidates = candidates[logits[candidates] >= logits[candidates[0]] - CANDIDATE_MARGIN]
        race = CandidateRace(sigmoid(logits[candidates]))
        position = deal_unseen(view, rng)
        odds = sampling_odds(view, outputs[candidates[0], HIDDEN:])
        # Use the same `Rollouts` for the whole move. Compiled and plain results differ by rounding and must not be
        # mixed.
        rollouts = self._rollouts or shared_rollouts(self._network).current
        while len(race.live) > 1 and meter.used() < 1:
            live = [codes[candidates[candidate]] for candidate in race.live]
            seeds = [rng.getrandbits(62) for _ in range(max(1, ROLLOUTS_PER_BATCH // len(live)))]
            plies = next(plies for worlds, plies in PLIES if race.worlds < worlds)
            race.add(rollouts.win_probabilities(position, live, seeds, plies, odds))
            meter.step(len(live) * len(seeds))
        return moves[int(candidates[race.leader()])]


def grand_maharaja() -> GrandMaharaja:
    return GrandMaharaja(bundled_network("maharaja"))


def sampling_odds(view: View, estimate: NDArray[np.float64]) -> tuple[int, ...]:
    """Return weights by kind for sampling the opponent's hidden cards. `estimate` is the output of the network."""
    unseen = [count(view.unseen(), good) for good in GOODS]
    hidden = expected_hidden(view, estimate)
    odds = [
        round(CERTAIN_ODDS * cards / left) if left else 1
        for cards, left in zip(hidden, unseen, strict=True)
    ]
    return (*(max(1, number) for number in odds), 0)


class CandidateRace:
    """Collects the win probabilities of the candidates in each world, and eliminates clearly worse candidates."""

    def __init__(self, priors: Probabilities) -> None:
        self._priors = priors
        self.live = np.arange(len(priors))
        """The indices of the candidates that are not eliminated."""
        self._results = np.zeros((0, len(priors)))

    def add(self, results: Probabilities) -> None:
        """Add results, then eliminate candidates. `results` has one row per world and one column per live candidate."""
        self._results = np.concatenate([self._results, results])
        if self.worlds < MIN_WORLDS:
            return
        means = self._means()
        behind = self._results[:, [int(means.argmax())]] - self._results
        error = (1 - self._prior_weight()) * behind.std(0) / np.sqrt(self.worlds)
        stays = means >= means.max() - ELIMINATION_ERRORS * error
        self.live, self._results = self.live[stays], self._results[:, stays]

    @property
    def worlds(self) -> int:
        return len(self._results)

    def leader(self) -> int:
        return int(self.live[int(self._means().argmax())])

    def _means(self) -> Probabilities:
        weight, priors = self._prior_weight(), self._priors[self.live]
        means: Probabilities = weight * priors
        if len(self._results):
            means = means + (1 - weight) * self._results.mean(0)
        return means

    def _prior_weight(self) -> float:
        return PRIOR_WORLDS / (PRIOR_WORLDS + self.worlds)
