"""Read and write views, records, drawings and fair deals as text. Cards and moves are parsed in `rules`."""

from jaipur.notation.decoding import convert, decode, parse
from jaipur.notation.derived_deal import derive_deal, salt_commitment
from jaipur.notation.fair import (
    check_fair,
    commitment,
    committed_text,
    derived_extra,
    fair_extra,
    new_salt,
)
from jaipur.notation.records import (
    position_after,
    read_record,
    read_records,
    record_of,
    write_record,
)
from jaipur.notation.views import (
    TraderData,
    ViewData,
    read_view,
    view_data,
    view_from_data,
    write_view,
)
from jaipur.rules.records import Record, RoundRecord

__all__ = [
    "Record", "RoundRecord", "TraderData", "ViewData", "check_fair", "commitment",
    "committed_text", "convert", "decode", "derive_deal", "derived_extra", "fair_extra",
    "new_salt", "parse", "position_after", "read_record", "read_records", "read_view",
    "record_of", "salt_commitment", "view_data", "view_from_data", "write_record", "write_view",
]  # fmt: skip
