"""Why the table says no: a stable code, the values behind it, and for a wrong move the reason the rules give.

The sentence is made in the reader's language: `refused.CODE` in `words`, or the reason's own.
"""

from collections.abc import Mapping
from enum import StrEnum

from jaipur.rules import Reason
from jaipur.words import Words


class RefusalCode(StrEnum):
    """What a table refuses, in the order a move is looked at."""

    NO_SUCH_TABLE = "no_such_table"
    NOT_SEATED = "not_seated"
    NO_WATCHING = "no_watching"
    NOT_INVITED = "not_invited"
    SEAT_TAKEN = "seat_taken"
    UNREADABLE = "unreadable"
    GAME_OVER = "game_over"
    NOT_STARTED = "not_started"
    NOT_OVER = "not_over"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    AHEAD = "ahead"
    ILLEGAL = "illegal"


class Refused(Exception):  # noqa: N818  # said at the table
    """Something the table does not do."""

    def __init__(
        self,
        code: RefusalCode,
        values: Mapping[str, int | str] | None = None,
        reason: Reason | None = None,
    ) -> None:
        super().__init__(code.value)
        self.code = code
        self.values = dict(values or {})
        self.reason = reason

    def sentence(self, words: Words) -> str:
        """One sentence about it."""
        if self.reason is not None:
            return words.reason(self.reason)
        return words.say(f"refused.{self.code}", **self.values)
