"""The players there are, from the weakest up, each with one honest line about how it plays."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jaipur.notation import printable
from jaipur.players.external.process import PREFIX, Bot
from jaipur.players.fixed_budget import Paced
from jaipur.players.heuristic.apprentice import Apprentice
from jaipur.players.heuristic.broker import Broker
from jaipur.players.heuristic.greedy import Greedy
from jaipur.players.heuristic.merchant import Merchant
from jaipur.players.heuristic.uniform import Uniform
from jaipur.players.player import Player
from jaipur.players.search.vizier import Vizier


@dataclass(frozen=True, slots=True)
class Level:
    """A player by name."""

    name: str
    line: str
    make: Callable[[], Player]


LEVELS = (
    Level("random", "Picks any legal move, each as likely as the others.", Uniform),
    Level(
        "idler",
        "Plays like the peddler when it minds the game, but mostly just anything.",
        partial(Apprentice, 0.65),
    ),
    Level(
        "apprentice",
        "A beginner: takes what shines, sells too early and too little, and is easily distracted.",
        partial(Apprentice, 0.25),
    ),
    Level(
        "peddler",
        "Takes the shiniest good and sells pairs at once; never saves for a bonus, never exchanges.",
        partial(Apprentice, 0.0),
    ),
    Level(
        "greedy",
        "Plays what looks richest this very turn, bonus included, and never thinks of the next.",
        Greedy,
    ),
    Level(
        "broker",
        "Weighs its moves like the merchant on most turns, and grabs like the greedy one on the others.",
        Broker,
    ),
    Level(
        "merchant",
        "Weighs what every move leaves to both: sale timing, bonuses, camels, the market, the end.",
        Merchant,
    ),
    Level(
        "vizier",
        "Searches a few moves ahead through many worlds it cannot tell apart, as long as it may.",
        Vizier,
    ),
    Level(
        "raja",
        "Has learnt from millions of rounds, and takes moves that are nearly as good for the best.",
        lambda: _numeric("raja"),
    ),
    Level(
        "maharaja",
        "Has learnt from millions of rounds what every move is worth, and plays the best at once.",
        lambda: _numeric("maharaja"),
    ),
    Level(
        "grand-maharaja",
        "Takes its time: tries the maharaja’s best moves in worlds it cannot tell apart.",
        lambda: _numeric("grand_maharaja"),
    ),
)

YARDSTICKS = (
    Level(
        "baseline",
        "A plain network that learnt by self-play, and nothing more: what the champion is measured by.",
        lambda: _numeric("baseline"),
    ),
    Level(
        "ismcts",
        "Tree search by the book over worlds it cannot tell apart, with rounds played out by chance.",
        lambda: _numeric("ismcts"),
    ),
)
"""Players of the lab; nobody is asked to play against them."""

NETWORK = "net:"


class NoSuchPlayer(ValueError):  # noqa: N818  # said of a name
    """A name that stands for no player."""


def player_named(name: str) -> Player:
    """A new player: a level, also at a pace (`vizier@300ms`), a network (`net:FILE`) or a bot (`cmd:PROGRAM …`)."""
    try:
        if not name.isprintable():
            raise ValueError(f"A player's name is printable text, not “{printable(name[:40])}”.")
        if name.startswith(PREFIX):
            return Bot(name.removeprefix(PREFIX))
        if name.startswith(NETWORK):
            return _by_network(Path(name.removeprefix(NETWORK)).expanduser())
        level, at, pace = name.partition("@")
        player = _level(level).make()
        return Paced(player, pace) if at else player
    except ValueError as error:
        raise NoSuchPlayer(str(error)) from None


def _numeric(name: str) -> Player:
    from jaipur.players.neural import levels as numeric  # noqa: PLC0415  # NumPy is for those who ask for it

    player: Player = getattr(numeric, name)()
    return player


def _by_network(file: Path) -> Player:
    from jaipur.players.neural.maharaja import Maharaja  # noqa: PLC0415  # likewise
    from jaipur.players.neural.network import Network  # noqa: PLC0415

    return Maharaja(Network.load(file))


def _level(name: str) -> Level:
    for level in (*LEVELS, *YARDSTICKS):
        if level.name == name:
            return level
    names = ", ".join(level.name for level in LEVELS)
    raise NoSuchPlayer(f"There is no player “{name}”. The players are: {names}.")
