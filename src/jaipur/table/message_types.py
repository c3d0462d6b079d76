"""The shapes of what is told about a table: plain data with names, from which the API's document is made.

Piles are letters, seats are numbers, moments are milliseconds since 1970, as `notation` and `options` have it.
"""

from typing import Literal

from msgspec import Struct

from jaipur.notation import TraderData, ViewData
from jaipur.rules import Rupees, Seat
from jaipur.rules.endings import Ending
from jaipur.rules.game import SEALS_TO_WIN
from jaipur.rules.moves import HAND_LIMIT
from jaipur.rules.tokens import CAMEL_TOKEN, EMPTY_PILES_THAT_END
from jaipur.table.events import PlayerKind
from jaipur.table.options import Millis, TableOptions
from jaipur.table.state import GameEnd
from jaipur.table.store import Phase

EventKind = Literal[
    "opened", "seated", "dealt", "played", "resigned", "flagged",
    "abandoned", "left", "returned", "offered", "rematched",
]  # fmt: skip


class PublicView(Struct, frozen=True):
    """The round as both traders, and those who watch, can see it."""

    starter: Seat
    turn: Seat
    moves_played: int
    ended: Ending | None
    market: str
    deck: int
    discard: str
    discard_top: str | None
    tokens: dict[str, tuple[int, ...]]
    bonus: dict[str, int]
    traders: tuple[TraderData, TraderData]


class SeatView(Struct, frozen=True):
    """Who sits on a seat."""

    player: PlayerKind
    name: str
    away: bool


class OpenedDeal(Struct, frozen=True):
    """A deal after its round, with the salt: the commitment can be checked."""

    salt: str
    starts: Seat
    deal: str
    bonus: dict[str, list[int]]


class RoundView(Struct, frozen=True):
    """A round of the game: what was promised about its deal, and once it is over its result and the deal itself."""

    commitment: str
    ended: Ending | None = None
    camel_token: Seat | None = None
    rupees: tuple[Rupees, Rupees] | None = None
    seal: Seat | None = None
    opened: OpenedDeal | None = None


class ClockView(Struct, frozen=True):
    """Time left by seat at the moment `at`, and whose time runs from then, or from `since` if that is later."""

    left: tuple[Millis, Millis]
    runs: Seat | None
    since: Millis | None
    at: Millis


class RuleLimits(Struct, frozen=True):
    """Numbers of the rules that a screen shows.

    Goods in a hand, seals to win, piles used up that end a round, rupees of the camel token.
    """

    hand: int = HAND_LIMIT
    seals: int = SEALS_TO_WIN
    piles: int = EMPTY_PILES_THAT_END
    camel: Rupees = CAMEL_TOKEN


class SalePrice(Struct, frozen=True):
    """What a sale pays: the goods tokens, and the pile a bonus token comes from, if one does."""

    tokens: tuple[int, ...]
    bonus: str | None


class CardCounts(Struct, frozen=True):
    """What anybody could have counted, where the traders agreed that it is counted for them."""

    shown: tuple[str, str]
    """By seat: the cards of a hand that were seen going in and not out."""
    unseen: str
    """The cards you have not seen, in the deck or in a hand; without camels where herds are hidden."""


class TableView(Struct, frozen=True):
    """A table as one seat, or somebody who watches, sees it."""

    id: str
    version: int
    phase: Phase
    options: TableOptions
    seats: tuple[SeatView, SeatView]
    you: Seat | None
    """The seat this is seen from; null for those who watch."""
    one_screen: bool
    turn: Seat | None
    seals: tuple[int, int]
    rounds: list[RoundView]
    view: ViewData | None
    """The current round from your seat,"""
    public: PublicView | None
    """or, for those who watch, as anybody sees it."""
    helps: CardCounts | None
    """Null where `options.helps` is off."""
    moves: list[str]
    """Your legal moves, when it is your turn,"""
    sales: dict[str, SalePrice]
    """and what those of them pay that are sales."""
    limits: RuleLimits
    clock: ClockView | None
    over: GameEnd | None
    offers: tuple[bool, bool]
    previous: str | None
    next: str | None


class Happening(Struct, frozen=True, tag_field="what", tag=str.lower):
    """One thing seen on the table when a move was played."""


class Took(Happening, frozen=True):
    seat: Seat
    cards: str


class Gave(Happening, frozen=True):
    seat: Seat
    cards: str


class Refilled(Happening, frozen=True):
    cards: str


class Sold(Happening, frozen=True):
    seat: Seat
    cards: str
    tokens: list[int]


class TookBonus(Happening, frozen=True, tag="bonus"):
    seat: Seat
    pile: str
    value: int | None


class RoundEnded(Happening, frozen=True, tag="ended"):
    ended: Ending
    camel_token: Seat | None
    rupees: tuple[Rupees, Rupees]
    seal: Seat | None


AnyHappening = Took | Gave | Refilled | Sold | TookBonus | RoundEnded


class Message(Struct, frozen=True):
    """One event as one seat is told of it, and the table after it."""

    version: int
    at: Millis
    kind: EventKind
    seat: Seat | None
    """Who did it, where somebody did."""
    move: str | None
    happenings: list[AnyHappening]
    table: TableView
