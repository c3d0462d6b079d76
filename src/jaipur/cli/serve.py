"""`jaipur serve`: the HTTP server for browsers and bots (docs/reference/http-api.md, docs/how-to/hosting.md)."""

import argparse
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from ipaddress import IPv4Network, IPv6Network, ip_network

from jaipur.cli.arguments import integer

HELP = "run the HTTP server"
DESCRIPTION = "Run the HTTP server for browsers and bots until it is stopped (Ctrl-C)."

METRICS_TOKEN = "JAIPUR_METRICS_TOKEN"
_MIN_TOKEN_LENGTH = 16
_HOST_NAME = re.compile(r"[\w-]+(\.[\w-]+)*", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    option = parser.add_argument
    host = "address to listen on (default: 127.0.0.1, this machine only)"
    option("--host", default="127.0.0.1", help=host)
    port = "port (default: 8080; 0: any free port)"
    option("--port", type=integer(0, 65_535), default=8080, help=port)
    database = "sqlite:///FILE or postgresql://… (default: a file in the data folder)"
    option("--database", metavar="URL", help=database)
    option("--redis", metavar="URL", help="redis://… for notifications between processes")
    workers = "number of server processes (more than one needs --redis)"
    option("--workers", type=integer(1, 64), default=1, metavar="N", help=workers)
    thinkers = "number of processes for computer players, at least 2 (default: one per core)"
    option("--thinkers", type=integer(1, 256), metavar="N", help=thinkers)
    think = "time per move of the strongest computer players (default: 500)"
    option("--think", type=integer(1, 60_000), default=500, metavar="MS", help=think)
    limit = "requests per second and client address (default: 50; 0: no limit)"
    option("--limit", type=integer(0), default=50, metavar="N", help=limit)
    tables = "new tables per minute and client address (default: 60; 0: no limit)"
    option("--tables", type=integer(0), default=60, metavar="N", help=tables)
    quota = "megabytes stored per day and client address (default: 50, but 0 with --limit 0; 0: no limit)"
    option("--quota", type=integer(0), metavar="MB", help=quota)
    unfinished = "unfinished tables per visitor (default: 100, but 0 with --tables 0; 0: no limit)"
    option("--unfinished", type=integer(0), metavar="N", help=unfinished)
    keep = "delete finished games after this many days (default: 0, keep them)"
    option("--keep", type=integer(0, 36_500), default=0, metavar="DAYS", help=keep)
    connections = "open connections per client address (default: 200; 0: no limit)"
    option("--connections", type=integer(0), default=200, metavar="N", help=connections)
    name = "public name of this server, such as play.example.org; can be repeated"
    option("--name", type=_host_name, action="append", metavar="NAME", help=name)
    proxy = "address or network of a reverse proxy whose X-Forwarded headers are trusted"
    option("--proxy", type=_networks, metavar="ADDRESS", help=proxy)
    option(
        "--prefix", default="", metavar="PATH", help="path under which a proxy serves this server"
    )
    metrics = f"secret that opens /metrics (default: the environment variable {METRICS_TOKEN})"
    option("--metrics-token", type=_token, metavar="TOKEN", help=metrics)


def run(arguments: argparse.Namespace) -> int:
    from jaipur.cli.local_server import LocalServer, locked_database
    from jaipur.server.run import serve
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
        keep_days=arguments.keep,
        thinkers=arguments.thinkers,
        think_seconds=arguments.think / 1000,
        requests_a_second=arguments.limit,
        tables_a_minute=arguments.tables,
        megabytes_a_day=_default(arguments.quota, 50 if arguments.limit else 0),
        unfinished_tables=_default(arguments.unfinished, 100 if arguments.tables else 0),
        names=(arguments.host, *(arguments.name or ())),
        metrics_token=arguments.metrics_token or _token_of_environment(),
    )
    prefix = arguments.prefix.strip("/")
    # The lock of the data folder also locks the database in it.
    lock = (
        nullcontext()
        if local is not None
        else locked_database(arguments.database, shared=arguments.redis is not None)
    )
    with server_errors(), lock:
        serve(
            settings,
            arguments.host,
            arguments.port,
            workers=arguments.workers,
            proxies=arguments.proxy or (),
            prefix=f"/{prefix}" if prefix else "",
            connections=arguments.connections,
            started=started,
        )
    return 0


def _default(value: int | None, default: int) -> int:
    return default if value is None else value


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Parse IP addresses and networks that are separated by commas."""
    networks = []
    for part in text.split(","):
        try:
            networks.append(ip_network(part.strip()))
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"“{part[:40]}” is not an IP address or a network such as 10.0.0.0/8"
            ) from None
    return tuple(networks)


def _host_name(text: str) -> str:
    if not _HOST_NAME.fullmatch(text):
        raise argparse.ArgumentTypeError(f"“{text[:40]}” is not a host name")
    return text


def _token(text: str) -> str:
    if len(text) < _MIN_TOKEN_LENGTH:
        raise argparse.ArgumentTypeError(f"it has fewer than {_MIN_TOKEN_LENGTH} characters")
    return text


def _token_of_environment() -> str | None:
    text = os.environ.get(METRICS_TOKEN)
    try:
        return _token(text) if text else None
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{METRICS_TOKEN}: {error}.") from None


@contextmanager
def server_errors() -> Iterator[None]:
    """Exit normally after Ctrl-C. Convert errors of the database and of Redis to errors of the arguments."""
    from jaipur.server.live.pubsub import PubSubError
    from jaipur.server.store.event_store import StoreError

    try:
        yield
    except KeyboardInterrupt:
        pass
    except (StoreError, PubSubError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None
