"""Writes the results of an arena to its folder: records, JSON, Markdown and a chart of the ratings.

`results.json`, the records and the chart contain no measured times. Therefore equal tournaments give identical files.
The times per move are in `times.json` and in the Markdown file.
"""

import json
import os
import platform
import re
from dataclasses import asdict

from jaipur.arena.bootstrap import Estimate
from jaipur.arena.chart import ratings_chart
from jaipur.arena.markdown import write_markdown
from jaipur.arena.play import ThinkingTime
from jaipur.arena.results_log import ResultsLog
from jaipur.arena.sequential import ERROR, SequentialResult
from jaipur.arena.statistics import MatchStatistics, TournamentStatistics, tournament_statistics
from jaipur.arena.tournament import Plan, StoppingRule
from jaipur.notation.files import whole_file, write_whole


def write_report(plan: Plan, log: ResultsLog) -> str:
    """Write all files and return the Markdown."""
    rule = StoppingRule(plan)
    pairs, test = rule.pairs(log), rule.result(log)
    matches, folder = plan.matches, log.folder
    statistics = tournament_statistics(
        [[log.pairs[match, number] for number in range(pairs)] for match in range(len(matches))],
        matches,
        len(plan.players),
        plan.seed,
    )
    thinking = [ThinkingTime() for _ in plan.players]
    for played in statistics.matches:
        for player, clock in zip(played.players, played.thinking, strict=True):
            thinking[player] += clock
    for match in range(len(matches)):
        with whole_file(folder / record_file(plan, match)) as stream:
            for number in range(pairs):
                stream.writelines(f"{line}\n" for line in log.records((match, number)))
    markdown = write_markdown(plan, statistics, test, thinking, machine())
    chart = ratings_chart(
        list(zip(plan.labels(), statistics.ratings.players, strict=True)),
        "Ratings and their 95 % intervals",
    )
    write_whole(folder / "results.json", _json(_results(plan, statistics, test)))
    write_whole(folder / "times.json", _json(_times(plan, thinking)))
    write_whole(folder / "results.md", markdown)
    write_whole(folder / "ratings.svg", chart)
    return markdown


def machine() -> str:
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def record_file(plan: Plan, match: int) -> str:
    """Return the name of the file with the records of a match."""
    labels = plan.labels()
    names = [
        re.sub(r"[^A-Za-z0-9.]+", "-", labels[p])[:40].strip("-.") for p in plan.matches[match]
    ]
    return f"{match + 1:02}-{names[0]}-{names[1]}.jaipur.jsonl"


def _results(
    plan: Plan, statistics: TournamentStatistics, test: SequentialResult | None
) -> dict[str, object]:
    labels = plan.labels()
    return {
        "plan": plan.as_data(),
        "matches": [
            _match(match, labels, plan.unit) | {"records": record_file(plan, number)}
            for number, match in enumerate(statistics.matches)
        ],
        "ratings": [
            {"player": label, **_rounded(rating, 1)}
            for label, rating in zip(labels, statistics.ratings.players, strict=True)
        ],
        "starting": {
            "rating": _rounded(statistics.ratings.starting, 1),
            "share_between_equals": _rounded(statistics.ratings.starting_share, 4),
        },
        "test": None if test is None else asdict(test) | {"more_than": plan.until, "error": ERROR},
    }


def _match(match: MatchStatistics, labels: list[str], unit: str) -> dict[str, object]:
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


def _times(plan: Plan, thinking: list[ThinkingTime]) -> dict[str, object]:
    return {
        "machine": machine(),
        "players": [
            {"player": label, "seconds": round(each.seconds, 6), "moves": each.moves}
            for label, each in zip(plan.labels(), thinking, strict=True)
        ],
    }


def _rounded(estimate: Estimate, digits: int) -> dict[str, float]:
    return {name: round(value, digits) + 0.0 for name, value in asdict(estimate).items()}


def _json(data: object) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
