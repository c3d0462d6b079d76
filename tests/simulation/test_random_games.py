"""`jaipur simulate --fast` plays the same games as without `--fast`."""

from pathlib import Path

from command import jaipur

GAMES = ("simulate", "--players", "random", "random", "--games", "30", "--seed", "9")


def test_the_same_seed_gives_the_same_records_with_and_without_fast(tmp_path: Path) -> None:
    ways = {"plain": (), "fast": ("--fast",), "fast in two": ("--fast", "--jobs", "2")}
    outputs = {
        jaipur(*GAMES, *way, "--records", tmp_path / name).stdout for name, way in ways.items()
    }
    assert len(outputs) == 1
    assert len({(tmp_path / name).read_bytes() for name in ways}) == 1
    assert (tmp_path / "plain").read_text().count("\n") == 30
