"""The options of a table, agreed before the game: herds, helps, spectators and the clock."""

from typing import Annotated

from msgspec import Meta, Struct

from jaipur.rules import Herds

Millis = int
"""A duration, or a time since 1970, in milliseconds. This package never reads a clock: `now` is an argument."""

SECOND: Millis = 1_000
DAY: Millis = 86_400_000


class Live(Struct, frozen=True, forbid_unknown_fields=True, tag="live", tag_field="kind"):
    """A clock for games without breaks: seconds for the whole game, plus an increment per move."""

    seconds: Annotated[int, Meta(ge=10, le=10_800)]
    increment: Annotated[int, Meta(ge=0, le=180)] = 0


class Daily(Struct, frozen=True, forbid_unknown_fields=True, tag="daily", tag_field="kind"):
    """A clock for correspondence games: days per move."""

    days: Annotated[int, Meta(ge=1, le=14)]


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    herds: Herds = "open"
    helps: bool = False
    """Whether messages include counts of the seen cards."""
    watch: bool = True
    """Whether spectators may watch, with a delay, what both players can see."""
    clock: Live | Daily | None = None
