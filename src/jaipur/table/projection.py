"""Creates the messages of a table for one audience: a seat, or the spectators.

All information about a running round comes from views, so no audience gets more than its view contains. The commitment
to a salt is public at once. The contributions become public when the round is dealt. The deal and its salt become
public when the round or the game is over.
"""

from typing import cast

from jaipur.notation.views import BONUS_NAMES, view_data
from jaipur.rules import Move, Seat, View
from jaipur.rules.cards import GOODS_MASK, LETTERS, letters_of
from jaipur.table import message_types as types
from jaipur.table.events import Played, Stopped
from jaipur.table.happenings import AnyHappening, happenings_of, round_end
from jaipur.table.options import Millis
from jaipur.table.state import TableState

Audience = Seat | None
"""A seat, or None for the spectators."""

_LIMITS = types.RuleLimits()
_PUBLIC_FIELDS = [name for name in types.PublicView.__struct_fields__ if name != "traders"]


def latest_message(table: TableState, audience: Audience) -> types.Message:
    """Return the message about the last event for an audience."""
    assert table.last is not None, "a table begins with an event"
    event = table.last.event
    return types.Message(
        version=table.version,
        at=table.last.at,
        kind=cast("types.EventKind", event.__struct_config__.tag),
        seat=getattr(event, "seat", None),
        move=event.move if isinstance(event, Played) else None,
        happenings=_happenings(table, audience),
        table=table_view(table, audience, table.last.at),
    )


def table_view(table: TableState, audience: Audience, now: Millis) -> types.TableView:
    """Return the current state of a table for an audience. The clock shows the time `now`."""
    # Spectators get the public part of seat 0's view.
    view = table.game.view(audience or 0) if table.game.rounds else None
    moves = table.game.legal_moves() if audience is not None and table.turn == audience else []
    return types.TableView(
        id=table.id,
        version=table.version,
        phase=table.phase,
        options=table.options,
        seats=(_seat(table, 0), _seat(table, 1)),
        you=audience,
        one_screen=table.one_screen,
        turn=table.turn,
        seals=table.game.seals,
        rounds=[_round(table, number) for number in range(len(table.game.rounds))],
        upcoming=upcoming_round(table),
        view=view_data(view) if view is not None and audience is not None else None,
        public=_public(table, view) if view is not None and audience is None else None,
        market_places=table.market_places,
        helps=_helps(view, audience) if view is not None and table.options.helps else None,
        moves=[str(move) for move in moves],
        exchanges_left=table.exchanges_left,
        sales=_sales(view, moves) if view is not None else {},
        limits=_LIMITS,
        clock=_clock(table, now),
        over=table.over,
        offers=(table.offers[0], table.offers[1]),
        previous=table.previous,
        next=table.next,
    )


def _seat(table: TableState, seat: Seat) -> types.SeatView:
    chair = table.chairs[seat]
    return types.SeatView(chair.player, chair.name, table.away[seat])


def _public(table: TableState, view: View) -> types.PublicView:
    """Return the public part of the round. For each trader, it contains only what the opponent sees."""
    first, second = view_data(view), view_data(table.game.view(1))
    shared = {name: getattr(first, name) for name in _PUBLIC_FIELDS}
    return types.PublicView(**shared, traders=(second.other, first.other))


def _helps(view: View, audience: Audience) -> types.CardCounts:
    shown = [letters_of(view.own.shown), letters_of(view.other.shown)]
    unseen = int(view.unseen())
    if audience is None:
        unseen += view.hand - view.own.shown
    if view.herds == "hidden":
        # The number of unseen camels would reveal the size of the other herd.
        unseen &= GOODS_MASK
    return types.CardCounts((shown[view.seat], shown[1 - view.seat]), letters_of(unseen))


def _sales(view: View, moves: list[Move]) -> dict[str, types.SalePrice]:
    prices = {}
    for move in moves:
        if not move.taken:
            payment = view.payment(move.given)
            bonus = None if payment.bonus is None else BONUS_NAMES[payment.bonus]
            prices[str(move)] = types.SalePrice(payment.tokens, bonus)
    return prices


def _round(table: TableState, number: int) -> types.RoundView:
    played, proof = table.game.rounds[number], table.proofs[number]
    result = played.result
    if result is None and table.over is None:
        return types.RoundView(proof.commitment, proof.contributions)
    opened = types.OpenedDeal(
        proof.salt,
        played.deal.starts,
        "".join(LETTERS[kind] for kind in played.deal.pack),
        dict(zip(BONUS_NAMES, played.deal.bonus, strict=True)),
    )
    if result is None:
        return types.RoundView(proof.commitment, proof.contributions, opened=opened)
    return types.RoundView(
        proof.commitment,
        proof.contributions,
        result.ended,
        result.camel_token,
        result.rupees,
        result.seal,
        opened,
    )


def upcoming_round(table: TableState) -> types.UpcomingRound | None:
    proof = table.upcoming
    if proof is None or table.over is not None:
        return None
    return types.UpcomingRound(len(table.game.rounds) + 1, proof.commitment, table.awaits)


def _clock(table: TableState, now: Millis) -> types.ClockView | None:
    clock, turn = table.clock, table.turn
    if clock.kind is None:
        return None
    left = list(clock.left)
    if turn is not None:
        left[turn] = clock.left_at(turn, now)
    runs = turn if clock.since is not None else None
    return types.ClockView((left[0], left[1]), runs, clock.since, now)


def _happenings(table: TableState, audience: Audience) -> list[AnyHappening]:
    if table.last is not None and isinstance(table.last.event, Stopped):
        return round_end(table.game.rounds[-1].position)
    if table.position_before is None:
        return []
    played = table.game.rounds[-1]
    # Spectators see a move as the opponent of the mover sees it.
    seat = 1 - table.position_before.turn if audience is None else audience
    return happenings_of(table.position_before, played.moves[-1], played.position, seat)
