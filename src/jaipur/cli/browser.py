"""`jaipur` without a subcommand: starts a local server and opens the table in a browser.

If the local server is already running, the command only opens the browser.
"""

import argparse
import os
import sys
from collections.abc import Mapping
from errno import EADDRINUSE

HOST = "127.0.0.1"


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address and do not open a browser"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    import webbrowser
    from threading import Thread

    from jaipur.cli.local_server import LocalServer
    from jaipur.cli.serve import server_errors
    from jaipur.server.http.pages import NOT_BUILT, load_pages
    from jaipur.server.run import serve
    from jaipur.server.settings import Settings

    open_browser = not arguments.no_browser and has_display(os.environ)
    server = LocalServer()
    if not server.owned:
        address = server.wait_for_address()
        if address is None:
            raise argparse.ArgumentTypeError("Jaipur is already running but does not respond.")
        print(f"The table is open already, at {address}", flush=True)
        if open_browser:
            webbrowser.open(address)
        return 0
    if load_pages() is None:
        raise argparse.ArgumentTypeError(NOT_BUILT.strip())

    def started(address: str) -> None:
        server.store_address(address)
        print(f"The table is open at {address} (Ctrl-C stops)", flush=True)
        if open_browser:  # in a thread, because this call may block
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    settings = Settings(database=server.database)
    with server_errors():
        try:
            serve(settings, HOST, server.last_port(), started=started)
        except OSError as error:
            if error.errno != EADDRINUSE:
                raise
            serve(settings, HOST, 0, started=started)
    return 0


def has_display(environment: Mapping[str, str]) -> bool:
    """Return whether a graphical browser can be opened."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(map(environment.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
