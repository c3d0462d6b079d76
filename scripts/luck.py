"""Prints the win rates of an arena with and without the luck correction (see `jaipur.analysis.luck`).

Run `python scripts/luck.py FILE … [--jobs N]`. The files are records that `jaipur arena` has written for matches of
single rounds. A pair takes about a second on one core.
"""

import os
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, pstdev

from jaipur.analysis.luck import group_pairs, score_pair
from jaipur.arena.process_pool import cores, map_ordered
from jaipur.cli.output import progress
from jaipur.notation import read_records


def with_interval(rates: Sequence[float]) -> str:
    """Return the mean with a 95 % confidence interval, as text."""
    return f"{100 * fmean(rates):.1f} % ± {196 * pstdev(rates) / len(rates) ** 0.5:.1f}"


def main() -> None:
    parser = ArgumentParser(description="Win rates of an arena without the luck of the draw.")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=cores())
    arguments = parser.parse_args()
    # Use one BLAS thread per worker process, as in jaipur/__main__.py.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    print(
        "| player | opponent | pairs | win rate | luck-corrected |\n| --- | --- | ---: | ---: | ---: |"
    )
    for file in arguments.files:
        with file.open("rb") as stream:
            pairs = group_pairs(read_records(stream))
        scores = []
        with progress("pairs", len(pairs)) as done:
            for score in map_ordered(score_pair, pairs, arguments.jobs):
                scores.append(score)
                done(1)
        opponent, player = pairs[0][0].players
        win_rate = with_interval([score.win_rate for score in scores])
        corrected = with_interval([score.corrected for score in scores])
        print(f"| {player} | {opponent} | {len(pairs)} | {win_rate} | {corrected} |")


if __name__ == "__main__":
    main()
