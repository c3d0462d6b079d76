"""The scripts that measure: what thinking is worth, and shares without the luck of the draw."""

import re
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random

import pytest

from jaipur.cli import main
from jaipur.notation import RoundRecord
from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, new_round

SCRIPTS = Path(__file__).parents[2] / "scripts"
GAIN = r"[+-]\d+\.\d\d % ± \d+\.\d\d"


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, str(SCRIPTS / f"{name}.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_what_thinking_is_worth_is_said_for_every_time() -> None:
    said = run("thinking", "--positions", 2, "--times", 0.01, 0.02, "--jobs", 1)
    assert re.search(rf"^\| 0\.01 s \| {GAIN} \|  \|$", said, re.MULTILINE)
    assert re.search(rf"^\| 0\.02 s \| {GAIN} \| {GAIN} \|$", said, re.MULTILINE)


def test_an_arena_is_read_and_its_shares_are_said_twice(tmp_path: Path) -> None:
    arena = ["arena", "--players", "random", "peddler", "--pairs", "3", "--seed", "1"]
    assert main([*arena, "--out", str(tmp_path)]) == 0
    (file,) = tmp_path.glob("*.jaipur.jsonl")
    (row,) = re.findall(r"^\| peddler \| random \| 3 \| .*$", run("luck", file), re.MULTILINE)
    share, clean = re.findall(r"(-?\d+\.\d) % ±", row)
    assert float(share) * 6 % 50 == pytest.approx(0, abs=0.5)
    assert -50 < float(clean) < 150


def test_what_the_deck_gives_to_one_it_takes_from_the_other() -> None:
    spec = spec_from_file_location("luck", SCRIPTS / "luck.py")
    assert spec is not None
    assert spec.loader is not None
    luck = module_from_spec(spec)
    spec.loader.exec_module(luck)
    rng, greedy = Random(5), player_named("greedy")
    deal = Deal.shuffled(rng)
    position, moves = new_round(deal), []
    while choice := position.legal_moves():
        moves.append(greedy.choose(position.view(position.turn), choice, rng, NO_BUDGET))
        position.play(moves[-1])
    played = RoundRecord(deal, moves, position.result())
    one, other = (luck.luck(played, seat, Random(1)) for seat in (0, 1))
    assert one == pytest.approx(-other)
    assert one != 0
    for come in (1, 3):
        found = list(luck.decks(list(deal.pack[:9]), come, Random(2)))
        assert sum(weight for weight, _ in found) == pytest.approx(1)
        assert all(sorted(deck) == sorted(deal.pack[:9]) for _, deck in found)
