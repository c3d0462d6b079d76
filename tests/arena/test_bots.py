"""Bots as processes: requests, forfeits, limits, and clean-up of everything they start."""

import json
import os
import select
import shlex
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from arena.running import HONEST, bot
from command import COMMAND
from jaipur import Deal, Move, View, new_round
from jaipur.arena.pairs import Pair, play_pairs
from jaipur.notation import read_record
from jaipur.players import NO_BUDGET, Budget, NoSuchPlayer, Player, player_named
from jaipur.players.external.process import Bot, Forfeit, _Process
from jaipur.players.external.protocol import SEED_LIMIT
from jaipur.rules import Game

SHORT, LONG = 0.3, 30.0
"""Time limits: one for bots that must be late, one that no other bot reaches."""

StartBot = Callable[..., Bot]


def first_turn() -> tuple[View, Sequence[Move]]:
    position = new_round(Deal.shuffled(Random(1)))
    return position.view(position.turn), position.legal_moves()


def ask(player: Player, budget: Budget = NO_BUDGET) -> Move:
    return player.choose(*first_turn(), Random(0), budget)


@pytest.fixture
def make_bot(tmp_path: Path) -> Iterator[StartBot]:
    """Make bots from the body of their loop; they are closed after the test."""
    bots: list[Bot] = []

    def make(body: str, before: str = "", limit: float = LONG) -> Bot:
        command = bot(tmp_path, body, before).removeprefix("cmd:")
        bots.append(Bot(command, limit=limit, grace=0))
        return bots[-1]

    yield make
    for each in bots:
        each.close()


def forfeit_of(player: Player) -> Forfeit:
    with pytest.raises(Forfeit) as caught:
        ask(player)
    return caught.value


def test_a_request_has_the_view_the_moves_the_budget_and_a_seed(
    tmp_path: Path, make_bot: StartBot
) -> None:
    file = tmp_path / "request"
    player = make_bot(f"open({str(file)!r}, 'w').write(line)\n{HONEST}")
    view, moves = first_turn()
    assert ask(player, Budget(LONG, None)) == moves[0]
    request = json.loads(file.read_text())
    assert list(request) == ["view", "moves", "budget", "seed"]
    assert request["moves"] == [str(move) for move in moves]
    assert request["view"]["seat"] == view.seat
    assert request["budget"] == {"seconds": LONG, "iterations": None}
    assert request["seed"] == int(Random(0).random() * SEED_LIMIT)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("turn and time.sleep(60)", "late"),
        ("turn and print('+', end='', flush=True)", "late"),
        ("turn and sys.exit(3)", "dead"),
        ("turn and os.kill(os.getpid(), 9)", "dead"),
        ("turn and os.close(1)", "dead"),
        ("turn and print('-DDDDD')", "illegal"),
        ("turn and print('hello')", "illegal"),
        ("turn and print()", "illegal"),
        ("turn and sys.stdout.buffer.write(b'\\xff\\0\\n')", "illegal"),
        ("turn and print('+M\\n+M')", "babbling"),
        ("turn and print('x' * 5000)", "babbling"),
        ("turn and sys.stdout.write('x' * 10_000_000)", "babbling"),
        ("turn and sys.stdout.write('+M\\n' * 3_000_000)", "babbling"),
    ],
)
def test_an_answer_that_is_not_one_legal_move_in_time_is_a_forfeit(
    make_bot: StartBot, body: str, reason: str
) -> None:
    honest_at_first = f"{body}\nsys.stdout.flush()\nturn or {HONEST}"
    player = make_bot(honest_at_first, limit=SHORT if reason == "late" else LONG)
    ask(player, Budget(LONG))
    assert forfeit_of(player).reason == reason


def test_output_before_a_request_is_babbling(make_bot: StartBot) -> None:
    player = make_bot(f"{HONEST}\ntime.sleep(0.1)\nprint('more', flush=True)")
    ask(player)
    assert player._process is not None
    assert player._process._readable.select(LONG)
    assert forfeit_of(player).reason == "babbling"


def test_a_bot_that_does_not_read_is_late(tmp_path: Path) -> None:
    command = bot(tmp_path, "pass", "time.sleep(60)").removeprefix("cmd:")
    process = _Process(shlex.split(command))
    with pytest.raises(Forfeit) as caught:
        process.request(b"x" * 1_000_000, SHORT)
    process.stop(0)
    assert caught.value.reason == "late"


