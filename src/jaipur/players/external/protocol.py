"""The bot protocol (docs/reference/bot-protocol.md): one line of JSON per turn to the bot, one line with a move back.

`process` speaks it to bots, `jaipur player` answers it. What a stranger sends is checked here before a player sees it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from msgspec import Struct, json

from jaipur.notation import ViewData, decode, view_data, view_from_data
from jaipur.players.budget import Budget
from jaipur.rules import LETTERS, Move, NotationError, View, deal_unseen
from jaipur.rules.cards import COPIES, DECK_SIZE, KINDS, count, total
from jaipur.rules.game import SEALS_TO_WIN
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES
from jaipur.rules.tokens import BONUS_TOKENS, tokens_paid

MAX_REQUEST_BYTES = 1 << 20
"""Bytes; ours stay below 5,000."""

_LONGEST_BUDGET = 1e6
_NO_VIEW = "No round of Jaipur gives this view"

SEED_LIMIT = 2**53
"""Seeds are smaller than this, so that any language reads them exactly."""


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """What a bot is asked: a move for this view, one of these, with this budget and this chance."""

    view: View
    moves: Sequence[Move]
    budget: Budget
    seed: int | None


class BudgetData(Struct, frozen=True):
    """A budget as JSON."""

    seconds: float | None = None
    iterations: int | None = None


class RequestData(Struct, frozen=True):
    """A request as JSON."""

    view: ViewData
    moves: list[str]
    budget: BudgetData | None = None
    seed: int | None = None


def write_request(request: MoveRequest) -> str:
    """One line, without its line feed."""
    data = RequestData(
        view_data(request.view),
        [str(move) for move in request.moves],
        BudgetData(request.budget.seconds, request.budget.iterations),
        request.seed,
    )
    return json.encode(data).decode()


def read_request(text: str) -> MoveRequest:
    """A request from its line; budget and seed may be left out."""
    data = decode(text, RequestData)
    view = view_from_data(data.view)
    moves = [Move.parse(move) for move in data.moves]
    _check(view, moves)
    return MoveRequest(view, moves, _budget(data.budget or BudgetData()), data.seed)


def seed_from(rng: Random) -> int:
    return int(rng.random() * SEED_LIMIT)


def _budget(data: BudgetData) -> Budget:
    seconds, iterations = data.seconds or 0, data.iterations or 0
    if min(seconds, iterations) < 0 or seconds > _LONGEST_BUDGET:
        raise NotationError("A budget is neither negative nor endless")
    return Budget(data.seconds, data.iterations)


def _check(view: View, moves: list[Move]) -> None:
    """Refuse a view that no round gives: players and rules trust what they are handed."""
    _check_numbers(view)
    try:
        position = deal_unseen(view, Random(0))
        seals = (view.own.seals, view.other.seals)
        by_seat = seals if view.seat == 0 else (seals[1], seals[0])
        true = position.view(view.seat, view.herds, by_seat) == view
        legal = position.legal_moves()
    except (ValueError, IndexError, StopIteration):
        raise NotationError(_NO_VIEW) from None
    if not true:
        raise NotationError(_NO_VIEW)
    if view.ended or view.turn != view.seat:
        raise NotationError("In this view it is not the seat's turn")
    if moves != legal:
        raise NotationError("“moves” are not the legal moves of this view in their order")


def _check_numbers(view: View) -> None:
    """Every count is one that a table can have, so that nothing below runs away with it."""
    _check_tokens(view)
    small = [
        view.herd,
        view.moves_played,
        view.other_herd(),
        *(trader.seals for trader in (view.own, view.other)),
        *(trader.rupees for trader in (view.own, view.other)),
        *view.tokens_taken,
        *view.bonus_taken,
        *(tokens for trader in (view.own, view.other) for tokens in trader.bonuses),
    ]
    if min(small) < 0:
        raise NotationError("A number of this view is negative")
    known = (view.market, view.hand, view.discard, view.other.shown)
    for kind in KINDS:
        herds = view.herd + view.other_herd() if LETTERS[kind] == "M" else 0
        if sum(count(pile, kind) for pile in known) + herds > COPIES[kind]:
            raise NotationError("This view has more cards than the pack")
    hidden = view.other.hand - total(view.other.shown)
    fits = (
        0 <= view.deck <= DECK_SIZE
        and hidden >= 0
        and view.other.hand <= HAND_LIMIT
        and total(view.hand) <= HAND_LIMIT
        and total(view.market) <= MARKET_PLACES
        and sum(map(total, (*known, view.unseen()))) + view.herd + view.other_herd() == sum(COPIES)
        and total(view.unseen()) == view.deck + hidden
    )
    if not fits:
        raise NotationError("The cards of this view do not add up")


def _check_tokens(view: View) -> None:
    """What the two traders hold is what is gone from the piles."""
    traders = (view.own, view.other)
    paid = 0
    for good, taken in enumerate(view.tokens_taken):
        if taken < 0 or sum(count(trader.goods_tokens, good) for trader in traders) != taken:
            raise NotationError("The goods tokens of this view do not add up")
        paid += tokens_paid(good, 0, taken)
    if sum(trader.rupees for trader in traders) != paid:
        raise NotationError("The rupees of this view do not add up")
    for pile, taken in enumerate(view.bonus_taken):
        if sum(trader.bonuses[pile] for trader in traders) != taken:
            raise NotationError("The bonus tokens of this view do not add up")
    values = {value for trader in traders for value in trader.bonus_values or ()}
    if not values <= {value for tokens in BONUS_TOKENS for value in tokens}:
        raise NotationError("This view has bonus tokens that do not exist")
    if any(trader.seals not in range(SEALS_TO_WIN) for trader in traders):
        raise NotationError("In this view the game is over")
