"""Why a table refuses a command: a stable code, the values for the sentence and, for an illegal move, the broken rule.

The sentence is in the reader's language. It is the text `refused.CODE` of `words` or, for an illegal move, the text of
the broken rule.
"""

from collections.abc import Mapping
from enum import StrEnum

from jaipur.rules import Reason
from jaipur.words import Words


class RefusalCode(StrEnum):
    """The codes, in the order of the checks."""

    NO_SUCH_TABLE = "no_such_table"
    NOT_SEATED = "not_seated"
    NO_WATCHING = "no_watching"
    NOT_INVITED = "not_invited"
    SEAT_TAKEN = "seat_taken"
    UNREADABLE = "unreadable"
    GAME_OVER = "game_over"
    NOT_STARTED = "not_started"
    NOT_OVER = "not_over"
    NO_COMMITMENT = "no_commitment"
    ALREADY_DEALT = "already_dealt"
    ALREADY_CONTRIBUTED = "already_contributed"
    NOT_YOUR_TURN = "not_your_turn"
    STALE = "stale"
    AHEAD = "ahead"
    ILLEGAL = "illegal"


class Refused(Exception):  # noqa: N818  # an answer to the player, not a failure
    """The table refuses a command."""

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
        """Return the sentence for the player, in the language of `words`."""
        if self.reason is not None:
            return words.reason(self.reason)
        return words.say(f"refused.{self.code}", **self.values)


class AlreadyPlayed(Exception):  # noqa: N818  # an answer, not a failure
    """The same move was already accepted for the same version. The repeated request changes nothing."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version
        """The version of the event that the move created."""