def test_ten_megabytes_in_one_line_do_not_fill_the_memory(make_bot: StartBot) -> None:
    player = make_bot("sys.stdout.write('x' * 10_000_000)")
    tracemalloc.start()
    try:
        assert forfeit_of(player).reason == "babbling"
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_bot_may_write_any_amount_to_standard_error(make_bot: StartBot) -> None:
    ask(make_bot(f"sys.stderr.write('warning ' * 200_000)\n{HONEST}"))


def test_the_forfeit_of_a_dead_bot_quotes_its_last_line_of_standard_error(
    make_bot: StartBot,
) -> None:
    message = str(forfeit_of(make_bot("raise RuntimeError('no idea')")))
    assert message == "The process ended: RuntimeError: no idea"


def test_a_bot_is_started_again_after_a_forfeit(make_bot: StartBot) -> None:
    player = make_bot(f"turn and sys.exit()\n{HONEST}")
    for _ in range(2):
        ask(player)
        assert forfeit_of(player).reason == "dead"


@pytest.mark.parametrize("leave", ["close", "forfeit"])
def test_the_children_of_a_bot_are_killed_with_it(
    tmp_path: Path, make_bot: StartBot, leave: str
) -> None:
    # The child holds the writing end of a pipe: the reader sees the end of file when the child is dead.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    before = (
        f"import subprocess\nsubprocess.Popen(['sleep', '60'], stdout=open({str(pipe)!r}, 'w'))"
    )
    player = make_bot(f"turn and sys.exit()\n{HONEST}", before)
    ask(player)
    assert not select.select([reader], [], [], 0)[0]
    if leave == "close":
        player.close()
    else:
        forfeit_of(player)
    assert select.select([reader], [], [], LONG)[0]
    assert os.read(reader, 1) == b""
    os.close(reader)


@pytest.mark.parametrize("name", ["cmd:", "cmd:no-such-program-here", "cmd:'"])
def test_a_bot_name_without_a_program_is_refused(name: str) -> None:
    with pytest.raises(NoSuchPlayer):
        player_named(name)


class Reseeded:
    """A player with the random numbers that the protocol would give it."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        return self._player.choose(view, moves, Random(int(rng.random() * SEED_LIMIT)), budget)

    def close(self) -> None:
        self._player.close()


def moves_of(pairs: list[Pair]) -> list[list[Move]]:
    return [read_record(line).rounds[0].moves for pair in pairs for line in pair.records]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_players_choose_the_same_moves_through_the_protocol(name: str) -> None:
    command = "cmd:" + shlex.join([*COMMAND, "player", name])
    remote, local = player_named(command), Reseeded(player_named(name))
    names = ("one", "other")
    try:
        through_protocol = list(play_pairs((remote, player_named("random")), names, 2))
    finally:
        remote.close()
    direct = list(play_pairs((local, player_named("random")), names, 2))
    assert moves_of(through_protocol) == moves_of(direct)


def test_a_bot_that_dies_loses_the_round_and_plays_the_next(
    tmp_path: Path, make_bot: StartBot
) -> None:
    # The first process dies on its sixth turn; later ones find the mark and survive.
    mark = tmp_path / "killed"
    body = f"""if turn == 5 and not os.path.exists({str(mark)!r}):
    open({str(mark)!r}, 'w').close(); os.kill(os.getpid(), 9)
{HONEST}"""
    player = make_bot(body)
    (pair,) = play_pairs((player, player_named("random")), ("mortal", "random"), 1)
    lost, played = pair.outcomes
    assert (lost.score, lost.forfeit) == (0, (0, "dead"))
    assert played.forfeit is None
    record = read_record(pair.records[0])
    assert record.rounds[0].result is None
    assert Game.from_record(record).running is not None


def test_a_new_process_plays_every_round_so_that_no_bot_remembers_a_deal(
    tmp_path: Path, make_bot: StartBot
) -> None:
    seen = tmp_path / "seen"
    before = f"open({str(seen)!r}, 'a').write(f'{{os.getpid()}}\\n')"
    player = make_bot(HONEST, before)
    list(play_pairs((player, player_named("random")), ("bot", "random"), 2))
    processes = seen.read_text().split()
    assert len(processes) == len(set(processes)) == 4
