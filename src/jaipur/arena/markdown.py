"""The results of a series as Markdown for people: who takes how much from whom, how sure that is, the small print."""

from collections.abc import Sequence

from jaipur.arena.bootstrap import Estimate
from jaipur.arena.figures import Figures, MatchFigures
from jaipur.arena.play import Thought
from jaipur.arena.sequential import ERROR, Verdict
from jaipur.arena.series import Plan

_ANSWERS = {
    "yes": "**Yes**, after {pairs} pairs.",
    "no": "**No**, after {pairs} pairs.",
    "open": "**Not answered** in {pairs} pairs.",
}

_SHARES_NOTE = (
    "A row takes this share of {unit}s from a column. A {unit} without a winner counts half for both; in brackets, "
    "95 % intervals by bootstrap over pairs."
)
_MATCHES_NOTE = "Rupees: ahead of the second player, a {unit} that came to its end. A forfeit is a lost {unit} too."


def write_markdown(
    plan: Plan, found: Figures, answer: Verdict | None, thought: Sequence[Thought], machine: str
) -> str:
    names, unit = [_cell(label) for label in plan.labels()], plan.unit
    sections = [
        "# Arena",
        _setting(plan, found.matches[0].pairs, machine),
        *_answer(plan, names, answer),
        f"## Shares of {unit}s",
        _shares(names, found),
        _SHARES_NOTE.format(unit=unit),
        "## Ratings",
        _ratings(names, found, thought),
        _starting(found, unit),
        "![Ratings](ratings.svg)",
        "## Matches",
        _matches(names, found, unit),
        _MATCHES_NOTE.format(unit=unit),
    ]
    return "\n\n".join(sections) + "\n"


def _setting(plan: Plan, pairs: int, machine: str) -> str:
    budget = "no budget: players take what they need"
    if plan.budget.seconds is not None:
        budget = f"{1000 * plan.budget.seconds:g} ms a move"
    if plan.budget.iterations is not None:
        budget = f"{plan.budget.iterations} iterations a move"
    played = "Whole games" if plan.games else "Single rounds"
    return (
        f"{played}; every deal is played twice with seats swapped. {pairs} pairs a match, seed {plan.seed}, "
        f"{budget}. {machine}."
    )


def _answer(plan: Plan, names: Sequence[str], answer: Verdict | None) -> list[str]:
    if answer is None or plan.until is None:
        return []
    question = f"Does {names[0]} take more than {100 * plan.until:g} % of the {plan.unit}s from {names[1]}?"
    told = _ANSWERS[answer.answer].format(pairs=answer.pairs)
    error = (
        f"(Where “yes” or “no” is wrong, the test says it at most {100 * ERROR:g} % of the time.)"
    )
    return [f"{question} {told} {error}"]


def _shares(names: Sequence[str], found: Figures) -> str:
    cells = [["–"] * len(names) for _ in names]
    for match in found.matches:
        first, second = match.players
        share = match.share
        cells[first][second] = _percent(share)
        cells[second][first] = _percent(Estimate(1 - share.value, 1 - share.high, 1 - share.low))
    rows = [[f"**{name}**", *row] for name, row in zip(names, cells, strict=True)]
    return _table(["", *names], rows)


def _ratings(names: Sequence[str], found: Figures, thought: Sequence[Thought]) -> str:
    order = sorted(range(len(names)), key=lambda player: -found.ratings.players[player].value)
    rows = []
    for player in order:
        rating = found.ratings.players[player]
        rows.append(
            [
                names[player],
                f"{rating.value:+.0f}",
                f"{rating.low:+.0f} to {rating.high:+.0f}",
                _time(thought[player]),
            ]
        )
    return _table(["player", "rating", "95 % interval", "thinking a move"], rows)


def _starting(found: Figures, unit: str) -> str:
    starting = found.ratings.starting
    return (
        f"Starting is worth {starting.value:+.0f} ({starting.low:+.0f} to {starting.high:+.0f}): between equals, "
        f"whoever starts takes {_percent(found.ratings.starting_share)} of the {unit}s. Ratings are Bradley-Terry on "
        "the scale of chess (400 more are odds of ten to one), on average 0."
    )


def _matches(names: Sequence[str], found: Figures, unit: str) -> str:
    rows = [_match(names, match) for match in found.matches]
    counted = [f"{unit}s", "won", "lost", "tied", "abandoned"]
    head = ["first", "second", *counted, "rupees", "forfeits"]
    return _table(head, rows)


def _match(names: Sequence[str], match: MatchFigures) -> list[str]:
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
    who = [names[player] for player in match.players]
    return [*who, *map(str, counts), rupees, ", ".join(forfeits) or "0"]


def _percent(share: Estimate) -> str:
    return f"{100 * share.value:.1f} % ({100 * share.low:.1f}–{100 * share.high:.1f})"


def _time(thought: Thought) -> str:
    return f"{1000 * thought.seconds / max(1, thought.moves):.3g} ms"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    """A name that cannot break out of its cell."""
    return " ".join(text.replace("|", "\\|").split())
