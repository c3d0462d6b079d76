"""The documentation is true: commands and code run as written, and links lead somewhere."""

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
from jaipur.rules import deal_unseen

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
COMMAND = re.compile(r"^\./jaipur (\w+ .*?)(?:  +#.*)?$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def test_the_commands_of_the_study_page_run_in_order(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "study.md").read_text("utf-8")
    commands = [shlex.split(line) for line in COMMAND.findall(page)]
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


def test_the_python_example_of_the_readme_prints_what_it_shows() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 4) == (0, True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_local_links_lead_to_files(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert not missing


def test_the_bots_of_the_tutorial_play(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tutorials" / "first-bot.md").read_text("utf-8")
    bots = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(bots) == 3
    names = []
    for number, source in enumerate(bots):
        (tmp_path / f"bot{number}.py").write_text(source)
        names.append(f"cmd:{sys.executable} bot{number}.py")
    arena = ["arena", "--players", *names, "--pairs", "2", "--seed", "1", "--out", "results"]
    command = [sys.executable, "-m", "jaipur", *arena]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    assert [match["forfeits"] for match in results["matches"]] == [[{}, {}]] * 3


def test_the_view_on_the_notation_page_is_valid() -> None:
    page = (ROOT / "docs" / "reference" / "notation.md").read_text()
    (example,) = re.findall(r"^\{\"seat\".*?^```", page, re.DOTALL | re.MULTILINE)
    view = read_view(example.removesuffix("```"))
    again = deal_unseen(view, Random(1)).view(view.seat)
    assert again == view
    assert write_view(view) == json.dumps(json.loads(example[:-3]), separators=(",", ":"))
