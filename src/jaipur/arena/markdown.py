"""Writes the results of a tournament as Markdown: tables of win shares, ratings and matches."""

from collections.abc import Sequence

from jaipur.arena.bootstrap import Estimate
from jaipur.arena.play import ThinkingTime
from jaipur.arena.sequential import ERROR, SequentialResult
from jaipur.arena.statistics import MatchStatistics, TournamentStatistics
from jaipur.arena.tournament import Plan

_ANSWERS = {
    "yes": "**Yes**, after {pairs} pairs.",
    "no": "**No**, after {pairs} pairs.",
    "open": "**Not answered** in {pairs} pairs.",
}

_SHARES_NOTE = (
    "The share of {unit}s that the player of the row wins against the player of the column. A {unit} without a winner "
    "counts half for both. In brackets: 95 % intervals by bootstrap over pairs."
)
_MATCHES_NOTE = "Rupees: mean lead of the first player per {unit}, forfeits excluded. A forfeit also counts as lost."


def write_markdown(
    plan: Plan,
    statistics: TournamentStatistics,
    test: SequentialResult | None,
    thinking: Sequence[ThinkingTime],
    machine: str,
) -> str:
    names, unit = [_cell(label) for label in plan.labels()], plan.unit
    sections = [
        "# Arena",
        _setting(plan, statistics.matches[0].pairs, machine),
        *_test_result(plan, names, test),
        f"## Shares of {unit}s",
        _shares(names, statistics),
        _SHARES_NOTE.format(unit=unit),
        "## Ratings",
        _ratings(names, statistics, thinking),
        _starting(statistics, unit),
        "![Ratings](ratings.svg)",
        "## Matches",
        _matches(names, statistics, unit),
        _MATCHES_NOTE.format(unit=unit),
    ]
    return "\n\n".join(sections) + "\n"


def _setting(plan: Plan, pairs: int, machine: str) -> str:
    budget = "no budget"
    if plan.budget.seconds is not None:
        budget = f"{1000 * plan.budget.seconds:g} ms per move"
    if plan.budget.iterations is not None:
        budget = f"{plan.budget.iterations} iterations per move"
    played = "Whole games" if plan.games else "Single rounds"
    return (
        f"{played}; every deal is played twice with seats swapped. {pairs} pairs per match, seed {plan.seed}, "
        f"{budget}. {machine}."
    )


def _test_result(plan: Plan, names: Sequence[str], test: SequentialResult | None) -> list[str]:
    if test is None or plan.until is None:
        return []
    question = f"Does {names[0]} win more than {100 * plan.until:g} % of the {plan.unit}s against {names[1]}?"
    answer = _ANSWERS[test.answer].format(pairs=test.pairs)
    error = f"(A wrong “yes” or “no” has a probability of at most {100 * ERROR:g} %.)"
    return [f"{question} {answer} {error}"]


def _shares(names: Sequence[str], statistics: TournamentStatistics) -> str:
    cells = [["–"] * len(names) for _ in names]
    for match in statistics.matches:
        first, second = match.players
        share = match.share
        cells[first][second] = _percent(share)
        cells[second][first] = _percent(Estimate(1 - share.value, 1 - share.high, 1 - share.low))
    rows = [[f"**{name}**", *row] for name, row in zip(names, cells, strict=True)]
    return _table(["", *names], rows)


def _ratings(
    names: Sequence[str], statistics: TournamentStatistics, thinking: Sequence[ThinkingTime]
) -> str:
    order = sorted(range(len(names)), key=lambda player: -statistics.ratings.players[player].value)
    rows = []
    for player in order:
        rating, clock = statistics.ratings.players[player], thinking[player]
        interval = f"{rating.low:+.0f} to {rating.high:+.0f}"
        milliseconds = f"{1000 * clock.seconds / max(1, clock.moves):.3g} ms"
        rows.append([names[player], f"{rating.value:+.0f}", interval, milliseconds])
    return _table(["player", "rating", "95 % interval", "time per move"], rows)


def _starting(statistics: TournamentStatistics, unit: str) -> str:
    starting = statistics.ratings.starting
    return (
        f"Starting is worth {starting.value:+.0f} ({starting.low:+.0f} to {starting.high:+.0f}): between equal players "
        f"the starting player wins {_percent(statistics.ratings.starting_share)} of the {unit}s. Ratings are "
        "Bradley-Terry ratings on the Elo scale (a lead of 400 means odds of ten to one) with mean 0."
    )


def _matches(names: Sequence[str], statistics: TournamentStatistics, unit: str) -> str:
    rows = [_match(names, match) for match in statistics.matches]
    counts = [f"{unit}s", "won", "lost", "tied", "abandoned"]
    return _table(["first", "second", *counts, "rupees", "forfeits"], rows)


def _match(names: Sequence[str], match: MatchStatistics) -> list[str]:
    rupees = "–"
    if match.rupees is not None:
        lead = match.rupees
        rupees = f"{lead.value:+.1f} ({lead.low:+.1f} to {lead.high:+.1f})"
    forfeits = [
        f"{names[player]}: {times} {reason}"
        for player, reasons in zip(match.players, match.forfeits, strict=True)
        for reason, times in sorted(reasons.items())
    ]
    counts = (2 * match.pairs, match.won, match.lost, match.tied, match.abandoned)
    pair = [names[player] for player in match.players]
    return [*pair, *map(str, counts), rupees, ", ".join(forfeits) or "0"]


def _percent(share: Estimate) -> str:
    return f"{100 * share.value:.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """Escape a text for a table cell."""
    return " ".join(text.replace("|", "\\|").split())
