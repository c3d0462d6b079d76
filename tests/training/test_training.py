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
from jaipur.players import NO_BUDGET, player_named
from jaipur.players.neural.network import NETWORKS, WIN, Network
from jaipur.simulation import Batch, SimulationError
from jaipur.simulation.features import FEATURES, WIDTH
from jaipur.training import Config, Training, read_config
from jaipur.training.config import Learning, Playing, Trying, between
from jaipur.training.curves import draw_curves
from jaipur.training.dormant import Revival, grown, revived, silent_in
from jaipur.training.evaluator import Lookout, appraise
from jaipur.training.learner import (
    COLUMNS,
    THRESHOLDS,
    Lesson,
    begin,
    loss,
    network_of,
    study,
    weights_of,
)
from jaipur.training.match import match
from jaipur.training.self_play import Course, SelfPlay, _judge
from training.tiny import TINY, shaken

EXAMPLES = Path(__file__).parents[2] / "examples" / "training"


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
        own=nothing == 0,
        ended=column("ended"),
        won=column("won"),
        scored=nothing,
    )
    lesson, rounds = _judge(course, jnp.array(last), jnp.zeros(lanes), 0.8)
    wanted = [judged(one, reply, 0.8) for one, reply in zip(courses, last, strict=True)]
    np.testing.assert_allclose(lesson.win.reshape(steps, lanes).T, wanted, atol=1e-6)
    assert int(rounds) == sum(move["ended"] for one in courses for move in one)


def test_a_lesson_has_the_rows_of_the_moves_played_and_what_the_other_hid() -> None:
    lesson, _ = SelfPlay(Playing(lanes=6, steps=5, curious=(0, 0)), "cpu", 3).lesson(
        begin(Config(1, (8,), seed=1)).weights, done=0.0
    )
    batch = Batch(6, seed=3)
    hidden_at = FEATURES.index("other's hand: goods not shown")
    for step in range(5):
        rows = batch.afterstate_features()
        # A network that knows nothing thinks all moves equal, and the first of them is played.
        places = batch.moves().offsets[:-1]
        played = lesson.rows.reshape(5, 6, WIDTH)[step]
        assert (np.asarray(played) == rows[places]).all()
        hidden = np.asarray(lesson.hidden).reshape(5, 6, 6)[step].sum(1)
        assert hidden == pytest.approx(rows[places][:, hidden_at] * 7)
        batch.step(batch.moves().codes[places])


def test_studying_a_lesson_lowers_the_error_about_it() -> None:
    lesson, _ = SelfPlay(TINY.playing, "cpu", 1).lesson(
        begin(Config(1, (16,), seed=1)).weights, done=0.0
    )
    lesson = lesson._replace(win=(lesson.rows[:, 0] > 0).astype(jnp.float32))
    student = begin(Config(1, (16,), seed=1))
    before, _ = loss(student.weights, lesson, TINY.learning)
    for number in range(20):
        student, _ = study(student, lesson, jax.random.key(number), TINY, 1e-2)
    after, about_win = loss(student.weights, lesson, TINY.learning)
    assert after < before / 2
    assert about_win < 0.2


def test_a_network_says_the_same_where_it_learns_where_it_is_kept_and_where_it_plays(
    tmp_path: Path,
) -> None:
    weights = shaken((12, 5), (7, 4))
    lookout = Lookout(8, "cpu", 5, auto_reset=True)
    look = lookout.look()
    said = np.asarray(appraise(weights, look))[:, : look.moves]
    network_of(weights).save(tmp_path / "net.npz")
    kept = Network.load(tmp_path / "net.npz")
    rows = lookout.batch.afterstate_features()
    np.testing.assert_allclose(kept(rows).T, said, rtol=0.05, atol=0.05)
    np.testing.assert_allclose(network_of(weights)(rows).T, said, rtol=1e-4, atol=1e-4)
    player = player_named(f"net:{tmp_path / 'net.npz'}")
    for lane, (first, last) in enumerate(pairwise(lookout.batch.moves().offsets)):
        position = lookout.batch.position(lane)
        moves = position.legal_moves()
        move = player.choose(position.view(position.turn), moves, Random(1), NO_BUDGET)
        assert moves.index(move) == kept(rows[first:last])[:, WIN].argmax()


def test_a_network_takes_half_of_the_rounds_from_itself() -> None:
    layers = begin(Config(1, (8,), seed=2)).weights
    assert match(layers, layers, 6, "cpu", 9).share == 0.5


