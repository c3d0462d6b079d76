"""`jaipur serve`: the HTTP server for browsers and bots (docs/reference/http-api.md, docs/how-to/hosting.md)."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from jaipur.cli.arguments import integer

if TYPE_CHECKING:
    from jaipur.cli.arguments import Commands
    from jaipur.server.settings import Settings


def add(commands: "Commands") -> None:
    parser = commands.add_parser(
        "serve",
        help="run the HTTP server",
        description="Run the HTTP server for browsers and bots until it is stopped (Ctrl-C).",
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default: 127.0.0.1, this machine only)",
    )
    parser.add_argument(
        "--port",
        type=integer(0, 65_535),
        default=8080,
        help="port (default: 8080; 0: any free port)",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://… (default: a file in the data folder)",
    )
    parser.add_argument(
        "--redis", metavar="URL", help="redis://… for notifications between processes"
    )
    parser.add_argument(
        "--workers",
        type=integer(1, 64),
        default=1,
        metavar="N",
        help="number of server processes (more than one needs --redis)",
    )
    parser.add_argument(
        "--thinkers",
        type=integer(1, 256),
        metavar="N",
        help="number of processes for computer players (default: one per core)",
    )
    parser.add_argument(
        "--think",
        type=integer(1, 60_000),
        default=500,
        metavar="MS",
        help="time per move of the strongest computer players (default: 500)",
    )
    parser.add_argument(
        "--limit",
        type=integer(0),
        default=50,
        metavar="N",
        help="requests per second and client address (default: 50; 0: no limit)",
    )
    parser.add_argument(
        "--tables",
        type=integer(0),
        default=60,
        metavar="N",
        help="new tables per minute and client address (default: 60; 0: no limit)",
    )
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        help="address of a reverse proxy whose X-Forwarded headers are trusted",
    )
    parser.add_argument(
        "--prefix",
        default="",
        metavar="PATH",
        help="path under which a proxy serves this server",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.cli.local_server import LocalServer
    from jaipur.server.settings import Settings

    if arguments.workers > 1 and arguments.redis is None:
        raise argparse.ArgumentTypeError("More than one server process needs --redis.")
    local = LocalServer() if arguments.database is None else None
    if local is not None and not local.owned:
        raise argparse.ArgumentTypeError(f"These tables are open at {local.last_address()}.")

    def started(address: str) -> None:
        if local is not None:
            local.store_address(address)
        print(f"Tables are open at {address} (Ctrl-C stops)", flush=True)

    settings = Settings(
        database=local.database if local is not None else arguments.database,
        redis=arguments.redis,
        alone=arguments.workers == 1 and arguments.redis is None,
        thinkers=arguments.thinkers,
        think_seconds=arguments.think / 1000,
        requests_a_second=arguments.limit,
        tables_a_minute=arguments.tables,
    )
    prefix = arguments.prefix.strip("/")
    run_server(
        settings,
        arguments.host,
        arguments.port,
        workers=arguments.workers,
        proxy=arguments.proxy,
        prefix=f"/{prefix}" if prefix else "",
        started=started,
    )
    return 0


def run_server(
    settings: "Settings",
    host: str,
    port: int,
    *,
    workers: int = 1,
    proxy: str | None = None,
    prefix: str = "",
    started: Callable[[str], None],
) -> None:
    """Serve until interrupted. Errors in the settings become one sentence."""
    from jaipur.server.live.pubsub import PubSubError
    from jaipur.server.run import serve
    from jaipur.server.store.event_store import StoreError

    try:
        serve(settings, host, port, workers=workers, proxy=proxy, prefix=prefix, started=started)
    except KeyboardInterrupt:
        pass
    except (StoreError, PubSubError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None
