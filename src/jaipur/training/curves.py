"""Plots a training log as SVG: the loss of the win probability, and the matches against the best network."""

from collections.abc import Sequence
from typing import Any

from jaipur.notation.svg import svg_chart

# The size and the margins of each plot, in pixels.
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BOTTOM = 720, 260, 60, 40, 20, 40


def draw_curves(lines: Sequence[dict[str, Any]]) -> str:
    """Plot the lines of a log. In logs of version 0.1, the loss has the name `wrong`."""
    losses = [
        (line["rounds"], line[name])
        for line in lines
        for name in ("win_loss", "wrong")
        if name in line
    ]
    shares = [(line["rounds"], line["share"], line["error"]) for line in lines if "share" in line]
    parts: list[str] = []
    rounds = max([1, *(line["rounds"] for line in lines)])
    if losses:
        low, high = min(y for _, y in losses), max(y for _, y in losses)
        parts += _frame(0, "Win probability loss (nats)", (low, high), rounds)
        points = (_point(0, x / rounds, (y - low) / (high - low or 1)) for x, y in losses)
        parts.append(
            f'<polyline class="line" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'
        )
    if shares:
        low = min(share - error for _, share, error in shares)
        high = max(share + error for _, share, error in shares)
        title = "Share of rounds won against the best network"
        parts += _frame(_HEIGHT, title, (low, high), rounds)
        for x, share, error in shares:
            ends = [
                _point(_HEIGHT, x / rounds, (y - low) / (high - low or 1))
                for y in (share - error, share, share + error)
            ]
            (x1, y1), (cx, cy), (_, y2) = ends
            parts.append(
                f'<line class="bar" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x1:.1f}" y2="{y2:.1f}"/>'
            )
            parts.append(f'<circle class="dot" cx="{cx:.1f}" cy="{cy:.1f}" r="4"/>')
    return svg_chart(_WIDTH, 2 * _HEIGHT, "Training curves", parts)


def _point(top: int, across: float, up: float) -> tuple[float, float]:
    x = _LEFT + across * (_WIDTH - _LEFT - _RIGHT)
    y = top + _TOP + (1 - up) * (_HEIGHT - _TOP - _BOTTOM)
    return x, y


def _frame(top: int, title: str, ends: tuple[float, float], rounds: int) -> list[str]:
    parts = [f'<text class="title" x="20" y="{top + 26}">{title}</text>']
    for up, number in ((0, ends[0]), (1, ends[1])):
        (x1, y), (x2, _) = _point(top, 0, up), _point(top, 1, up)
        parts.append(f'<line class="grid" x1="{x1}" y1="{y}" x2="{x2}" y2="{y}"/>')
        parts.append(f'<text x="{x1 - 6}" y="{y + 4}" text-anchor="end">{number:.3f}</text>')
    x, y = _point(top, 1, 0)
    parts.append(f'<text x="{x}" y="{y + 22}" text-anchor="end">{rounds:,} rounds</text>')
    return parts
