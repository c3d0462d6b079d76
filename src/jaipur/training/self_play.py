"""Self-play: lanes choose by the network, a little curious, and every move is judged by what came of it.

The judgement is TD(λ) along the moves: a move is worth what the reply leaves, seen from the other side; and a reply
that was only tried out of curiosity counts as the best one would have. Against a rival the network has one seat of
every lane and learns from its own moves alone; what the rival does is part of what came of them.
"""

from functools import partial
from typing import Any, Literal, NamedTuple

import jax
import jax.numpy as jnp

from jaipur.players.neural.network import LEAD, LEAD_SCALE, WIN, Weights
from jaipur.simulation.features import WIDTH
from jaipur.training import kernels as loops
from jaipur.training.config import Playing, between
from jaipur.training.evaluator import Lookout, appraise
from jaipur.training.learner import Lesson

Array = Any


class Course(NamedTuple):
    """What happened in all lanes, a row a move: arrays of steps by lanes."""

    rows: Array
    hidden: Array
    win: Array
    """The chance that the best move was given."""
    lead: Array
    """The lead that it was given."""
    best: Array
    """Whether the best move was played."""
    own: Array
    """Whether it was the learner's, and not a rival's."""
    ended: Array
    won: Array
    """For the mover, between 0 and 1; where the round ended."""
    scored: Array
    """The mover's lead; where the round ended."""


class SelfPlay:
    """Lanes that go on for ever, and the lessons they give."""

    def __init__(
        self,
        playing: Playing,
        device: Literal["cpu", "gpu"],
        seed: int,
        rival: Weights | None = None,
    ) -> None:
        self._playing, self._rival = playing, rival
        self.lookout = Lookout(playing.lanes, device, seed, auto_reset=True)
        self._chance = jax.random.key(seed)
        self._course = _room(playing.steps, playing.lanes)

    def lesson(self, weights: Weights, done: float) -> tuple[Lesson, int]:
        """Play so many moves in every lane; what there is to learn, and how many rounds ended."""
        playing, lanes = self._playing, self._playing.lanes
        temperature, curious = between(playing.temperature, done), between(playing.curious, done)
        course = self._course
        for step in range(playing.steps):
            look = self.lookout.look()
            win, lead = _prospects(appraise(weights, look))
            self._chance, blur, whim = jax.random.split(self._chance, 3)
            best, tried = self.lookout.best(win, _blurred(win, blur, temperature))
            places = jnp.where(jax.random.bernoulli(whim, curious, (lanes,)), tried, best)
            before = self.lookout.before()
            own = self._own(before)
            if self._rival is not None:
                (theirs,) = self.lookout.best(appraise(self._rival, look)[WIN])
                places = jnp.where(own, places, theirs)
            after = self.lookout.play(places)
            course = _note(course, step, look.columns, win, lead, best, places, own, before, after)
            jax.block_until_ready(course)
        win, lead = _prospects(appraise(weights, self.lookout.look()))
        (best,) = self.lookout.best(win)
        lesson, rounds = _judge(course, win[best], lead[best], between(playing.trace, done))
        self._course = course
        return lesson, int(rounds)

    def _own(self, before: Array) -> Array:
        """Where the learner moves: everywhere, or in its seat, which is another in every other lane."""
        if self._rival is None:
            return jnp.ones(self._playing.lanes, bool)
        return before[:, loops.TURN] == jnp.arange(self._playing.lanes) % 2


@jax.jit
def _prospects(answers: Array) -> tuple[Array, Array]:
    return jax.nn.sigmoid(answers[WIN]), answers[LEAD] * LEAD_SCALE


def _room(steps: int, lanes: int) -> Course:
    numbers = jnp.zeros((steps, lanes), jnp.float32)
    flags = jnp.zeros((steps, lanes), bool)
    return Course(
        rows=jnp.zeros((steps, lanes, WIDTH), jnp.float32),
        hidden=jnp.zeros((steps, lanes, 6), jnp.int8),
        win=numbers,
        lead=numbers.copy(),
        best=flags,
        own=flags.copy(),
        ended=flags.copy(),
        won=numbers.copy(),
        scored=numbers.copy(),
    )


@jax.jit
def _blurred(worths: Array, chance: Array, temperature: Array) -> Array:
    """Worths blurred, so that the best of them is drawn by chance among those that lie close."""
    return worths + temperature * jax.random.gumbel(chance, worths.shape)


@partial(jax.jit, donate_argnums=0)
def _note(
    course: Course,
    step: Array,
    columns: Array,
    win: Array,
    lead: Array,
    best: Array,
    places: Array,
    own: Array,
    before: Array,
    after: Array,
) -> Course:
    """Write one move of every lane down."""
    first = before[:, loops.TURN] == 0
    won = after[:, loops.WON] / 2
    scored = after[:, loops.LEAD].astype(jnp.float32)
    noted = Course(
        rows=columns[:, places].T,
        hidden=before[:, loops.HIDDEN :],
        win=win[best],
        lead=lead[best],
        best=win[best] <= win[places],
        own=own,
        ended=after[:, loops.ENDED] == 1,
        won=jnp.where(first, won, 1 - won),
        scored=jnp.where(first, scored, -scored),
    )
    return Course(
        *(
            whole.at[step].set(part.astype(whole.dtype))
            for whole, part in zip(course, noted, strict=True)
        )
    )


@jax.jit
def _judge(course: Course, win: Array, lead: Array, trace: Array) -> tuple[Lesson, Array]:
    """From the last move back: what each was worth to its mover."""

    def one(reply: tuple[Array, Array], move: Course) -> tuple[tuple[Array, Array], Any]:
        won = jnp.where(move.ended, move.won, 1 - reply[0])
        scored = jnp.where(move.ended, move.scored, -reply[1])
        lean = jnp.where(move.own, jnp.where(move.best, trace, 0.0), 1.0)
        onward = (
            (1 - lean) * move.win + lean * won,
            (1 - lean) * move.lead + lean * scored,
        )
        return onward, (won, scored)

    slim = course._replace(rows=course.win, hidden=course.win)  # they are not asked for
    _, (won, scored) = jax.lax.scan(one, (win, lead), slim, reverse=True)
    lesson = Lesson(
        rows=course.rows.reshape(-1, WIDTH),
        win=won.reshape(-1),
        lead=scored.reshape(-1),
        hidden=course.hidden.reshape(-1, 6),
        own=course.own.reshape(-1),
    )
    return lesson, course.ended.sum()
