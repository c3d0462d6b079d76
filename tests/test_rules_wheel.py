"""The wheel `jaipur-rules` has no dependencies and plays a round without any other package."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

PROJECT = Path(__file__).parent.parent / "packaging" / "rules"
ROUND = """
import sys
sys.path.insert(0, sys.argv[1])
from random import Random
from jaipur_rules import Deal, new_round

rng = Random(1)
position = new_round(Deal.shuffled(rng))
while not position.ended:
    position.play(rng.choice(position.legal_moves()))
print(position.result().ended)
"""


def test_the_rules_wheel_plays_a_round_on_its_own(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("jaipur_rules-*.whl")
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        assert b"Requires-Dist" not in archive.read(metadata)
    # Isolated and without site-packages: the wheel is all that can be imported.
    played = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ROUND, wheel],
        capture_output=True,
        text=True,
        check=True,
    )
    assert played.stdout.strip() in ("goods", "deck")
