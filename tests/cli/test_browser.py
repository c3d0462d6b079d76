"""`jaipur` alone: the table opens in a browser, one server a data folder, found again and stopped cleanly."""

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


def surroundings(folder: Path) -> dict[str, str]:
    """A data folder of its own, and a browser that writes down what it is shown."""
    told = "import pathlib, sys; pathlib.Path(sys.argv[1]).open('a').write(sys.argv[2] + '\\n')"
    browser = shlex.join([sys.executable, "-c", told, str(folder / "shown")]) + " %s"
    return os.environ | {"JAIPUR_DATA": str(folder), "BROWSER": browser}


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator["tuple[subprocess.Popen[str], str]"]:
    """A first start, and the address it says."""
    with subprocess.Popen(
        [*COMMAND, *arguments], env=surroundings(folder), stdout=subprocess.PIPE, text=True
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
        env=surroundings(folder),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def answers(address: str) -> int:
    connection = HTTPConnection(address.removeprefix("http://"), timeout=20)
    connection.request("GET", "/")
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_table_opens_in_the_browser_and_a_second_start_finds_it(tmp_path: Path) -> None:
    with started(tmp_path) as (process, address):
        assert answers(address) == 200
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
        assert answers(address) == 200
    assert not (tmp_path / "shown").exists()


@pytest.mark.parametrize("left_over", ["", "nonsense", "http://127.0.0.1:1", "http://[", "x://y:z"])
def test_an_address_that_is_no_longer_good_is_passed_over(tmp_path: Path, left_over: str) -> None:
    (tmp_path / "address").write_text(left_over)
    with started(tmp_path, "--no-browser") as (_, address):
        assert answers(address) == 200


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there always is a display")
@pytest.mark.parametrize(
    ("environment", "there"),
    [({}, False), ({"DISPLAY": ""}, False), ({"DISPLAY": ":0"}, True), ({"BROWSER": "x"}, True)],
)
def test_without_a_display_no_browser_is_opened(
    environment: Mapping[str, str], there: bool
) -> None:
    assert has_display(environment) is there
