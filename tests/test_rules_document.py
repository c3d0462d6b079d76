"""The rules page maps each rule to its function and its test; these tests keep the map complete."""

import inspect
import re
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

from jaipur.rules import game, legality, listing, scoring, setup, turn

TESTS = Path(__file__).parent
DOCUMENT = (TESTS.parent / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")


def rows() -> list[tuple[str, list[str], list[str]]]:
    """The rows of the tables headed rule, function and test, with the names in their cells."""
    found = []
    for table in DOCUMENT.split("| rule | function | test |\n")[1:]:
        lines = table.split("\n\n")[0].splitlines()[1:]
        for rule, functions, tests in (line.strip("| ").split(" | ") for line in lines):
            found.append((rule, names_in(functions), names_in(tests)))
    return found


def names_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


ROWS = rows()
NAMED_FUNCTIONS = {name for _, functions, _ in ROWS for name in functions}
NAMED_TESTS = {name for _, _, tests in ROWS for name in tests}


def written_under(folder: Path) -> set[str]:
    return {
        f"{file.stem}.{name}"
        for file in folder.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }


def deciding_functions() -> set[str]:
    """Every public function of the modules that implement rules, and every member of games and rounds."""
    modules = (turn, legality, listing, scoring, setup)
    decisions = {
        f"{short(module)}.{name}"
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    for holder in (game.Game, game.Round):
        decisions |= {
            f"game.{holder.__name__}.{name}"
            for name, member in vars(holder).items()
            if isinstance(member, FunctionType | property) and not name.startswith("_")
        }
    return decisions


def short(module: ModuleType) -> str:
    return module.__name__.removeprefix("jaipur.rules.")


def test_every_rule_names_a_function_and_a_test() -> None:
    assert len(ROWS) > 80
    assert [rule for rule, functions, tests in ROWS if not (functions and tests)] == []


def test_every_function_named_exists() -> None:
    for name in NAMED_FUNCTIONS:
        module, *path = name.split(".")
        package = "table" if module == "happenings" else "rules"
        assert reduce(getattr, path, import_module(f"jaipur.{package}.{module}")) is not None


def test_every_test_named_exists() -> None:
    assert NAMED_TESTS - written_under(TESTS) == set()


def test_every_test_of_the_rules_is_named() -> None:
    assert written_under(TESTS / "rules") - NAMED_TESTS == set()


def test_every_function_that_decides_something_is_named() -> None:
    assert deciding_functions() - NAMED_FUNCTIONS == set()
