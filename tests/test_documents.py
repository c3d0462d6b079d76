"""The documents are true: the commands and the Python of the README run, and what a page links to is there."""

import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from jaipur.notation import read_view, write_view
from jaipur.rules import deal_unseen, view_of

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
COMMAND = re.compile(r"^\./jaipur (\w+ .*?)(?:  +#.*)?$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def commands_of_the_readme() -> list[list[str]]:
    """What the README tells to type, but for games that wait for a person."""
    lines = COMMAND.findall((ROOT / "README.md").read_text())
    return [words for words in map(shlex.split, lines) if words[0] != "play"]


def test_the_commands_of_the_readme_run_one_after_the_other(tmp_path: Path) -> None:
    commands = commands_of_the_readme()
    assert len(commands) > 4
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for words in commands:
        done = subprocess.run(
            [sys.executable, "-m", "jaipur", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, (words, done.stderr)


def test_the_python_of_the_readme_says_what_it_says() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 4) == (0, True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert not missing


def test_the_view_of_the_notation_page_is_a_real_one() -> None:
    page = (ROOT / "docs" / "reference" / "notation.md").read_text()
    (example,) = re.findall(r"^\{\"seat\".*?^```", page, re.DOTALL | re.MULTILINE)
    view = read_view(example.removesuffix("```"))
    again = view_of(deal_unseen(view, Random(1)), view.seat)
    assert again == view
    assert write_view(view) == json.dumps(json.loads(example[:-3]), separators=(",", ":"))
