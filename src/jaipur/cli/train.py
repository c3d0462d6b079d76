"""`jaipur train`: teach a network by self-play, in pieces of some minutes."""

import argparse
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "train",
        help="teach a network by self-play",
        description="Teach a network by self-play. A folder that holds the same training is gone on with.",
    )
    parser.add_argument("--config", metavar="FILE", required=True, help="what to do, as TOML")
    parser.add_argument("--minutes", type=_minutes, required=True, help="how long at most")
    parser.add_argument("--out", metavar="DIR", required=True, help="where it is kept")
    parser.add_argument(
        "--device", choices=("cpu", "gpu"), default="cpu", help="who does the work (default: cpu)"
    )
    parser.set_defaults(run=run)


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes < float("inf"):
        raise argparse.ArgumentTypeError(f"some minutes are needed, not {text}")
    return minutes


def run(arguments: argparse.Namespace) -> int:
    try:
        import_module("jaipur.training")
    except ImportError as missing:
        raise argparse.ArgumentTypeError(str(missing)) from None
    from jaipur.simulation import SimulationError
    from jaipur.training import Training, read_config

    try:
        config = read_config(Path(arguments.config))
        training = Training(config, Path(arguments.out), arguments.device)
    except SimulationError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    training.run(arguments.minutes)
    progress = training.progress
    print(f"{progress.rounds:,} rounds in {progress.seconds:,.0f} seconds, in {arguments.out}.")
    return 0
