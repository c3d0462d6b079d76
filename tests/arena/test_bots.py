"""Bots are processes: what they may do, what loses them the round, and that nothing of them stays behind."""

import json
import os
import shlex
import time
import tracemalloc
from collections.abc import Iterator, Sequence
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

QUICK = 0.3


def a_turn() -> tuple[View, Sequence[Move]]:
    position = new_round(Deal.shuffled(Random(1)))
    return position.view(position.turn), position.legal_moves()


def ask(player: Player, budget: Budget = NO_BUDGET) -> Move:
    return player.choose(*a_turn(), Random(0), budget)


@pytest.fixture
def made() -> Iterator[list[Bot]]:
    bots: list[Bot] = []
    yield bots
    for each in bots:
        each.close()


def impatient(name: str, made: list[Bot]) -> Bot:
    """A bot that has little time, once it has started."""
    made.append(Bot(name.removeprefix("cmd:"), limit=QUICK, grace=0))
    return made[-1]


def forfeit_of(player: Player) -> Forfeit:
    with pytest.raises(Forfeit) as caught:
        ask(player)
    return caught.value


def started(player: Bot) -> Bot:
    ask(player)
    return player


def test_a_bot_is_asked_with_its_view_the_moves_the_budget_and_a_seed(
    tmp_path: Path, made: list[Bot]
) -> None:
    name = bot(tmp_path, f"open({str(tmp_path / 'asked')!r}, 'w').write(line)\n{HONEST}")
    view, moves = a_turn()
    assert ask(impatient(name, made), Budget(0.5, None)) == moves[0]
    asked = json.loads((tmp_path / "asked").read_text())
    assert list(asked) == ["view", "moves", "budget", "seed"]
    assert asked["moves"] == [str(move) for move in moves]
    assert asked["view"]["seat"] == view.seat
    assert asked["budget"] == {"seconds": 0.5, "iterations": None}
    assert asked["seed"] == int(Random(0).random() * SEED_LIMIT)


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
def test_whoever_does_not_answer_with_one_legal_move_in_time_forfeits(
    tmp_path: Path, made: list[Bot], body: str, reason: str
) -> None:
    honest = f"{body}\nsys.stdout.flush()\nturn or {HONEST}"
    assert forfeit_of(started(impatient(bot(tmp_path, honest), made))).reason == reason


def test_speaking_before_the_question_is_babbling(tmp_path: Path, made: list[Bot]) -> None:
    player = started(
        impatient(bot(tmp_path, f"{HONEST}\ntime.sleep(0.1)\nprint('more', flush=True)"), made)
    )
    time.sleep(0.3)
    assert forfeit_of(player).reason == "babbling"


def test_a_bot_that_does_not_read_is_late_and_never_holds_us_up(tmp_path: Path) -> None:
    deaf = _Process(shlex.split(bot(tmp_path, "pass", "time.sleep(60)").removeprefix("cmd:")))
    with pytest.raises(Forfeit) as caught:
        deaf.ask(b"x" * 1_000_000, QUICK)
    deaf.end(0)
    assert caught.value.reason == "late"


def test_ten_megabytes_in_one_line_do_not_fill_our_memory(tmp_path: Path, made: list[Bot]) -> None:
    player = impatient(bot(tmp_path, "sys.stdout.write('x' * 10_000_000)"), made)
    tracemalloc.start()
    try:
        assert forfeit_of(player).reason == "babbling"
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_bot_may_write_as_much_as_it_likes_to_its_standard_error(
    tmp_path: Path, made: list[Bot]
) -> None:
    ask(impatient(bot(tmp_path, f"sys.stderr.write('grumble ' * 200_000)\n{HONEST}"), made))


def test_the_last_words_of_a_dead_bot_are_told(tmp_path: Path, made: list[Bot]) -> None:
    told = str(forfeit_of(impatient(bot(tmp_path, "raise RuntimeError('no idea')"), made)))
    assert told == "It has ended: RuntimeError: no idea"


def test_a_bot_that_forfeited_is_started_again(tmp_path: Path, made: list[Bot]) -> None:
    player = impatient(bot(tmp_path, f"turn and sys.exit()\n{HONEST}"), made)
    for _ in range(2):
        ask(player)
        assert forfeit_of(player).reason == "dead"


@pytest.mark.parametrize("leave", ["close", "forfeit"])
def test_a_bot_goes_with_everything_it_started(tmp_path: Path, made: list[Bot], leave: str) -> None:
    file = tmp_path / "child"
    before = (
        "import subprocess\n"
        f"child = subprocess.Popen(['sleep', '60']); open({str(file)!r}, 'w').write(str(child.pid))"
    )
    player = started(impatient(bot(tmp_path, f"turn and time.sleep(60)\n{HONEST}", before), made))
    child = int(file.read_text())
    assert running(child)
    if leave == "close":
        player.close()
    else:
        forfeit_of(player)
    deadline = time.monotonic() + 5
    while running(child) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not running(child)


def running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    # Nobody may be there to collect an orphan: it has ended all the same.
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("name", ["cmd:", "cmd:no-such-program-here", "cmd:'"])
def test_a_name_without_a_program_is_no_player(name: str) -> None:
    with pytest.raises(NoSuchPlayer):
        player_named(name)


class Redrawn:
    """A player of ours with the random numbers that the protocol would give it."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def choose(self, view: View, moves: Sequence[Move], rng: Random, budget: Budget) -> Move:
        return self._player.choose(view, moves, Random(int(rng.random() * SEED_LIMIT)), budget)

    def close(self) -> None:
        self._player.close()


def moves_of(pairs: list[Pair]) -> list[list[Move]]:
    return [read_record(line).rounds[0].moves for pair in pairs for line in pair.records]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_our_players_play_the_same_behind_the_protocol(name: str) -> None:
    command = "cmd:" + shlex.join([*COMMAND, "player", name])
    remote, local = player_named(command), Redrawn(player_named(name))
    names = ("one", "other")
    try:
        there = list(play_pairs((remote, player_named("random")), names, 2))
    finally:
        remote.close()
    here = list(play_pairs((local, player_named("random")), names, 2))
    assert moves_of(there) == moves_of(here)


def test_a_bot_killed_in_the_middle_loses_that_round_and_plays_the_next(
    tmp_path: Path, made: list[Bot]
) -> None:
    # Five turns of the first round, then it is gone; a process that finds the mark stays.
    mark = tmp_path / "killed"
    body = f"""if turn == 5 and not os.path.exists({str(mark)!r}):
    open({str(mark)!r}, 'w').close(); os.kill(os.getpid(), 9)
{HONEST}"""
    player = impatient(bot(tmp_path, body), made)
    (pair,) = play_pairs((player, player_named("random")), ("mortal", "random"), 1)
    lost, played = pair.outcomes
    assert (lost.score, lost.forfeit) == (0, (0, "dead"))
    assert played.forfeit is None
    record = read_record(pair.records[0])
    assert record.rounds[0].result is None
    assert Game.from_record(record).running is not None


def test_a_bot_is_started_anew_for_every_round_so_that_no_deal_is_remembered(
    tmp_path: Path, made: list[Bot]
) -> None:
    seen = tmp_path / "seen"
    before = f"open({str(seen)!r}, 'a').write(f'{{os.getpid()}}\\n')"
    name = bot(tmp_path, HONEST, before)
    made.append(Bot(name.removeprefix("cmd:")))
    list(play_pairs((made[0], player_named("random")), ("bot", "random"), 2))
    processes = seen.read_text().split()
    assert len(processes) == len(set(processes)) == 4
