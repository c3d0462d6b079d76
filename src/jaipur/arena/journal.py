"""The folder of an arena: its plan, and a line for every pair as soon as it is finished.

Whoever is stopped, however rudely, loses no finished pair: a line that was torn off is dropped on the next visit.
A plan may grow by pairs, which depend on none before them. Any other in the same folder is refused, and so is a second
arena at the same time.
"""

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from jaipur.arena.pairs import Outcome, Pair
from jaipur.arena.play import Thought
from jaipur.notation.files import write_whole

PLAN = "arena.json"
PAIRS = "pairs.jsonl"

Key = tuple[int, int]
"""A match and the number of a pair."""


class WrongFolder(ValueError):  # noqa: N818  # said of a folder
    """A folder that this arena cannot go on in."""


def kept_seed(folder: Path) -> int | None:
    """The seed of the arena in a folder, where there is one that can be read."""
    try:
        seed = json.loads((folder / PLAN).read_text("utf-8"))["seed"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return seed if isinstance(seed, int) else None


class Journal:
    """The finished pairs of an arena, in a file that is only ever appended to."""

    def __init__(self, folder: Path, plan: Mapping[str, object]) -> None:
        """Open a folder for this plan, or `WrongFolder`; it is made where there is none."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.pairs: dict[Key, Pair] = {}
        """Without their records, which stay in the file."""
        self._places: dict[Key, int] = {}
        self._stream = (folder / PAIRS).open("a+b")
        try:
            self._lock()
            self._check(plan)
            self._load()
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stream.close()

    def append(self, pair: Pair) -> None:
        """Keep a pair; once this returns, no signal can undo it."""
        place = self._stream.seek(0, os.SEEK_END)
        self._stream.write(_write(pair).encode() + b"\n")
        self._stream.flush()
        self._remember(pair, place)

    def records(self, key: Key) -> tuple[str, str]:
        """The records of a pair, as lines without line feeds."""
        self._stream.seek(self._places[key])
        return _read(self._stream.readline()).records

    def _lock(self) -> None:
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WrongFolder(f"Another arena is at work in {self.folder}.") from None

    def _check(self, plan: Mapping[str, object]) -> None:
        file = self.folder / PLAN
        # A plan that was never written has no pairs either: it is written before the first.
        if not file.exists():
            if self._stream.seek(0, os.SEEK_END):
                raise WrongFolder(f"{self.folder} has pairs but no {PLAN} to say of what.")
            write_whole(file, json.dumps(plan, indent=2) + "\n")
            return
        try:
            found = json.loads(file.read_text("utf-8"))
        except (ValueError, RecursionError):
            raise WrongFolder(f"{file} cannot be read.") from None
        if _has_grown(found, plan):
            write_whole(file, json.dumps(plan, indent=2) + "\n")
        elif found != plan:
            changed = [
                name
                for name in plan
                if not isinstance(found, dict) or found.get(name) != plan[name]
            ]
            raise WrongFolder(
                f"{self.folder} holds an arena with another setting "
                f"({', '.join(changed) or 'more than is asked'}): give another --out."
            )

    def _load(self) -> None:
        self._stream.seek(0)
        good = 0
        number = 0
        while line := self._stream.readline():
            number += 1
            try:
                if not line.endswith(b"\n"):
                    raise ValueError
                pair = _read(line)
            except (ValueError, KeyError, TypeError, IndexError, RecursionError):
                if self._stream.read(1):
                    raise WrongFolder(
                        f"Line {number} of {self.folder / PAIRS} cannot be read."
                    ) from None
                break
            self._remember(pair, good)
            good += len(line)
        self._stream.truncate(good)

    def _remember(self, pair: Pair, place: int) -> None:
        key = (pair.match, pair.number)
        self.pairs[key] = Pair(pair.match, pair.number, pair.outcomes, pair.thought, ("", ""))
        self._places[key] = place


def _has_grown(found: object, plan: Mapping[str, object]) -> bool:
    """Whether a plan is the one that was found, but for more pairs."""
    match found, plan["pairs"]:
        case {"pairs": int(before), **others}, int(pairs):
            return before < pairs and {**others, "pairs": pairs} == plan
    return False


def _write(pair: Pair) -> str:
    head = {
        "match": pair.match,
        "pair": pair.number,
        "outcomes": [
            [outcome.score, outcome.lead, outcome.started, outcome.ended, outcome.forfeit]
            for outcome in pair.outcomes
        ],
        "thought": [[round(each.seconds, 6), each.moves] for each in pair.thought],
    }
    # The records are JSON already.
    return f'{json.dumps(head, separators=(",", ":"))[:-1]},"records":[{",".join(pair.records)}]}}'


def _read(line: bytes) -> Pair:
    data = json.loads(line)
    outcomes = [
        Outcome(score, lead, started, ended, tuple(forfeit) if forfeit else None)
        for score, lead, started, ended, forfeit in data["outcomes"]
    ]
    thought = [Thought(seconds, moves) for seconds, moves in data["thought"]]
    records = [json.dumps(record, separators=(",", ":")) for record in data["records"]]
    return Pair(
        data["match"],
        data["pair"],
        (outcomes[0], outcomes[1]),
        (thought[0], thought[1]),
        (records[0], records[1]),
    )
