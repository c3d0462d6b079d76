"""The frame and the colours of our SVG charts. The colours follow the light or dark theme of the reader's system."""

from collections.abc import Iterable
from html import escape

_STYLE = """
  .page { fill: #fbf9f4 } text { fill: #2c2a26; font: 14px system-ui, sans-serif }
  .title { font-size: 16px; font-weight: 600 } .small { font-size: 12px; fill: #6d675c }
  .grid { stroke: #e2dccf } .bar { stroke: #e0a458; stroke-width: 6; stroke-linecap: round }
  .dot { fill: #b5482a } .line { fill: none; stroke: #b5482a; stroke-width: 1.6 }
  .ideal { stroke: #a79f90; stroke-dasharray: 4 4 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #1d1b18 } text { fill: #ece6da } .small { fill: #a79f90 }
    .grid { stroke: #38342e } .bar { stroke: #8f6a39 } .dot { fill: #f0845f } .line { stroke: #f0845f }
  }
"""


def svg_chart(width: int, height: int, label: str, parts: Iterable[str]) -> str:
    """Return an SVG document with these elements. The elements use the CSS classes of `_STYLE`."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
    page = f'<rect class="page" width="{width}" height="{height}" rx="8"/>'
    lines = [f'{head} aria-label="{escape(label)}">', f"<style>{_STYLE}</style>", page, *parts]
    return "\n".join([*lines, "</svg>", ""])
