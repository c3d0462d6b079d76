"""`jaipur player`: a computer player as a bot, and its errors for invalid requests."""

import json
from collections.abc import Iterator
from random import Random

import pytest

from arena.running import refused
from command import jaipur
from jaipur import Deal, Game
from jaipur.players import Budget, player_named
from jaipur.players.external.protocol import MoveRequest, read_request, write_request
from jaipur.rules import NotationError


def requests(seed: int) -> Iterator[MoveRequest]:
    """The requests of a round between random players."""
    rng = Random(seed)
    game, player = Game(), player_named("random")
    running = game.start(Deal.shuffled(rng))
    while not running.position.ended:
        view, moves = game.view(running.position.turn), game.legal_moves()
        yield MoveRequest(view, moves, Budget(None, 50), int(rng.random() * 1000))
        game.play(player.choose(view, moves, rng, Budget()))


def test_a_request_survives_writing_and_reading() -> None:
    for request in requests(1):
        assert read_request(write_request(request)) == request


def test_a_player_answers_every_line_with_a_legal_move() -> None:
    sent = list(requests(2))[:20]
    done = jaipur("player", "vizier", text="".join(f"{write_request(each)}\n" for each in sent))
    assert (done.returncode, done.stderr) == (0, "")
    answers = done.stdout.splitlines()
    assert len(answers) == len(sent)
    for request, answer in zip(sent, answers, strict=True):
        assert answer in map(str, request.moves)


def test_budget_and_seed_are_optional() -> None:
    data = json.loads(write_request(next(requests(3))))
    del data["budget"], data["seed"]
    request = read_request(json.dumps(data))
    assert (request.budget, request.seed) == (Budget(), None)


VALID = write_request(next(requests(4)))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "hello",
        "{}",
        "[]",
        "\0\x1b[2J",
        VALID[:-1],
        VALID.replace('"seed":', '"seed":"x'),
        VALID.replace('"+', '"*', 1),
        VALID.replace('"deck":40', '"deck":41'),
        '{"view":' * 5000,
    ],
)
def test_an_invalid_line_is_refused_in_one_printable_sentence(line: str) -> None:
    message = refused("player", "random", text=f"{VALID}\n{line}\n")
    assert message.startswith("jaipur: line 2: ")
    assert message.isprintable()


def test_a_line_that_is_too_long_is_refused() -> None:
    assert "at most" in refused("player", "random", text="x" * (1 << 21))


def test_an_unknown_player_is_refused() -> None:
    assert "There is no player" in refused("player", "nobody")


VALUES: tuple[object, ...] = (
    None,
    True,
    -1,
    3,
    10**30,
    1.5,
    "",
    "DDDDDDDDDDD",
    "MMMMMMM",
    "X",
    [],
    [1, 2],
    {},
    "goods",
)


def changed(data: object, rng: Random) -> object:
    """The same JSON with one random change."""
    if isinstance(data, dict) and data and rng.random() < 0.9:
        name = list(data)[int(rng.random() * len(data))]
        return data | {name: changed(data[name], rng)}
    if isinstance(data, list) and data and rng.random() < 0.7:
        return data[int(rng.random() * len(data)) :]
    if isinstance(data, int) and rng.random() < 0.5:
        return data + (1 if rng.random() < 0.5 else -1)
    return VALUES[int(rng.random() * len(VALUES))]


def test_a_changed_request_is_refused_or_playable() -> None:
    rng = Random(6)
    originals = list(requests(5))
    merchant = player_named("merchant")
    refusals = 0
    for _ in range(1500):
        data = json.loads(write_request(originals[int(rng.random() * len(originals))]))
        try:
            request = read_request(json.dumps(changed(data, rng)))
        except NotationError:
            refusals += 1
        else:
            assert (
                merchant.choose(request.view, request.moves, rng, request.budget) in request.moves
            )
    assert refusals > 500


@pytest.mark.parametrize(
    ("trader", "field", "value"),
    [
        ("own", "bonus_values", [10**18]),
        ("own", "bonus_values", [10**400]),
        ("other", "rupees", 10**400),
        ("other", "seals", 41),
        ("own", "goods_tokens", "DD"),
    ],
)
def test_an_impossible_view_is_refused(trader: str, field: str, value: object) -> None:
    data = json.loads(VALID)
    data["view"][trader][field] = value
    with pytest.raises(NotationError):
        read_request(json.dumps(data))
