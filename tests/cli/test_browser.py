"""`jaipur` without a subcommand: opens the browser, one server per data folder, reused and stopped cleanly."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from command import COMMAND
from jaipur.cli.browser import has_display


def environment_of(folder: Path) -> dict[str, str]:
    """A separate data folder, and a browser command that logs its argument."""
    script = "import pathlib, sys; pathlib.Path(sys.argv[1]).open('a').write(sys.argv[2] + '\\n')"
    browser = shlex.join([sys.executable, "-c", script, str(folder / "shown")]) + " %s"
    return os.environ | {"JAIPUR_DATA": str(folder), "BROWSER": browser}


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator["tuple[subprocess.Popen[str], str]"]:
    """A first start and the address it prints."""
    with subprocess.Popen(
        [*COMMAND, *arguments], env=environment_of(folder), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line.startswith("The table is open at http://127.0.0.1:")
            assert "Ctrl-C" in line
            yield process, line.split()[5]
        finally:
            process.kill()


def again(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment_of(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def status_of(address: str) -> int:
    connection = HTTPConnection(address.removeprefix("http://"), timeout=20)
    connection.request("GET", "/")
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_table_opens_in_the_browser_and_a_second_start_reuses_it(tmp_path: Path) -> None:
    with started(tmp_path) as (process, address):
        assert status_of(address) == 200
        second = again(tmp_path)
        assert second.returncode == 0
        assert second.stdout == f"The table is open already, at {address}\n"
        assert (tmp_path / "shown").read_text() == f"{address}\n" * 2
        refused = again(tmp_path, "serve", "--port", "0")
        assert refused.returncode == 2
        assert refused.stderr == f"jaipur: These tables are open at {address}.\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_the_next_start_has_the_same_address_even_after_a_crash(tmp_path: Path) -> None:
    with started(tmp_path, "--no-browser") as (process, address):
        process.kill()
    with started(tmp_path, "--no-browser") as (_, next_address):
        assert next_address == address
        assert status_of(address) == 200
    assert not (tmp_path / "shown").exists()


@pytest.mark.parametrize("stored", ["", "nonsense", "http://127.0.0.1:1", "http://[", "x://y:z"])
def test_an_invalid_stored_address_is_ignored(tmp_path: Path, stored: str) -> None:
    (tmp_path / "address").write_text(stored)
    with started(tmp_path, "--no-browser") as (_, address):
        assert status_of(address) == 200


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="always has a display")
@pytest.mark.parametrize(
    ("environment", "there"),
    [({}, False), ({"DISPLAY": ""}, False), ({"DISPLAY": ":0"}, True), ({"BROWSER": "x"}, True)],
)
def test_without_a_display_no_browser_is_opened(
    environment: Mapping[str, str], there: bool
) -> None:
    assert has_display(environment) is there
