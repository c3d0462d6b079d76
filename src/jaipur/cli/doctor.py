"""`jaipur doctor`: checks every table of a server, and repairs rows and snapshots that differ from the event logs."""

import argparse
import asyncio

from jaipur.cli.arguments import add_database, database_errors, database_url
from jaipur.cli.output import progress

HELP = "check and repair the tables of a server"
DESCRIPTION = (
    "Check every table of a server, also while games run: replay its event log, and compare the row and the snapshots "
    "of the table with the log. The exit status is 1 if problems remain. No game is ever deleted."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_database(parser)
    repair = "write the rows again that differ from the event logs"
    parser.add_argument("--repair", action="store_true", help=repair)


def run(arguments: argparse.Namespace) -> int:
    with database_errors():
        return asyncio.run(_examine(database_url(arguments), arguments.repair))


async def _examine(url: str, repair: bool) -> int:
    """Print a line for each problem and a summary. Return the exit status."""
    from jaipur.server.store.backup import check_exists
    from jaipur.server.store.backup_file import count_tables
    from jaipur.server.store.database import open_database
    from jaipur.server.store.doctor import examine

    check_exists(url)
    database = await open_database(url)
    checked = repaired = remaining = 0
    try:
        with progress("tables", await database.read(count_tables)) as advance:
            async for table, findings in examine(database, repair=repair, advance=advance):
                checked += table is not None
                for finding in findings:
                    done = repair and finding.repairable
                    repaired, remaining = repaired + done, remaining + (not done)
                    place = "The database file" if table is None else f"Table {table}"
                    print(f"{place}: {finding.sentence} {_state(finding.repairable, done)}")
    finally:
        await database.close()
    print(f"Tables: {checked}. Problems repaired: {repaired}. Problems left: {remaining}.")
    return 1 if remaining else 0


def _state(repairable: bool, done: bool) -> str:
    if done:
        return "Repaired."
    return "--repair repairs this." if repairable else "This cannot be repaired."
