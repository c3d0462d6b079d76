"""Text in rows, columns and pages. Widths are terminal cells."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len


def fold(text: str, width: int, start: str = "", indent: str = "") -> list[str]:
    """Break a line between words; rows after the first get the indent."""
    first, *others = text.split(" ")
    rows = [start + first]
    for word in others:
        if cell_len(rows[-1]) + 1 + cell_len(word) > width:
            rows.append(indent + word)
        else:
            rows[-1] += f" {word}"
    return rows


def in_columns(items: Sequence[str], width: int, columns: int, height: int, used: int) -> list[str]:
    """Items from top to bottom in columns that end at a page break, for text that starts after `used` rows."""
    rows: list[str] = []
    while items:
        size = columns * (height - (used + len(rows)) % height)
        page, items = items[:size], items[size:]
        count = -(-len(page) // columns)
        lines = ("".join(f"{item:{width}}" for item in page[n::count]) for n in range(count))
        rows.extend(line.rstrip() for line in lines)
    return rows


def paginate(lines: Iterable[str], width: int, height: int) -> list[list[str]]:
    """Break between lines, so that no page has more rows than `height` once its lines are folded."""
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
