"""What a seat, or somebody who watches, is told of a table: each its own, made of views and of nothing else.

The commitment to a deal is told at once; deal and salt only when the round, or the whole game, is over.
"""

from typing import Any, cast

from jaipur.notation.views import BONUS_NAMES, ViewData, view_data
from jaipur.rules import LETTERS, Event, Move, Result, Seat, events_of, letters_of
from jaipur.rules import events as seen
from jaipur.rules.cards import GOODS_MASK
from jaipur.rules.view import Payment
from jaipur.table import message_types as types
from jaipur.table.events import Played
from jaipur.table.options import Millis
from jaipur.table.state import TableState

Audience = Seat | None
"""A seat, or None for those who watch."""

_LIMITS = types.RuleLimits()


def latest_message(table: TableState, audience: Audience) -> types.Message:
    """The last event of a table, as this audience is told."""
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
    """A table as it stands at a moment."""
    dealt = bool(table.game.rounds)
    moves = _moves(table, audience)
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
        view=_view(table, audience) if dealt and audience is not None else None,
        public=_public(table) if dealt and audience is None else None,
        helps=_helps(table, audience) if dealt and table.options.helps else None,
        moves=[str(move) for move in moves],
        sales=_sales(table, moves),
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


def _view(table: TableState, seat: Seat) -> ViewData:
    return view_data(table.game.view(seat))


def _public(table: TableState) -> types.PublicView:
    """The part of the round that both seats see: of each trader, what the other trader sees."""
    first, second = (_view(table, seat) for seat in (0, 1))
    return types.PublicView(
        starter=first.starter,
        turn=first.turn,
        moves_played=first.moves_played,
        ended=first.ended,
        market=first.market,
        deck=first.deck,
        discard=first.discard,
        discard_top=first.discard_top,
        tokens=first.tokens,
        bonus=first.bonus,
        traders=(second.other, first.other),
    )


def _helps(table: TableState, audience: Audience) -> types.CardCounts:
    view = table.game.view(audience or 0)
    shown = [letters_of(view.own.shown), letters_of(view.other.shown)]
    unseen = int(view.unseen())
    if audience is None:
        unseen += view.hand - view.own.shown
    if view.herds == "hidden":
        # Their camels would tell the size of the other's herd.
        unseen &= GOODS_MASK
    return types.CardCounts((shown[view.seat], shown[1 - view.seat]), letters_of(unseen))


def _moves(table: TableState, audience: Audience) -> list[Move]:
    if audience is None or table.turn != audience:
        return []
    return table.game.legal_moves()


def _sales(table: TableState, moves: list[Move]) -> dict[str, types.SalePrice]:
    sales = [move for move in moves if not move.taken]
    if table.turn is None or not sales:
        return {}
    view = table.game.view(table.turn)
    return {str(move): _sale(view.payment(move.given)) for move in sales}


def _sale(payment: Payment) -> types.SalePrice:
    bonus = None if payment.bonus is None else BONUS_NAMES[payment.bonus]
    return types.SalePrice(payment.tokens, bonus)


def _round(table: TableState, number: int) -> types.RoundView:
    played, promised = table.game.rounds[number], table.commitments[number]
    result = played.result
    if result is None and table.over is None:
        return types.RoundView(promised)
    opened = types.OpenedDeal(
        table.salts[number],
        played.deal.starts,
        "".join(LETTERS[kind] for kind in played.deal.pack),
        dict(zip(BONUS_NAMES, map(list, played.deal.bonus), strict=True)),
    )
    return types.RoundView(promised, **_result(result), opened=opened)


def _result(result: Result | None) -> dict[str, Any]:
    if result is None:
        return {}
    return {
        "ended": result.ended,
        "camel_token": result.camel_token,
        "rupees": result.rupees,
        "seal": result.seal,
    }


def _clock(table: TableState, now: Millis) -> types.ClockView | None:
    clock, turn = table.clock, table.turn
    if clock.kind is None:
        return None
    left = list(clock.left)
    if turn is not None:
        left[turn] = clock.left_at(turn, now)
    runs = turn if clock.since is not None else None
    return types.ClockView((left[0], left[1]), runs, clock.since, now)


def _happenings(table: TableState, audience: Audience) -> list[types.AnyHappening]:
    if table.last is None or table.position_before is None or not table.game.rounds:
        return []
    played = table.game.rounds[-1]
    before, move = table.position_before, played.moves[-1]
    # Those who watch see what the other trader sees of a move.
    seat = 1 - before.turn if audience is None else audience
    return [_happening(event) for event in events_of(before, move, played.position, seat)]


def _happening(event: Event) -> types.AnyHappening:
    match event:
        case seen.Took(seat, cards):
            return types.Took(seat, letters_of(cards))
        case seen.Gave(seat, cards):
            return types.Gave(seat, letters_of(cards))
        case seen.Refilled(cards):
            return types.Refilled("".join(LETTERS[kind] for kind in cards))
        case seen.Sold(seat, cards, tokens):
            return types.Sold(seat, letters_of(cards), list(tokens))
        case seen.TookBonus(seat, pile, value):
            return types.TookBonus(seat, BONUS_NAMES[pile], value)
        case seen.RoundEnded(result):
            return types.RoundEnded(**_result(result))
