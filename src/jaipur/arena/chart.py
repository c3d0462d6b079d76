"""The chart of ratings as SVG: a dot and an interval per player. Its colours follow the light or dark mode."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

_WIDTH, _LEFT, _RIGHT = 720, 190, 90
_TOP, _ROW, _BOTTOM = 54, 34, 44
_MAX_NAME = 21
_TICKS = 6

_STYLE = """
  .page { fill: #fbf9f4 } text { fill: #2c2a26; font: 14px system-ui, sans-serif }
  .title { font-size: 16px; font-weight: 600 } .small { font-size: 12px; fill: #6d675c }
  .grid { stroke: #e2dccf } .bar { stroke: #e0a458; stroke-width: 6; stroke-linecap: round }
  .dot { fill: #b5482a }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1d1b18 } text { fill: #ece6da } .small { fill: #a79f90 }
    .grid { stroke: #38342e } .bar { stroke: #8f6a39 } .dot { fill: #f0845f }
  }
"""


@dataclass(frozen=True, slots=True)
class RatedPlayer:
    """A player in the chart: its rating and confidence interval."""

    name: str
    rating: float
    low: float
    high: float


def ratings_chart(players: Sequence[RatedPlayer], title: str) -> str:
    """An SVG document with the strongest player on top."""
    rows = sorted(players, key=lambda player: -player.rating)
    ticks = _ticks(min(row.low for row in rows), max(row.high for row in rows))
    height = _TOP + _ROW * len(rows) + _BOTTOM
    floor_ = height - _BOTTOM
    size = f'viewBox="0 0 {_WIDTH} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(title)}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{_WIDTH}" height="{height}" rx="8"/>',
        f'<text class="title" x="20" y="30">{escape(title)}</text>',
    ]
    for tick in ticks:
        x = _x(tick, ticks)
        parts.append(f'<line class="grid" x1="{x}" y1="{_TOP - 8}" x2="{x}" y2="{floor_}"/>')
        parts.append(
            f'<text class="small" x="{x}" y="{floor_ + 20}" text-anchor="middle">{tick or 0:+.0f}</text>'
        )
    for number, row in enumerate(rows):
        parts += _row(row, _TOP + _ROW * number + _ROW // 2, ticks)
    return "\n".join([*parts, "</svg>", ""])


def _row(row: RatedPlayer, y: int, ticks: Sequence[float]) -> list[str]:
    name = row.name if len(row.name) <= _MAX_NAME else row.name[: _MAX_NAME - 1] + "…"
    low, middle, high = (_x(value, ticks) for value in (row.low, row.rating, row.high))
    label = f"{row.name}: {row.rating:+.0f} ({row.low:+.0f} to {row.high:+.0f})"
    return [
        f"<g><title>{escape(label)}</title>",
        f'<text x="{_LEFT - 16}" y="{y + 5}" text-anchor="end">{escape(name)}</text>',
        f'<line class="bar" x1="{low}" y1="{y}" x2="{high}" y2="{y}"/>',
        f'<circle class="dot" cx="{middle}" cy="{y}" r="6"/>',
        f'<text class="small" x="{_WIDTH - _RIGHT + 20}" y="{y + 4}">{row.rating:+.0f}</text></g>',
    ]


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers that span all values."""
    rough = max(high - low, 1.0) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= rough)
    return [step * number for number in range(floor(low / step), ceil(high / step) + 1)]


def _x(value: float, ticks: Sequence[float]) -> float:
    across = (value - ticks[0]) / max(ticks[-1] - ticks[0], 1e-9)
    return round(_LEFT + across * (_WIDTH - _LEFT - _RIGHT), 1)
