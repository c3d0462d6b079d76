"""The progress bar of long commands."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(unit: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar if standard error is a terminal.

    Yield a function. The caller calls it with the number of new steps.
    """
    if not sys.stderr.isatty():
        yield lambda _steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(None), MofNCompleteColumn(), unit, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(unit, total=total)
        yield lambda steps: bar.advance(task, steps)
