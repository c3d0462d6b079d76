"""Text in, text out: cards, moves, views, records, drawings, fair deals."""

from jaipur.notation.cards import read_cards, read_pile, write_pile
from jaipur.notation.decoding import convert, decode, parse
from jaipur.notation.errors import NotationError, WrongRecord, printable, within
from jaipur.notation.fair import check_fair, commitment, fair_extra, new_salt, promised_text
from jaipur.notation.moves import read_move
from jaipur.notation.records import (
    Record,
    RoundRecord,
    read_record,
    read_records,
    record_of,
    write_record,
)
from jaipur.notation.replay import position_after, replay
from jaipur.notation.views import (
    TraderData,
    ViewData,
    read_view,
    view_data,
    view_from_data,
    write_view,
)

__all__ = [
    "NotationError",
    "Record",
    "RoundRecord",
    "TraderData",
    "ViewData",
    "WrongRecord",
    "check_fair",
    "commitment",
    "convert",
    "decode",
    "fair_extra",
    "new_salt",
    "parse",
    "position_after",
    "printable",
    "promised_text",
    "read_cards",
    "read_move",
    "read_pile",
    "read_record",
    "read_records",
    "read_view",
    "record_of",
    "replay",
    "view_data",
    "view_from_data",
    "within",
    "write_pile",
    "write_record",
    "write_view",
]
