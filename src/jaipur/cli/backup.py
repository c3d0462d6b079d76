"""`jaipur backup FILE`: writes all tables of a server into a file, even while games run (docs/how-to/hosting.md)."""

import argparse
import asyncio
import sys
import time
from pathlib import Path

from jaipur.cli.arguments import add_database, database_errors, database_url
from jaipur.cli.output import progress

HELP = "write the tables of a server into a file"
DESCRIPTION = (
    "Write all tables of a server into a file, also while games run. The file is read back and every game is replayed "
    "before the file replaces an older one. It contains all hidden cards. The exit status is 1 if a table is damaged."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="file of the backup")
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.server.store.backup import back_up

    url = database_url(arguments)
    with database_errors():
        now = time.time_ns() // 1_000_000
        written = asyncio.run(back_up(url, arguments.file, now, progress))
    counts = f"tables: {written.tables}, events: {written.entries}"
    print(f"{arguments.file} is written and verified ({counts}).")
    if written.damaged:
        some = ", ".join(written.damaged[:10])
        sys.stderr.write(
            f"jaipur: Damaged tables: {len(written.damaged)} ({some}). The backup contains them unchanged. "
            "“jaipur doctor” says what can be repaired.\n"
        )
        return 1
    return 0
