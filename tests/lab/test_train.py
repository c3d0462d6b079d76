"""Training: a lesson is what was played and what came of it, learning lowers the error, all goes on where it was."""

from itertools import pairwise
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
import pytest

from jaipur.cli import main
from jaipur.compiled.features import FEATURES, WIDTH
from jaipur.lab import Batch, LabError
from jaipur.lab.train import Config, Training, read_config
from jaipur.lab.train.config import Learning, Playing, between
from jaipur.lab.train.imitation import Imitation
from jaipur.lab.train.learner import begin, layers_of, loss, network_of, study
from jaipur.lab.train.lookout import Lookout, appraise
from jaipur.lab.train.match import match
from jaipur.lab.train.selfplay import Course, SelfPlay, _judge
from jaipur.players import NO_BUDGET, player_named
from jaipur.players.network import HIDDEN, WIN, Network
from jaipur.rules import legal_moves, view_of

EXAMPLES = Path(__file__).parents[2] / "examples" / "training"

TINY = Config(
    rounds=400,
    layers=(16, 8),
    gate_every=50,
    gate_pairs=4,
    playing=Playing(lanes=32, steps=12),
    learning=Learning(batch=64),
)


def judged(course: list[dict[str, float]], reply: float, trace: float) -> list[float]:
    """What moves were worth, from the last back, in plain words."""
    worths = []
    for move in reversed(course):
        worth = move["won"] if move["ended"] else 1 - reply
        worths.append(worth)
        reply = move["win"]
        if move["best"]:
            reply = (1 - trace) * move["win"] + trace * worth
    return worths[::-1]


def test_a_move_is_worth_what_the_reply_leaves_and_curiosity_does_not_count() -> None:
    draws, steps, lanes = Random(1), 9, 5
    courses = [
        [
            {
                "win": draws.random(),
                "best": draws.random() < 0.6,
                "ended": draws.random() < 0.2,
                "won": draws.choice((0, 0.5, 1)),
            }
            for _ in range(steps)
        ]
        for _ in range(lanes)
    ]
    last = [draws.random() for _ in range(lanes)]

    def column(name: str) -> jax.Array:
        return jnp.array([[course[step][name] for course in courses] for step in range(steps)])

    nothing = jnp.zeros((steps, lanes))
    course = Course(
        rows=jnp.zeros((steps, lanes, WIDTH)),
        hidden=jnp.zeros((steps, lanes, 6)),
        win=column("win"),
        lead=nothing,
        best=column("best"),
        ended=column("ended"),
        won=column("won"),
        scored=nothing,
    )
    lesson, rounds = _judge(course, jnp.array(last), jnp.zeros(lanes), 0.8)
    wanted = [judged(one, reply, 0.8) for one, reply in zip(courses, last, strict=True)]
    np.testing.assert_allclose(lesson.win.reshape(steps, lanes).T, wanted, atol=1e-6)
    assert int(rounds) == sum(move["ended"] for one in courses for move in one)


def test_a_lesson_has_the_rows_of_the_moves_played_and_what_the_other_hid() -> None:
    lesson, _ = SelfPlay(Playing(lanes=6, steps=5), "cpu", 3).lesson(begin((8,), 1).layers, 0.0)
    batch = Batch(6, seed=3)
    hidden_at = FEATURES.index("other's hand: goods not shown")
    for step in range(5):
        rows = batch.after_features()
        # A network that knows nothing thinks all moves equal, and the first of them is played.
        places = batch.moves().offsets[:-1]
        played = lesson.rows.reshape(5, 6, WIDTH)[step]
        assert (np.asarray(played) == rows[places]).all()
        hidden = np.asarray(lesson.hidden).reshape(5, 6, 6)[step].sum(1)
        assert hidden == pytest.approx(rows[places][:, hidden_at] * 7)
        batch.step(batch.moves().codes[places])


def test_studying_a_lesson_lowers_the_error_about_it() -> None:
    lesson, _ = SelfPlay(TINY.playing, "cpu", 1).lesson(begin((16,), 1).layers, 0.05)
    lesson = lesson._replace(win=(lesson.rows[:, 0] > 0).astype(jnp.float32))
    student = begin((16,), 1)
    before, _ = loss(student.layers, lesson, TINY.learning)
    for number in range(20):
        student, _ = study(student, lesson, jax.random.key(number), TINY.learning, 1e-2)
    after, about_win = loss(student.layers, lesson, TINY.learning)
    assert after < before / 2
    assert about_win < 0.2