def test_a_training_goes_on_where_it_was(tmp_path: Path) -> None:
    said: list[str] = []
    config = msgspec.structs.replace(TINY, trying=Trying(positions=4, moves=2, plies=1))
    first = Training(config, tmp_path, "cpu", said.append)
    first.run(minutes=0.02)
    assert first.progress.lessons > 0
    again = Training(config, tmp_path, "cpu", said.append)
    assert again.progress == first.progress
    again.run(minutes=5)
    assert again.progress.rounds >= TINY.rounds
    assert again.progress.lessons > first.progress.lessons
    assert Network.load(tmp_path / "best.npz").weights.first[0].shape[1] == 16
    assert "<polyline" in (tmp_path / "curves.svg").read_text("utf-8")
    assert any("share" in line for line in said)
    assert any("silent units" in line for line in said)
    assert any("apart" in line for line in said)
    with pytest.raises(SimulationError, match="holds another training"):
        Training(Config(rounds=500), tmp_path, "cpu", said.append)


def test_a_training_is_kept_at_every_match_for_whoever_is_killed(tmp_path: Path) -> None:
    kept: list[bool] = []

    def say(line: str) -> None:
        if "share" in line:
            kept.append((tmp_path / "state.npz").exists())

    Training(TINY, tmp_path, "cpu", say).run(minutes=5)
    # At the first match there was nobody to play against; it was kept all the same.
    assert kept
    assert all(kept)


def test_against_a_rival_only_ones_own_moves_are_learnt_from() -> None:
    play = SelfPlay(Playing(lanes=8, steps=12, curious=(0, 0)), "cpu", 2, rival=shaken((8,)))
    lesson, _ = play.lesson(begin(Config(1, (8,), seed=3)).weights, done=0.0)
    own = np.asarray(lesson.own).reshape(12, 8)
    assert 0.4 < own.mean() < 0.6
    assert (own[1:] != own[:-1]).mean() > 0.9
    # The rival's moves are the best by its network; the first of all moves by one that knows nothing.
    batch = Batch(8, seed=2)
    rival = network_of(shaken((8,)))
    for step in range(12):
        rows = batch.afterstate_features()
        for lane, (first, last) in enumerate(pairwise(batch.moves().offsets)):
            place = first if own[step, lane] else first + rival(rows[first:last])[:, WIN].argmax()
            assert (np.asarray(lesson.rows).reshape(12, 8, WIDTH)[step, lane] == rows[place]).all()
            batch.field("moves")[lane] = place
        batch.step(batch.moves().codes[batch.field("moves")])


def test_what_a_rival_does_is_part_of_what_came_of_a_move() -> None:
    def column(*numbers: float) -> jax.Array:
        return jnp.array(numbers)[:, None]

    nothing = jnp.zeros((3, 1))
    course = Course(
        rows=jnp.zeros((3, 1, WIDTH)),
        hidden=jnp.zeros((3, 1, 6)),
        win=column(0.6, 0.9, 0.7),
        lead=nothing,
        best=column(1, 0, 1) > 0,
        own=column(1, 0, 1) > 0,
        ended=nothing > 0,
        won=nothing,
        scored=nothing,
    )
    lesson, _ = _judge(course, jnp.array([0.8]), jnp.zeros(1), 0.5)
    # The last move is worth what the other is not; the first, half that and half what was thought of it.
    assert lesson.win.tolist() == pytest.approx([0.5 * 0.2 + 0.5 * 0.7, 0.55, 0.2])


def test_a_training_against_a_rival_begins_with_a_network_and_keeps_what_beats_it_best(
    tmp_path: Path,
) -> None:
    network_of(shaken((16, 8))).save(tmp_path / "rival.npz")
    rival = str(tmp_path / "rival.npz")
    config = msgspec.structs.replace(TINY, start=rival, rival=rival, rounds=120)
    said: list[str] = []
    training = Training(config, tmp_path / "out", "cpu", said.append)
    training.run(minutes=5)
    shares = [float(line.split("share ")[1].split(",")[0]) for line in said if "share" in line]
    assert training.progress.share == pytest.approx(max(0.5, *shares))
    # A quick head can be learnt anew and layers can grow, but they cannot become fewer or smaller.
    Training(msgspec.structs.replace(config, quick=(8, 4)), tmp_path / "second", "cpu")
    Training(msgspec.structs.replace(config, layers=(24, 8)), tmp_path / "third", "cpu")
    for layers in ((16,), (8, 8)):
        with pytest.raises(SimulationError, match="other layers than this training"):
            Training(msgspec.structs.replace(config, layers=layers), tmp_path / "fourth", "cpu")


