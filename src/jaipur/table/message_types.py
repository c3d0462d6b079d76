"""The wire types of messages about a table. The OpenAPI document is generated from them.

A pile is a string of letters, a seat is a number, and a time is in milliseconds since 1970.
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
    """The deal of a finished round and its salt. With both, a client can check the commitment."""

    salt: str
    starts: Seat
    deal: str
    bonus: dict[str, tuple[int, ...]]


class UpcomingRound(Struct, frozen=True):
    """The next round: the commitment to its salt, and the seats whose contributions the table waits for."""

    round: int
    commitment: str
    awaits: list[Seat]


class RoundView(Struct, frozen=True):
    """A round: the commitment to its salt, the contributions and, after its end, the result, the deal and the salt."""

    commitment: str
    contributions: tuple[str | None, str | None] | None
    """By seat: the contribution, or null. Null for both if the commitment is to the deal, as in version 0.1."""
    ended: Ending | None = None
    camel_token: Seat | None = None
    rupees: tuple[Rupees, Rupees] | None = None
    seal: Seat | None = None
    opened: OpenedDeal | None = None


class ClockView(Struct, frozen=True):
    """The time that each seat has left at the time `at`.

    The clock of the seat `runs` runs from `at` on, or from `since` on if `since` is later.
    """

    left: tuple[Millis, Millis]
    runs: Seat | None
    since: Millis | None
    at: Millis


class RuleLimits(Struct, frozen=True):
    """Numbers of the rules that a client displays.

    They are the hand limit, the seals that win the game, the empty token piles that end a round, and the rupees of the
    camel token.
    """

    hand: int = HAND_LIMIT
    seals: int = SEALS_TO_WIN
    piles: int = EMPTY_PILES_THAT_END
    camel: Rupees = CAMEL_TOKEN


class SalePrice(Struct, frozen=True):
    """The values of the goods tokens for a sale, and the pile of its bonus token (null if there is none)."""

    tokens: tuple[int, ...]
    bonus: str | None


class CardCounts(Struct, frozen=True):
    """Counts of the cards that a player could remember. They are sent only if the option `helps` is on."""

    shown: tuple[str, str]
    """By seat: the cards of the hand that both players know."""
    unseen: str
    """The cards that you have not seen, in the deck or in a hand. If herds are hidden, camels are not included."""


class TableView(Struct, frozen=True):
    """A table as one seat or a spectator sees it."""

    id: str
    version: int
    phase: Phase
    options: TableOptions
    seats: tuple[SeatView, SeatView]
    you: Seat | None
    """The seat of this view, or null for spectators."""
    one_screen: bool
    turn: Seat | None
    seals: tuple[int, int]
    rounds: list[RoundView]
    upcoming: UpcomingRound | None
    """Null if the game is over, and at tables that were opened with version 0.1."""
    view: ViewData | None
    """The current round as your seat sees it, or null for spectators."""
    public: PublicView | None
    """The current round as spectators see it, or null for players."""
    market_places: str
    """The cards of the market from left to right. A dot is an empty place. Empty before the first round."""
    helps: CardCounts | None
    """Null if `options.helps` is off."""
    moves: list[str]
    """Your legal moves. The list is empty if it is not your turn."""
    exchanges_left: int | None
    """After this many more exchanges in a row, the round ends. Null if this end is not near."""
    sales: dict[str, SalePrice]
    """By move: the tokens for each legal sale."""
    limits: RuleLimits
    clock: ClockView | None
    over: GameEnd | None
    offers: tuple[bool, bool]
    previous: str | None
    next: str | None


class Message(Struct, frozen=True):
    """One event and the state of the table after this event, as one audience sees them."""

    version: int
    at: Millis
    kind: EventKind
    seat: Seat | None
    """The seat that caused the event, or null."""
    move: str | None
    happenings: list[AnyHappening]
    table: TableView