def test_a_network_says_the_same_where_it_learns_where_it_is_kept_and_where_it_plays(
    tmp_path: Path,
) -> None:
    layers = [
        (weights + 0.1, biases + 0.01 * np.arange(len(biases)))
        for weights, biases in begin((12, 5), 4).layers
    ]
    lookout = Lookout(8, "cpu", 5, goes_on=True)
    look = lookout.look()
    said = np.asarray(appraise(layers, look))[:, : look.moves]
    network_of(layers).save(tmp_path / "net.npz")
    kept = Network.load(tmp_path / "net.npz")
    rows = lookout.batch.after_features()
    np.testing.assert_allclose(kept(rows).T, said, rtol=0.02, atol=0.02)
    np.testing.assert_allclose(network_of(layers)(rows).T, said, rtol=1e-4, atol=1e-4)
    player = player_named(f"net:{tmp_path / 'net.npz'}")
    for lane, (first, last) in enumerate(pairwise(lookout.batch.moves().offsets)):
        position = lookout.batch.position(lane)
        moves = legal_moves(position)
        move = player.choose(view_of(position, position.turn), moves, Random(1), NO_BUDGET)
        assert moves.index(move) == kept(rows[first:last])[:, WIN].argmax()


def test_a_network_takes_half_of_the_rounds_from_itself() -> None:
    layers = begin((8,), 2).layers
    assert match(layers, layers, 6, "cpu", 9).share == 0.5


def test_a_training_goes_on_where_it_was(tmp_path: Path) -> None:
    said: list[str] = []
    first = Training(TINY, tmp_path, "cpu", said.append)
    first.run(minutes=0.02)
    assert first.progress.lessons > 0
    again = Training(TINY, tmp_path, "cpu", said.append)
    assert again.progress == first.progress
    again.run(minutes=5)
    assert again.progress.rounds >= TINY.rounds
    assert again.progress.lessons > first.progress.lessons
    assert Network.load(tmp_path / "best.npz").layers[0][0].shape[1] == 16
    assert "<polyline" in (tmp_path / "curves.svg").read_text("utf-8")
    assert any("share" in line for line in said)
    with pytest.raises(LabError, match="holds another training"):
        Training(Config(rounds=500), tmp_path, "cpu", said.append)


def test_a_pupil_learns_what_its_teacher_says_of_good_moves_and_bad() -> None:
    teacher = [(weights + 0.05, biases) for weights, biases in begin((8,), 3).layers]
    lesson, _ = Imitation(teacher, Playing(lanes=8, steps=3), "cpu", 2).lesson([], 0.1)
    said = network_of(teacher)(np.asarray(lesson.rows))
    np.testing.assert_allclose(lesson.win, 1 / (1 + np.exp(-said[:, WIN])), atol=1e-4)
    np.testing.assert_allclose(lesson.hidden, said[:, HIDDEN:], atol=1e-4)
    assert lesson.rows.shape == (3 * 8 * 4, WIDTH)


def test_a_teacher_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="holds no network"):
        Training(msgspec.structs.replace(TINY, teacher="nobody"), tmp_path, "cpu")


def test_numbers_go_from_the_first_to_the_last() -> None:
    assert between((0.1, 0.001), 0) == pytest.approx(0.1)
    assert between((0.1, 0.001), 0.5) == pytest.approx(0.01)
    assert between((0.1, 0.001), 2) == pytest.approx(0.001)


def test_a_kept_network_can_be_learnt_on_from(tmp_path: Path) -> None:
    layers = begin((4,), 1).layers
    network_of(layers).save(tmp_path / "net.npz")
    for (weights, _), (kept, _) in zip(
        layers, layers_of(Network.load(tmp_path / "net.npz")), strict=True
    ):
        assert np.asarray(kept) == pytest.approx(np.asarray(weights), abs=1e-2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("layers = [8]", "rounds"),
        ("rounds = 5\nhurry = 1", "hurry"),
        ("rounds = 'many'", "int"),
        ("rounds 5", "is no training"),
    ],
)
def test_a_config_that_cannot_be_read_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(LabError, match=complaint):
        read_config(file)


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_examples_are_trainings(file: Path) -> None:
    assert read_config(file).rounds > 0


def test_the_command_trains_and_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config, out = tmp_path / "config.toml", tmp_path / "out"
    config.write_text(
        "rounds = 9\nlayers = [4]\ngate_pairs = 2\n[playing]\nlanes = 8\n[learning]\nbatch = 32"
    )
    train = ["train", "--config", str(config), "--out", str(out), "--minutes"]
    assert main([*train, "3"]) == 0
    assert "rounds in" in capfd.readouterr().out
    config.write_text("rounds = 10")
    assert main([*train, "1"]) == 2
    assert "holds another training" in capfd.readouterr().err
    assert main(["train", "--config", "nothing.toml", "--out", str(out), "--minutes", "1"]) == 2
    with pytest.raises(SystemExit):
        main([*train, "0"])
