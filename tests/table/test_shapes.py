"""The shapes of what is told hold all that a view has, and of each trader those who watch see what the other sees."""

import pytest
from msgspec import json, to_builtins

from jaipur.notation import ViewData, read_view, view_data, write_view
from jaipur.rules import Seat
from jaipur.table.message_types import Message, PublicView
from jaipur.table.options import TableOptions
from jaipur.table.projection import latest_message
from table.keeping import AUDIENCES, Kept, game_of, kept_table, some_moves

TABLES = [
    some_moves(seed, moves, TableOptions(herds=herds))
    for seed, moves in ((1, 0), (2, 25), (3, 70), (4, 160))
    for herds in ("open", "hidden")
]
tables = pytest.mark.parametrize("kept", [*TABLES, game_of(0)], ids=lambda kept: repr(kept.now))


def view_told(kept: Kept, seat: Seat) -> ViewData:
    told = latest_message(kept.table, seat).table
    assert told.view is not None
    assert told.public is None
    return told.view


def public_told(kept: Kept) -> PublicView:
    told = latest_message(kept.table, None).table
    assert told.public is not None
    assert told.view is None
    return told.public


@tables
@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_told_its_view_and_nothing_of_it_is_lost(kept: Kept, seat: Seat) -> None:
    view = kept.table.game.view(seat)
    told = view_told(kept, seat)
    assert told == view_data(view)
    assert json.encode(told).decode() == write_view(view)
    assert read_view(write_view(view)) == view


@tables
def test_those_who_watch_see_of_each_trader_what_the_other_sees(kept: Kept) -> None:
    public = public_told(kept)
    assert public.traders[0] == view_told(kept, 1).other
    assert public.traders[1] == view_told(kept, 0).other


@tables
def test_all_else_that_is_public_both_traders_are_told_alike(kept: Kept) -> None:
    public = to_builtins(public_told(kept))
    del public["traders"]
    for seat in (0, 1):
        view = to_builtins(view_told(kept, seat))
        assert {name: view[name] for name in public} == public
        assert view.keys() - public.keys() == {"seat", "hand", "herd", "own", "other"}


def test_before_the_deal_there_is_nothing_to_see() -> None:
    kept = Kept()
    kept.happen([kept_table().journal[0].event])
    for audience in AUDIENCES:
        told = latest_message(kept.table, audience).table
        assert (told.view, told.public, told.moves, told.rounds) == (None, None, [], [])


@tables
def test_every_message_reads_back_as_what_was_told(kept: Kept) -> None:
    for audience in AUDIENCES:
        told = latest_message(kept.table, audience)
        assert json.decode(json.encode(told), type=Message) == told
