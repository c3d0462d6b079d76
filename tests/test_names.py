"""Names are unique and come from the field's vocabulary (the table in the design guide)."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "jaipur"
SOURCES = sorted(PACKAGE.rglob("*.py"))

# Names of earlier versions, with their replacements.
OLD_NAMES = {
    "House": "TableService",
    "Steward": "Scheduler",
    "Bell": "ChangeNotifier",
    "BellError": "PubSubError",
    "Thinkers": "WorkerPool",
    "Journal": "EventStore or ResultsLog",
    "Lookahead": "Rollouts",
    "Judgement": "evaluation",
    "Appraisal": "evaluation",
    "Keeper": "autosave",
    "Chronicle": "history",
    "Verdict": "a name for the result",
    "LabError": "SimulationError",
}
OLD_MODULES = {
    *("house", "steward", "bell", "thinkers", "thinking", "listeners", "watching", "bounded", "paced"),
    *("lookahead", "judgement", "appraisal", "worth", "journal", "figures", "keeper", "chronicle", "lanes", "chance"),
}  # fmt: skip


def classes(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text("utf-8"))
    return (node.name for node in tree.body if isinstance(node, ast.ClassDef))


def test_no_two_classes_share_a_name() -> None:
    files = defaultdict(list)
    for file in SOURCES:
        for name in classes(file):
            if not name.startswith("_"):
                files[name].append(str(file.relative_to(ROOT)))
    assert {name: where for name, where in files.items() if len(where) > 1} == {}


def test_no_module_has_a_name_of_the_old_vocabulary() -> None:
    found = [str(file.relative_to(ROOT)) for file in SOURCES if file.stem in OLD_MODULES]
    assert found == []


def test_no_source_uses_a_class_name_of_the_old_vocabulary() -> None:
    old = re.compile(rf"\b({'|'.join(OLD_NAMES)})\b")
    found = {
        f"{file.relative_to(ROOT)}: {name}": OLD_NAMES[name]
        for file in [*SOURCES, *(ROOT / "tests").rglob("*.py")]
        for name in old.findall(file.read_text("utf-8"))
        if file != Path(__file__)
    }
    assert found == {}
