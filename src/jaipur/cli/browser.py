"""`jaipur` alone: the table in a browser on this machine. A second start finds the server of the first."""

import argparse
import os
import sys
from collections.abc import Mapping
from errno import EADDRINUSE

HOST = "127.0.0.1"


def add(parser: argparse.ArgumentParser) -> None:
    """What the command does where no subcommand is named."""
    parser.add_argument(
        "--no-browser", action="store_true", help="only say where the table is, and open no browser"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import webbrowser
    from threading import Thread

    from jaipur.cli.place import Place
    from jaipur.cli.serve import keep_tables
    from jaipur.server.http.pages import NOT_BUILT, pages
    from jaipur.server.settings import Settings

    browser = not arguments.no_browser and has_display(os.environ)
    place = Place()
    if not place.ours:
        running = place.find_server()
        if running is None:
            raise argparse.ArgumentTypeError("Jaipur runs already, but does not answer.")
        print(f"The table is open already, at {running}", flush=True)
        if browser:
            webbrowser.open(running)
        return 0
    if pages() is None:
        raise argparse.ArgumentTypeError(NOT_BUILT.strip())

    def started(address: str) -> None:
        place.move_in(address)
        print(f"The table is open at {address} (Ctrl-C stops)", flush=True)
        if browser:  # which may take its time, while the server goes on
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    settings = Settings(database=place.database)
    try:
        keep_tables(settings, HOST, place.last_port(), started=started)
    except OSError as error:
        if error.errno != EADDRINUSE:
            raise
        keep_tables(settings, HOST, 0, started=started)
    return 0


def has_display(environment: Mapping[str, str]) -> bool:
    """Whether a browser would have a window; one in the terminal is not what is wanted."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(map(environment.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
