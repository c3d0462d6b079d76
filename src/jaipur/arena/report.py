"""What an arena leaves in its folder: records, results as JSON and Markdown, and a picture of the ratings.

`results.json`, the records and the picture hold nothing that a clock decides, so that equal series give equal bytes.
Thinking times stand in `times.json` and in the Markdown.
"""

import json
import os
import platform
import re
from dataclasses import asdict

from jaipur.arena.bootstrap import Estimate
from jaipur.arena.figures import Figures, MatchFigures, figures
from jaipur.arena.journal import Journal
from jaipur.arena.markdown import write_markdown
from jaipur.arena.picture import Rated, draw_ratings
from jaipur.arena.play import Thought
from jaipur.arena.sequential import ERROR, Verdict
from jaipur.arena.series import Plan, Question
from jaipur.notation.files import whole_file, write_whole


def report(plan: Plan, journal: Journal) -> str:
    """Write everything; the Markdown comes back too."""
    question = Question(plan)
    pairs = question.pairs(journal)
    matches = plan.matches
    found = figures(
        [
            [journal.pairs[match, number] for number in range(pairs)]
            for match in range(len(matches))
        ],
        matches,
        len(plan.players),
        plan.seed,
    )
    answer = question.verdict(journal)
    thought = [thought_of(player, found) for player in range(len(plan.players))]
    markdown = write_markdown(plan, found, answer, thought, machine())
    for match in range(len(matches)):
        _write_records(plan, journal, match, pairs)
    folder = journal.folder
    write_whole(folder / "results.json", _json(_results(plan, found, answer)))
    write_whole(folder / "times.json", _json(_times(plan, thought)))
    write_whole(folder / "results.md", markdown)
    write_whole(folder / "ratings.svg", _picture(plan, found))
    return markdown


def machine() -> str:
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def thought_of(player: int, found: Figures) -> Thought:
    """What a player thought in all its matches."""
    parts = (
        match.thought[match.players.index(player)]
        for match in found.matches
        if player in match.players
    )
    return sum(parts, Thought())


def record_file(plan: Plan, match: int) -> str:
    """The name of the file with the records of a match."""
    labels = plan.labels()
    names = [
        re.sub(r"[^A-Za-z0-9.]+", "-", labels[p])[:40].strip("-.") for p in plan.matches[match]
    ]
    return f"{match + 1:02}-{names[0]}-{names[1]}.jaipur.jsonl"


def _write_records(plan: Plan, journal: Journal, match: int, pairs: int) -> None:
    with whole_file(journal.folder / record_file(plan, match)) as stream:
        for number in range(pairs):
            stream.writelines(f"{line}\n" for line in journal.records((match, number)))


def _results(plan: Plan, found: Figures, answer: Verdict | None) -> dict[str, object]:
    labels = plan.labels()
    return {
        "plan": plan.as_data(),
        "matches": [
            _match(match, labels, plan.unit) | {"records": record_file(plan, number)}
            for number, match in enumerate(found.matches)
        ],
        "ratings": [
            {"player": label, **_rounded(rating, 1)}
            for label, rating in zip(labels, found.ratings.players, strict=True)
        ],
        "starting": {
            "rating": _rounded(found.ratings.starting, 1),
            "share_between_equals": _rounded(found.ratings.starting_share, 4),
        },
        "test": None
        if answer is None
        else asdict(answer) | {"more_than": plan.until, "error": ERROR},
    }


def _match(match: MatchFigures, labels: list[str], unit: str) -> dict[str, object]:
    return {
        "players": [labels[player] for player in match.players],
        "pairs": match.pairs,
        f"{unit}s": 2 * match.pairs,
        "share": _rounded(match.share, 4),
        "rupees": None if match.rupees is None else _rounded(match.rupees, 2),
        "won": match.won,
        "lost": match.lost,
        "tied": match.tied,
        "abandoned": match.abandoned,
        "forfeits": [dict(sorted(reasons.items())) for reasons in match.forfeits],
    }


def _times(plan: Plan, thought: list[Thought]) -> dict[str, object]:
    return {
        "machine": machine(),
        "players": [
            {"player": label, "seconds": round(each.seconds, 6), "moves": each.moves}
            for label, each in zip(plan.labels(), thought, strict=True)
        ],
    }


def _picture(plan: Plan, found: Figures) -> str:
    rated = [
        Rated(label, rating.value, rating.low, rating.high)
        for label, rating in zip(plan.labels(), found.ratings.players, strict=True)
    ]
    return draw_ratings(rated, "Ratings and their 95 % intervals")


def _rounded(found: Estimate, digits: int) -> dict[str, float]:
    return {name: round(value, digits) + 0.0 for name, value in asdict(found).items()}


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
