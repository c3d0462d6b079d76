"""The wire types of messages about a table. The OpenAPI document is generated from them.

Piles are letters, seats are numbers, times are milliseconds since 1970.
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
from jaipur.table.happenings import AnyHappening
from jaipur.table.options import Millis, TableOptions
from jaipur.table.state import GameEnd, Phase

EventKind = Literal[
    "opened", "seated", "contributed", "dealt", "played", "stopped", "drawn", "resigned", "flagged",
    "abandoned", "left", "returned", "offered", "rematched",
]  # fmt: skip


class PublicView(Struct, frozen=True):
    """The part of the round that both players and the spectators see."""

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
    """The occupant of a seat."""

    player: PlayerKind
    name: str
    away: bool


class OpenedDeal(Struct, frozen=True):
    """The deal of a finished round with its salt, for checking the commitment."""

    salt: str
    starts: Seat
    deal: str
    bonus: dict[str, tuple[int, ...]]


class UpcomingRound(Struct, frozen=True):
    """The next round: the commitment to its salt, and the seats that want to contribute and have not done so yet."""

    round: int
    commitment: str
    awaits: list[Seat]


class RoundView(Struct, frozen=True):
    """A round: the commitment to its salt, the contributions and, after its end, the result, the deal and the salt."""

    commitment: str
    contributions: tuple[str | None, str | None] | None
    """By seat; null for a seat without a contribution. Null if the commitment is to the deal, as in version 0.1."""
    ended: Ending | None = None
    camel_token: Seat | None = None
    rupees: tuple[Rupees, Rupees] | None = None
    seal: Seat | None = None
    opened: OpenedDeal | None = None


class ClockView(Struct, frozen=True):
    """Time left by seat at time `at`. The clock of seat `runs` runs from `at`, or from `since` if that is later."""

    left: tuple[Millis, Millis]
    runs: Seat | None
    since: Millis | None
    at: Millis


class RuleLimits(Struct, frozen=True):
    """Numbers of the rules that a client displays.

    The hand limit, seals to win, empty token piles that end a round, rupees of the camel token.
    """

    hand: int = HAND_LIMIT
    seals: int = SEALS_TO_WIN
    piles: int = EMPTY_PILES_THAT_END
    camel: Rupees = CAMEL_TOKEN


class SalePrice(Struct, frozen=True):
    """The goods tokens that a sale pays, and the pile of its bonus token, if any."""

    tokens: tuple[int, ...]
    bonus: str | None


class CardCounts(Struct, frozen=True):
    """Cards counted for the players, if the option `helps` is on."""

    shown: tuple[str, str]
    """By seat: the cards of the hand that both players know."""
    unseen: str
    """The cards in the deck or in a hand that you have not seen; without camels if herds are hidden."""


class TableView(Struct, frozen=True):
    """A table as one seat, or a spectator, sees it."""

    id: str
    version: int
    phase: Phase
    options: TableOptions
    seats: tuple[SeatView, SeatView]
    you: Seat | None
    """The seat that this view belongs to; null for spectators."""
    one_screen: bool
    turn: Seat | None
    seals: tuple[int, int]
    rounds: list[RoundView]
    upcoming: UpcomingRound | None
    """Null if the game is over, and at tables that were opened with version 0.1."""
    view: ViewData | None
    """The current round as your seat sees it; null for spectators."""
    public: PublicView | None
    """The current round for spectators; null for players."""
    market_places: str
    """The cards of the market from left to right, a dot for an empty place; empty before the first round."""
    helps: CardCounts | None
    """Null if `options.helps` is off."""
    moves: list[str]
    """Your legal moves; empty if it is not your turn."""
    exchanges_left: int | None
    """The round ends after this many further exchanges in a row; null if the end is not near."""
    sales: dict[str, SalePrice]
    """By move: the tokens that each legal sale pays."""
    limits: RuleLimits
    clock: ClockView | None
    over: GameEnd | None
    offers: tuple[bool, bool]
    previous: str | None
    next: str | None


class Message(Struct, frozen=True):
    """One event, and the state of the table after it, for one audience."""

    version: int
    at: Millis
    kind: EventKind
    seat: Seat | None
    """The seat that caused the event, if any."""
    move: str | None
    happenings: list[AnyHappening]
    table: TableView
