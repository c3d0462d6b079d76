"""`jaipur train`: train a network by self-play, or resume a training."""

import argparse
from importlib import import_module
from pathlib import Path

HELP = "train a network by self-play"
DESCRIPTION = "Train a network by self-play. If the folder holds the same training, it is resumed."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option = parser.add_argument
    option("--config", metavar="FILE", required=True, help="the configuration (TOML)")
    option("--minutes", type=_minutes, required=True, help="stop after this time")
    option("--out", metavar="DIR", required=True, help="the folder of the training")
    option(
        "--device", choices=("cpu", "gpu"), default="cpu", help="where to compute (default: cpu)"
    )


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
