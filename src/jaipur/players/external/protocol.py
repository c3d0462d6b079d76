"""The bot protocol (docs/reference/bot-protocol.md). On each turn the bot gets a line of JSON and answers with a move.

`process` sends requests to bots. The command `jaipur player` reads requests and answers them. This module validates
requests, because the players and the rules do not check their arguments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from msgspec import Struct, json

from jaipur.notation import ViewData, decode, view_data, view_from_data
from jaipur.players.player import Budget
from jaipur.rules import Move, NotationError, View, deal_unseen
from jaipur.rules.cards import COPIES, DECK_SIZE, KINDS, LETTERS, count, total
from jaipur.rules.game import SEALS_TO_WIN
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES
from jaipur.rules.tokens import BONUS_TOKENS, tokens_paid

MAX_REQUEST_BYTES = 1 << 20
"""The longest request that we accept. Requests of the arena have less than 5,000 bytes."""
SEED_LIMIT = 2**53
"""Seeds are below this limit. JSON parsers that use floating-point numbers represent such integers exactly."""

_MAX_SECONDS = 1e6
_IMPOSSIBLE_VIEW = "No round of Jaipur gives this view"


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A request that asks a bot for a move."""

    view: View
    moves: Sequence[Move]
    budget: Budget
    seed: int | None


class RequestData(Struct, frozen=True):
    """The JSON fields of a request."""

    view: ViewData
    moves: list[str]
    budget: Budget | None = None
    seed: int | None = None


def write_request(request: MoveRequest) -> str:
    """Encode a request as one line, without the line feed."""
    moves = [str(move) for move in request.moves]
    data = RequestData(view_data(request.view), moves, request.budget, request.seed)
    return json.encode(data).decode()


def read_request(text: str) -> MoveRequest:
    """Decode a line and validate the request. The fields `budget` and `seed` are optional."""
    data = decode(text, RequestData)
    view = view_from_data(data.view)
    moves = [Move.parse(move) for move in data.moves]
    _check_view(view, moves)
    budget = data.budget or Budget()
    seconds, iterations = budget.seconds or 0, budget.iterations or 0
    if min(seconds, iterations) < 0 or seconds > _MAX_SECONDS:
        raise NotationError(f"A budget is not negative and at most {_MAX_SECONDS:,.0f} seconds")
    return MoveRequest(view, moves, budget, data.seed)


def seed_from(rng: Random) -> int:
    return int(rng.random() * SEED_LIMIT)


def _check_view(view: View, moves: list[Move]) -> None:
    """Raise an error if no round can have this view, or if the list of moves is wrong."""
    _check_tokens(view)
    _check_cards(view)
    try:
        position = deal_unseen(view, Random(0))
        seals = (view.own.seals, view.other.seals)
        by_seat = seals if view.seat == 0 else (seals[1], seals[0])
        possible = position.view(view.seat, view.herds, by_seat) == view
        legal = position.legal_moves()
    except (ValueError, IndexError, StopIteration):
        raise NotationError(_IMPOSSIBLE_VIEW) from None
    if not possible:
        raise NotationError(_IMPOSSIBLE_VIEW)
    if view.ended or view.turn != view.seat:
        raise NotationError("It is not the turn of the view's seat")
    if moves != legal:
        raise NotationError("“moves” is not the list of legal moves of this view, in order")


def _check_cards(view: View) -> None:
    """Check the numbers of cards and tokens. Without this check, `deal_unseen` could run for a very long time."""
    counts = [
        view.herd,
        view.moves_played,
        view.other_herd(),
        *view.tokens_taken,
        *view.bonus_taken,
    ]
    for trader in (view.own, view.other):
        counts += (trader.seals, trader.rupees, *trader.bonuses)
    if min(counts) < 0:
        raise NotationError("A number of this view is negative")
    known = (view.market, view.hand, view.discard, view.other.shown)
    for kind in KINDS:
        herds = view.herd + view.other_herd() if LETTERS[kind] == "M" else 0
        if sum(count(pile, kind) for pile in known) + herds > COPIES[kind]:
            raise NotationError("This view has more cards than the pack")
    hidden = view.other.hand - total(view.other.shown)
    adds_up = (
        0 <= view.deck <= DECK_SIZE
        and hidden >= 0
        and view.other.hand <= HAND_LIMIT
        and total(view.hand) <= HAND_LIMIT
        and total(view.market) <= MARKET_PLACES
        and sum(map(total, (*known, view.unseen()))) + view.herd + view.other_herd() == sum(COPIES)
        and total(view.unseen()) == view.deck + hidden
    )
    if not adds_up:
        raise NotationError("The cards of this view do not add up")


def _check_tokens(view: View) -> None:
    """Check that the traders have exactly the tokens that are missing from the piles."""
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
