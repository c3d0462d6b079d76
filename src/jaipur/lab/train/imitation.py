"""Imitation: a small network learns to say what a larger one says of the moves that it meets."""

from typing import Any, Literal

import jax
import jax.numpy as jnp

from jaipur.lab.train.config import Playing
from jaipur.lab.train.learner import Lesson
from jaipur.lab.train.lookout import Lookout, appraise
from jaipur.lab.train.selfplay import curious
from jaipur.players.network import HIDDEN, LEAD, LEAD_SCALE, WIN, Layers

Array = Any

MOVES_A_LANE = 4
"""Of a lane's moves so many are learnt from, drawn by chance; the good ones and the bad."""


class Imitation:
    """Lanes in which the teacher plays, a little curious, and is asked about moves it does not play as well."""

    def __init__(
        self, teacher: Layers, playing: Playing, device: Literal["cpu", "gpu"], seed: int
    ) -> None:
        self._teacher, self._playing = teacher, playing
        self._lookout = Lookout(playing.lanes, device, seed, goes_on=True)
        self._chance = jax.random.key(seed)

    def lesson(self, layers: Layers, temperature: float) -> tuple[Lesson, int]:  # noqa: ARG002
        """Play so many moves in every lane; what there is to learn, and how many rounds ended."""
        parts, rounds = [], 0
        for _ in range(self._playing.steps):
            self._chance, which, what = jax.random.split(self._chance, 3)
            look = self._lookout.look()
            said = appraise(self._teacher, look)
            count = MOVES_A_LANE * self._playing.lanes
            places = jax.random.randint(which, (count,), 0, look.moves)
            parts.append(_asked(look.columns, said, places))
            best = self._lookout.best(curious(jax.nn.sigmoid(said[WIN]), what, temperature))
            rounds += int(self._lookout.play(best)[:, 0].sum())
        return Lesson(*(jnp.concatenate(numbers) for numbers in zip(*parts, strict=True))), rounds


@jax.jit
def _asked(columns: Array, said: Array, places: Array) -> Lesson:
    about = said[:, places]
    return Lesson(
        rows=columns[:, places].T,
        win=jax.nn.sigmoid(about[WIN]),
        lead=about[LEAD] * LEAD_SCALE,
        hidden=about[HIDDEN:].T,
    )
