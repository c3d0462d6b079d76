"""Breaks text into rows, columns and pages. Widths are counted in terminal cells."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len


def fold(text: str, width: int, start: str = "", indent: str = "") -> list[str]:
    """Break a line between words into rows of at most `width` cells. All rows after the first are indented."""
    first, *others = text.split(" ")
    rows = [start + first]
    for word in others:
        if cell_len(rows[-1]) + 1 + cell_len(word) > width:
            rows.append(indent + word)
        else:
            rows[-1] += f" {word}"
    return rows


def in_columns(items: Sequence[str], width: int, columns: int, height: int, used: int) -> list[str]:
    """Arrange items in columns, from top to bottom. Return the rows.

    The columns start again on each page of `height` rows. `used` rows of the first page are already taken.
    """
    rows: list[str] = []
    while items:
        size = columns * (height - (used + len(rows)) % height)
        page, items = items[:size], items[size:]
        count = -(-len(page) // columns)
        lines = ("".join(f"{item:{width}}" for item in page[n::count]) for n in range(count))
        rows.extend(line.rstrip() for line in lines)
    return rows


def paginate(lines: Iterable[str], width: int, height: int) -> list[list[str]]:
    """Split lines into pages. When its lines are folded to `width`, a page has at most `height` rows."""
    pages: list[list[str]] = [[]]
    used = 0
    for line in lines:
        rows = len(fold(line, width))
        if pages[-1] and used + rows > height:
            pages.append([])
            used = 0
        pages[-1].append(line)
        used += rows
    return pages
