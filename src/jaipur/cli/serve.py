"""`jaipur serve`: tables over HTTP, for people's browsers and for bots (docs/reference/http-api.md, docs/how-to/hosting.md)."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaipur.cli.arguments import at_least

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands
    from jaipur.server.settings import Settings


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "serve",
        help="keep tables for people and bots, over HTTP",
        description="Keep tables for people and bots, over HTTP, until it is stopped (Ctrl-C).",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="where to listen (default: this machine only)"
    )
    parser.add_argument(
        "--port", type=at_least(0, 65_535), default=8080, help="default 8080; 0: a free one"
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://… (default: a file in the data folder)",
    )
    parser.add_argument(
        "--redis", metavar="URL", help="redis://… through which several processes tell each other"
    )
    parser.add_argument(
        "--workers",
        type=at_least(1, 64),
        default=1,
        metavar="N",
        help="server processes (more than one needs --redis)",
    )
    parser.add_argument(
        "--thinkers",
        type=at_least(1, 256),
        metavar="N",
        help="processes in which computers think (default: one a core)",
    )
    parser.add_argument(
        "--think",
        type=at_least(1, 60_000),
        default=500,
        metavar="MS",
        help="what the strongest computers think about a move (default 500)",
    )
    parser.add_argument(
        "--limit",
        type=at_least(0),
        default=50,
        metavar="N",
        help="requests a second that one address may send (default 50; 0: any number)",
    )
    parser.add_argument(
        "--tables",
        type=at_least(0),
        default=60,
        metavar="N",
        help="tables a minute that one address may open (default 60; 0: any number)",
    )
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        help="a reverse proxy whose word about the client's address is taken",
    )
    parser.add_argument(
        "--prefix",
        default="",
        metavar="PATH",
        help="the path under which a proxy shows this server",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.cli.place import Place
    from jaipur.server.settings import Settings

    if arguments.workers > 1 and arguments.redis is None:
        raise argparse.ArgumentTypeError("Several processes need --redis to tell each other.")
    place = Place() if arguments.database is None else None
    if place is not None and not place.ours:
        raise argparse.ArgumentTypeError(f"These tables are open at {place.last_address()}.")

    def started(address: str) -> None:
        if place is not None:
            place.move_in(address)
        print(f"Tables are open at {address} (Ctrl-C stops)", flush=True)

    settings = Settings(
        database=place.database if place is not None else arguments.database,
        redis=arguments.redis,
        alone=arguments.workers == 1 and arguments.redis is None,
        thinkers=arguments.thinkers,
        think_seconds=arguments.think / 1000,
        requests_a_second=arguments.limit,
        tables_a_minute=arguments.tables,
    )
    prefix = arguments.prefix.strip("/")
    keep_tables(
        settings,
        arguments.host,
        arguments.port,
        workers=arguments.workers,
        proxy=arguments.proxy,
        prefix=f"/{prefix}" if prefix else "",
        started=started,
    )
    return 0


def keep_tables(
    settings: "Settings",
    host: str,
    port: int,
    *,
    workers: int = 1,
    proxy: str | None = None,
    prefix: str = "",
    started: Callable[[str], None],
) -> None:
    """Serve until interrupted; what is wrong with the settings is said in one sentence."""
    from jaipur.server.live.pubsub import BellError
    from jaipur.server.run import serve
    from jaipur.server.store.event_store import StoreError

    try:
        serve(settings, host, port, workers=workers, proxy=proxy, prefix=prefix, started=started)
    except KeyboardInterrupt:
        pass
    except (StoreError, BellError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None
