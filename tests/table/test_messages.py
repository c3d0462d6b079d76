"""Messages contain the complete view of a seat, and for spectators what both seats see."""

import pytest
from msgspec import json, to_builtins

from jaipur.notation import ViewData, read_view, view_data, write_view
from jaipur.rules import Seat
from jaipur.table.message_types import Message, PublicView
from jaipur.table.options import TableOptions
from jaipur.table.projection import latest_message
from table.live_table import AUDIENCES, LiveTable, after_moves, finished_game, open_table

TABLES = [
    after_moves(seed, moves, TableOptions(herds=herds))
    for seed, moves in ((1, 0), (2, 25), (3, 70), (4, 160))
    for herds in ("open", "hidden")
]
tables = pytest.mark.parametrize(
    "live", [*TABLES, finished_game(0)], ids=lambda live: repr(live.now)
)


def view_sent(live: LiveTable, seat: Seat) -> ViewData:
    sent = latest_message(live.table, seat).table
    assert sent.view is not None
    assert sent.public is None
    return sent.view


def public_sent(live: LiveTable) -> PublicView:
    sent = latest_message(live.table, None).table
    assert sent.public is not None
    assert sent.view is None
    return sent.public


@tables
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_gets_its_complete_view(live: LiveTable, seat: Seat) -> None:
    view = live.table.game.view(seat)
    sent = view_sent(live, seat)
    assert sent == view_data(view)
    assert json.encode(sent).decode() == write_view(view)
    assert read_view(write_view(view)) == view


@tables
def test_spectators_see_of_each_trader_what_the_other_sees(live: LiveTable) -> None:
    public = public_sent(live)
    assert public.traders[0] == view_sent(live, 1).other
    assert public.traders[1] == view_sent(live, 0).other


@tables
def test_the_public_part_is_the_same_in_both_views(live: LiveTable) -> None:
    public = to_builtins(public_sent(live))
    del public["traders"]
    for seat in (0, 1):
        view = to_builtins(view_sent(live, seat))
        assert {name: view[name] for name in public} == public
        assert view.keys() - public.keys() == {"seat", "hand", "herd", "own", "other"}


def test_before_the_deal_there_is_no_view() -> None:
    live = LiveTable()
    live.apply([open_table().entries[0].event])
    for audience in AUDIENCES:
        sent = latest_message(live.table, audience).table
        assert (sent.view, sent.public, sent.moves, sent.rounds) == (None, None, [], [])


@tables
def test_every_message_survives_encoding(live: LiveTable) -> None:
    for audience in AUDIENCES:
        sent = latest_message(live.table, audience)
        assert json.decode(json.encode(sent), type=Message) == sent
