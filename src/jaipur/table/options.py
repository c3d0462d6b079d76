"""The options of a table, agreed before the game: herds, helps, spectators and the clock."""

from typing import Annotated

from msgspec import Meta, Struct

from jaipur.rules import Herds

Millis = int
"""Times and durations in whole milliseconds; times since 1970. This package reads no clock: `now` is an argument."""

SECOND: Millis = 1_000
DAY: Millis = 86_400_000


class Live(Struct, frozen=True, forbid_unknown_fields=True, tag="live", tag_field="kind"):
    """A clock for one sitting: seconds for the whole game, plus an increment per move."""

    seconds: Annotated[int, Meta(ge=10, le=10_800)]
    increment: Annotated[int, Meta(ge=0, le=180)] = 0


class Daily(Struct, frozen=True, forbid_unknown_fields=True, tag="daily", tag_field="kind"):
    """A clock for correspondence games: days per move."""

    days: Annotated[int, Meta(ge=1, le=14)]


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table."""

    herds: Herds = "open"
    helps: bool = False
    """Whether messages count seen cards for the players."""
    watch: bool = True
    """Whether spectators may see, after a delay, what both players can see."""
    clock: Live | Daily | None = None
