"""The chart of ratings as SVG. Each player has a dot for the rating and a bar for its confidence interval."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from jaipur.arena.bootstrap import Estimate
from jaipur.notation.svg import svg_chart

# Sizes and margins in pixels.
_WIDTH, _LEFT, _RIGHT = 720, 190, 90
_TOP, _ROW, _BOTTOM = 54, 34, 44
_MAX_NAME = 21  # characters
_TICKS = 6  # intervals on the axis, about


def ratings_chart(players: Sequence[tuple[str, Estimate]], title: str) -> str:
    """Draw the chart as an SVG document, with the strongest player on top."""
    rows = sorted(players, key=lambda player: -player[1].value)
    ticks = _ticks(min(row.low for _, row in rows), max(row.high for _, row in rows))
    bottom = _TOP + _ROW * len(rows)
    parts = [f'<text class="title" x="20" y="30">{escape(title)}</text>']
    for tick in ticks:
        x = _x(tick, ticks)
        label = f'<text class="small" x="{x}" y="{bottom + 20}" text-anchor="middle">{tick or 0:+.0f}</text>'
        parts += [f'<line class="grid" x1="{x}" y1="{_TOP - 8}" x2="{x}" y2="{bottom}"/>', label]
    for number, (name, rating) in enumerate(rows):
        parts += _row(name, rating, _TOP + _ROW * number + _ROW // 2, ticks)
    return svg_chart(_WIDTH, bottom + _BOTTOM, title, parts)


def _row(name: str, rating: Estimate, y: int, ticks: Sequence[float]) -> list[str]:
    short = name if len(name) <= _MAX_NAME else name[: _MAX_NAME - 1] + "…"
    low, middle, high = (_x(value, ticks) for value in (rating.low, rating.value, rating.high))
    label = f"{name}: {rating.value:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"
    return [
        f"<g><title>{escape(label)}</title>",
        f'<text x="{_LEFT - 16}" y="{y + 5}" text-anchor="end">{escape(short)}</text>',
        f'<line class="bar" x1="{low}" y1="{y}" x2="{high}" y2="{y}"/>',
        f'<circle class="dot" cx="{middle}" cy="{y}" r="6"/>',
        f'<text class="small" x="{_WIDTH - _RIGHT + 20}" y="{y + 4}">{rating.value:+.0f}</text></g>',
    ]


def _ticks(low: float, high: float) -> list[float]:
    """Return evenly spaced round numbers for the axis. They cover the range from `low` to `high`."""
    rough = max(high - low, 1.0) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= rough)
    return [step * number for number in range(floor(low / step), ceil(high / step) + 1)]


def _x(value: float, ticks: Sequence[float]) -> float:
    across = (value - ticks[0]) / max(ticks[-1] - ticks[0], 1e-9)
    return round(_LEFT + across * (_WIDTH - _LEFT - _RIGHT), 1)