def test_a_network_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="holds no network"):
        Training(msgspec.structs.replace(TINY, rival="nobody"), tmp_path, "cpu")
    with pytest.raises(SimulationError, match="not against a rival"):
        Training(msgspec.structs.replace(TINY, rival="x", trying=Trying()), tmp_path, "cpu")


def test_a_network_learns_nothing_about_what_it_may_not_see() -> None:
    config = msgspec.structs.replace(TINY, sees=("market", "own: herd"))
    student = begin(config)
    lesson, _ = SelfPlay(config.playing, "cpu", 1).lesson(student.weights, done=0.0)
    before = network_of(student.weights)
    student, _ = study(student, lesson, jax.random.key(1), config, 1e-2)
    network = network_of(student.weights)
    seen = [FEATURES[c].startswith(("market", "own: herd")) for c in network.columns]
    assert not network.weights.first[0][~np.array(seen)].any()
    assert (network.weights.first[0] != before.weights.first[0])[seen].any()
    with pytest.raises(SimulationError, match="No feature is called “mood”"):
        begin(Config(1, sees=("mood",)))


def test_a_network_that_sees_less_is_kept_without_the_rest_and_learnt_on_from(
    tmp_path: Path,
) -> None:
    config = msgspec.structs.replace(TINY, sees=("market",))
    network = network_of(begin(config).weights)
    assert {FEATURES[column].partition(":")[0] for column in network.columns} == {"market"}
    network.save(tmp_path / "net.npz")
    kept, rows = Network.load(tmp_path / "net.npz"), Batch(4).afterstate_features()
    assert network_of(weights_of(kept))(rows) == pytest.approx(kept(rows))
    strange = Network(kept.columns, -kept.thresholds, kept.weights)
    with pytest.raises(ValueError, match="other inputs"):
        weights_of(strange)


def test_curves_can_be_drawn_before_a_round_has_ended() -> None:
    assert "<polyline" in draw_curves([{"rounds": 0, "wrong": 0.7}])
    assert "<svg" in draw_curves([])


def test_numbers_go_from_the_first_to_the_last() -> None:
    assert between((0.1, 0.001), 0) == pytest.approx(0.1)
    assert between((0.1, 0.001), 0.5) == pytest.approx(0.01)
    assert between((0.1, 0.001), 2) == pytest.approx(0.001)
    assert between((0.2, 0), 0.5) == pytest.approx(0.1)
    assert between((0, 0.2), 0.5) == pytest.approx(0.1)
    assert between((0, 0), 0.5) == 0


def test_silent_units_begin_anew_and_change_nothing_at_first() -> None:
    config = Config(1, (12, 6, 4), (8, 4))
    student, rows = begin(config), jnp.asarray(Batch(16).afterstate_features())
    first, biases = shaken(config.layers, config.quick).first
    weights = shaken(config.layers, config.quick)._replace(
        first=(first, biases.at[jnp.array([0, 3, 9])].set(-100.0))
    )
    (inner, inner_biases), *others = weights.full
    weights = weights._replace(full=((inner, inner_biases.at[2].set(-100.0)), *others))
    student = student._replace(weights=weights, average=weights, first=weights, second=weights)
    again = revived(student, silent_in(student.weights, rows), config)
    before, after = network_of(student.weights), network_of(again.weights)
    assert after(np.asarray(rows)) == pytest.approx(before(np.asarray(rows)), abs=1e-5)
    assert after.quick_logits(np.asarray(rows)) == pytest.approx(
        before.quick_logits(np.asarray(rows)), abs=1e-5
    )
    assert not again.first.first[0][:, 3].any()
    assert (again.weights.full[0][0][3] == 0).all()
    # They are heard of again, and what did speak is as it was.
    assert not silent_in(again.weights, rows).first[jnp.array([0, 3, 9])].all()
    assert (again.weights.first[0][:, 1] == student.weights.first[0][:, 1]).all()


