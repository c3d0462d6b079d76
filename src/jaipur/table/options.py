"""The options of a table, which are set when the table is opened: herds, helps, spectators and the clock."""

from typing import Annotated

from msgspec import Meta, Struct

from jaipur.rules import Herds

Millis = int
"""A duration, or a time since 1970, in milliseconds. This package never reads a clock: `now` is an argument."""

SECOND: Millis = 1_000
DAY: Millis = 86_400_000


class Live(Struct, frozen=True, forbid_unknown_fields=True, tag="live", tag_field="kind"):
    """A clock for games without breaks. Each player has this many seconds for the game, plus an increment per move."""

    seconds: Annotated[int, Meta(ge=10, le=10_800)]
    increment: Annotated[int, Meta(ge=0, le=180)] = 0


class Daily(Struct, frozen=True, forbid_unknown_fields=True, tag="daily", tag_field="kind"):
    """A clock for correspondence games. Each player has this many days for each move."""

    days: Annotated[int, Meta(ge=1, le=14)]


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    herds: Herds = "open"
    helps: bool = False
    """Whether messages include counts of the cards that the players have seen."""
    watch: bool = True
    """Whether spectators may watch. They see, with a delay, what both players can see."""
    clock: Live | Daily | None = None
