"""The folder of an arena. It contains the plan and an append-only log with one line per finished pair.

A crash loses no finished pair. If the last line is incomplete, it is dropped when the folder is opened again. An arena
can be continued with more pairs, because pairs are independent. A later version of the program can continue it too. Any
other change of the plan raises an error. An error also occurs if another process uses the folder.
"""

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from jaipur.arena.pairs import ArenaOutcome, Pair
from jaipur.arena.play import ThinkingTime
from jaipur.folders import try_lock
from jaipur.notation.files import write_whole

PLAN = "arena.json"
PAIRS = "pairs.jsonl"
LOCK = "arena.lock"

Key = tuple[int, int]
"""The number of the match, and the number of the pair in the match."""


class ArenaFolderError(ValueError):
    """The folder cannot be used for this arena."""


def stored_seed(folder: Path) -> int | None:
    """Return the seed of the arena in a folder, or None if the folder has no readable plan."""
    try:
        seed = json.loads((folder / PLAN).read_text("utf-8"))["seed"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return seed if isinstance(seed, int) else None


class ResultsLog:
    """The finished pairs of an arena."""

    def __init__(self, folder: Path, plan: Mapping[str, object]) -> None:
        """Open or create the folder. Raise `ArenaFolderError` if the folder cannot be used for this plan."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.pairs: dict[Key, Pair] = {}
        """The finished pairs, without their records. `records` reads the records from the file."""
        self._offsets: dict[Key, int] = {}
        with ExitStack() as stack:
            lock = try_lock(folder / LOCK)
            if lock is None:
                raise ArenaFolderError(f"Another arena is running in {folder}.")
            stack.callback(lock.release)
            self._stream = stack.enter_context((folder / PAIRS).open("a+b"))
            self._check(plan)
            self._load()
            self._resources = stack.pop_all()

    def __enter__(self) -> "ResultsLog":
        return self

    def __exit__(self, *_: object) -> None:
        self._resources.close()

    def append(self, pair: Pair) -> None:
        """Write a pair to the log. Afterwards the pair is kept even if the process is killed."""
        offset = self._stream.seek(0, os.SEEK_END)
        self._stream.write(_encode(pair).encode() + b"\n")
        self._stream.flush()
        self._index(pair, offset)

    def records(self, key: Key) -> tuple[str, str]:
        """Return the records of a pair, as lines without line feeds."""
        self._stream.seek(self._offsets[key])
        return _decode(self._stream.readline()).records

    def _check(self, plan: Mapping[str, object]) -> None:
        file = self.folder / PLAN
        # The plan is written before the first pair. Pairs without a plan are therefore an error.
        if not file.exists():
            if self._stream.seek(0, os.SEEK_END):
                raise ArenaFolderError(f"{self.folder} has pairs but no {PLAN}.")
            write_whole(file, json.dumps(plan, indent=2) + "\n")
            return
        try:
            stored = json.loads(file.read_text("utf-8"))
        except (ValueError, RecursionError):
            raise ArenaFolderError(f"{file} cannot be read.") from None
        if isinstance(stored, dict) and "version" in plan:
            stored["version"] = plan["version"]
        if _has_more_pairs(plan, stored):
            write_whole(file, json.dumps(plan, indent=2) + "\n")
        elif stored != plan:
            known = stored if isinstance(stored, dict) else {}
            changed = ", ".join(name for name in plan if known.get(name) != plan[name])
            raise ArenaFolderError(
                f"{self.folder} holds an arena with other settings "
                f"({changed or 'unknown ones'}): give another --out."
            )

    def _load(self) -> None:
        self._stream.seek(0)
        end = 0
        for number, line in enumerate(iter(self._stream.readline, b""), 1):
            try:
                if not line.endswith(b"\n"):
                    raise ValueError
                pair = _decode(line)
            except (ValueError, KeyError, TypeError, IndexError, RecursionError):
                if self._stream.read(1):
                    raise ArenaFolderError(
                        f"Line {number} of {self.folder / PAIRS} cannot be read."
                    ) from None
                break
            self._index(pair, end)
            end += len(line)
        self._stream.truncate(end)

    def _index(self, pair: Pair, offset: int) -> None:
        key = (pair.match, pair.number)
        self.pairs[key] = Pair(pair.match, pair.number, pair.outcomes, pair.thinking, ("", ""))
        self._offsets[key] = offset


def _has_more_pairs(plan: Mapping[str, object], stored: object) -> bool:
    """Return whether `plan` differs from the stored plan only in having more pairs."""
    match stored, plan["pairs"]:
        case {"pairs": int(before), **others}, int(pairs):
            return before < pairs and {**others, "pairs": pairs} == plan
    return False


def _encode(pair: Pair) -> str:
    head = {
        "match": pair.match,
        "pair": pair.number,
        "outcomes": [
            [outcome.score, outcome.lead, outcome.started, outcome.ended, outcome.forfeit]
            for outcome in pair.outcomes
        ],
        "thought": [[round(each.seconds, 6), each.moves] for each in pair.thinking],
    }
    # The records are JSON texts already, so they are inserted without encoding.
    return f'{json.dumps(head, separators=(",", ":"))[:-1]},"records":[{",".join(pair.records)}]}}'


def _decode(line: bytes) -> Pair:
    data = json.loads(line)
    outcomes = [
        ArenaOutcome(score, lead, started, ended, tuple(forfeit) if forfeit else None)
        for score, lead, started, ended, forfeit in data["outcomes"]
    ]
    thinking = [ThinkingTime(seconds, moves) for seconds, moves in data["thought"]]
    records = [json.dumps(record, separators=(",", ":")) for record in data["records"]]
    return Pair(
        data["match"],
        data["pair"],
        (outcomes[0], outcomes[1]),
        (thinking[0], thinking[1]),
        (records[0], records[1]),
    )
