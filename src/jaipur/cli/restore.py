"""`jaipur restore FILE`: fills an empty database from a backup (docs/how-to/hosting.md)."""

import argparse
import asyncio
from pathlib import Path

from jaipur.cli.arguments import add_database, database_errors, database_url
from jaipur.cli.output import progress

HELP = "fill an empty database from a backup"
DESCRIPTION = (
    "Fill an empty database from a file of “jaipur backup”. The file is checked first. "
    "After an error or an interruption the database is still empty."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="file of the backup")
    add_database(parser)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.server.store.backup import restore

    url = database_url(arguments)
    with database_errors():
        tables = asyncio.run(restore(url, arguments.file, progress))
    print(f"Tables restored: {tables}.")
    return 0
