"""What is agreed on before a game starts: how herds lie, which helps are on, who may watch, and the clock."""

from typing import Annotated

from msgspec import Meta, Struct

from jaipur.rules import Herds

Millis = int
"""Moments and spans are whole milliseconds; moments since 1970. Nobody here asks a clock: `now` is handed in."""

SECOND: Millis = 1_000
DAY: Millis = 86_400_000


class Live(Struct, frozen=True, forbid_unknown_fields=True, tag="live", tag_field="kind"):
    """A clock for one sitting: so many seconds for the whole game, and some more with every move."""

    seconds: Annotated[int, Meta(ge=10, le=10_800)]
    increment: Annotated[int, Meta(ge=0, le=180)] = 0


class Daily(Struct, frozen=True, forbid_unknown_fields=True, tag="daily", tag_field="kind"):
    """A clock for slow games: so many days for each move."""

    days: Annotated[int, Meta(ge=1, le=14)]


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    herds: Herds = "open"
    helps: bool = False
    """Whether the screen may count for the traders what they could have counted themselves."""
    watch: bool = True
    """Whether others may watch, a little later, what both traders can see."""
    clock: Live | Daily | None = None