def test_a_unit_that_spoke_in_one_lesson_does_not_begin_anew_after_the_next() -> None:
    config = Config(1, (2, 2), learning=Learning(revive=2))
    column, threshold = int(COLUMNS[0]), float(THRESHOLDS[0])
    weights = begin(config).weights
    # The first unit speaks where the first input is there, and the second one never.
    first = jnp.zeros_like(weights.first[0]).at[0, 0].set(1.0)
    student = begin(config)._replace(weights=weights._replace(first=(first, jnp.zeros(2))))
    rows = jnp.zeros((4, WIDTH))
    spoken, unspoken = (
        Lesson(rows.at[:, column].set(there), *[jnp.zeros(4)] * 4) for there in (threshold, -1.0)
    )
    revival = Revival(config)
    for lessons in ((spoken, unspoken), (unspoken, spoken)):
        assert revival.after(lessons[0], student) == (student, None)
        again, silent = revival.after(lessons[1], student)
        assert (again.weights.first[0] != first).any(0).tolist() == [False, True]
        assert silent
    revival.after(unspoken, student)
    again, _ = revival.after(unspoken, student)
    assert (again.weights.first[0] != first).any(0).all()


def test_a_network_that_grows_says_what_it_said() -> None:
    narrow = shaken((16, 8), (8, 4))
    rows = np.random.default_rng(1).random((40, WIDTH), np.float32)
    wide = grown(narrow, Config(1, (24, 12), (8, 4)))
    before, after = network_of(narrow), network_of(wide)
    assert after(rows) == pytest.approx(before(rows), abs=1e-5)
    assert after.quick_logits(rows) == pytest.approx(before.quick_logits(rows), abs=1e-5)
    # The new units are there to learn: they say something that nobody listens to yet.
    assert not silent_in(wide, jnp.asarray(rows)).first[16:].all()
    assert not wide.full[0][0][16:].any()
    assert not wide.full[1][0][8:].any()
    # A layer more hands on what it is told.
    deep = network_of(grown(narrow, Config(1, (24, 12, 12), (8, 4))))
    assert len(deep.weights.full) == len(before.weights.full) + 1
    assert deep(rows) == pytest.approx(before(rows), abs=1e-5)
    # So can a quick head be put over it.
    assert not network_of(grown(narrow, Config(1, (24, 12), (6, 3)))).quick_logits(rows).any()


def test_a_kept_network_can_be_learnt_on_from(tmp_path: Path) -> None:
    weights = shaken((4,), (2, 3))
    network_of(weights).save(tmp_path / "net.npz")
    kept = weights_of(Network.load(tmp_path / "net.npz"))
    assert jax.tree.structure(kept) == jax.tree.structure(weights)
    for one, other in zip(jax.tree.leaves(weights), jax.tree.leaves(kept), strict=True):
        assert np.asarray(other) == pytest.approx(np.asarray(one), abs=1e-2)


def test_the_quick_head_learns_as_well() -> None:
    student = begin(Config(1, (16, 8), (12, 4)))
    lesson, _ = SelfPlay(TINY.playing, "cpu", 1).lesson(student.weights, done=0.0)
    lesson = lesson._replace(win=(lesson.rows[:, 0] > 0).astype(jnp.float32))
    for number in range(25):
        student, _ = study(student, lesson, jax.random.key(number), TINY, 1e-2)
    said = network_of(student.weights).quick_logits(np.asarray(lesson.rows))
    assert ((said > 0) == np.asarray(lesson.win)).mean() > 0.97


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("layers = [8]", "rounds"),
        ("rounds = 5\nhurry = 1", "hurry"),
        ("rounds = 'many'", "int"),
        ("rounds 5", "is no training"),
        ("rounds = 0", "rounds"),
        ("rounds = 5\nlayers = []", "layers"),
        ("rounds = 5\n[learning]\nbatch = 0", "batch"),
        ("rounds = 5\n[playing]\ncurious = [2.0, 0.0]", "curious"),
    ],
)
def test_a_config_that_cannot_be_read_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text)
    with pytest.raises(SimulationError, match=complaint):
        read_config(file)


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_examples_are_trainings(file: Path) -> None:
    assert read_config(file).rounds > 0


@pytest.mark.parametrize(("name", "trainings"), [("baseline", 1), ("maharaja", 6)])
def test_the_networks_of_the_package_came_from_the_examples(name: str, trainings: int) -> None:
    origin = msgspec.json.decode((NETWORKS / f"{name}.json").read_bytes())
    for left in reversed(range(trainings)):
        config = read_config(EXAMPLES / f"{name}.toml")
        assert msgspec.convert(origin["config"], Config) == config
        assert (config.start is None) == (left == 0)
        if config.start is not None:
            name, origin = Path(config.start).parent.name, origin["start"]


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
