"""`jaipur train`: train a network by self-play, or resume a training."""

import argparse
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "train",
        help="train a network by self-play",
        description="Train a network by self-play. If the folder holds the same training, it is resumed.",
    )
    parser.add_argument("--config", metavar="FILE", required=True, help="the configuration (TOML)")
    parser.add_argument("--minutes", type=_minutes, required=True, help="stop after this time")
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder of the training")
    parser.add_argument(
        "--device", choices=("cpu", "gpu"), default="cpu", help="where to compute (default: cpu)"
    )
    parser.set_defaults(run=run)


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a positive number, not {text}")
    return minutes


def run(arguments: argparse.Namespace) -> int:
    try:
        import_module("jaipur.training")
    except ImportError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    from jaipur.simulation import SimulationError
    from jaipur.training import Trainer, read_config

    try:
        config = read_config(Path(arguments.config))
        trainer = Trainer(config, Path(arguments.out), arguments.device)
    except SimulationError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    trainer.run(arguments.minutes)
    progress = trainer.progress
    print(f"{progress.rounds:,} rounds in {progress.seconds:,.0f} seconds, in {arguments.out}.")
    return 0
