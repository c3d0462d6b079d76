"""The list of all computer players, and `player_named`, which creates a player by name.

To add a level:
1. Write a subclass of `Player` (see `player.py`) in `heuristic/`, `search/` or `neural/`.
2. Add a `Level` to `LEVELS` below. `LEVELS` is sorted by strength, weakest first.
3. Add two texts to every file of `words/`: the name (`level.name.NAME`) and a description in one line (`level.NAME`).
   `tests/test_words.py` lists missing texts.
The command line, the terminal, the server and the arena use `LEVELS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from pkgutil import resolve_name

from jaipur.players.external.process import BOT_PREFIX, Bot
from jaipur.players.heuristic.beginners import Apprentice, Uniform
from jaipur.players.heuristic.greedy import Greedy
from jaipur.players.heuristic.merchant import Broker, Merchant
from jaipur.players.player import FixedBudget, Player
from jaipur.players.search.vizier import Vizier
from jaipur.rules.input_errors import printable


@dataclass(frozen=True, slots=True)
class Level:
    """The name of a computer player, and a function that creates the player."""

    name: str
    make: Callable[[], Player]
    slow: bool = False
    """Whether a move takes more than a few milliseconds, because the level searches or uses a neural network."""


def _lazy(path: str) -> Callable[[], Player]:
    """Return a function that imports and creates the player. The registry itself thus does not import NumPy."""
    return lambda: resolve_name(path)()  # noqa: PLW0108  # the lambda delays the import until the call


LEVELS = (
    Level("random", Uniform),
    Level("idler", partial(Apprentice, 0.65)),
    Level("apprentice", partial(Apprentice, 0.25)),
    Level("peddler", partial(Apprentice, 0.0)),
    Level("greedy", Greedy),
    Level("broker", Broker),
    Level("merchant", Merchant),
    Level("vizier", Vizier, slow=True),
    Level("raja", _lazy("jaipur.players.neural.maharaja:raja"), slow=True),
    Level("maharaja", _lazy("jaipur.players.neural.maharaja:maharaja"), slow=True),
    Level(
        "grand-maharaja", _lazy("jaipur.players.neural.grand_maharaja:grand_maharaja"), slow=True
    ),
)

REFERENCE_LEVELS = (
    # A small network, trained by plain self-play. We measure the champion against it.
    Level("baseline", _lazy("jaipur.players.neural.maharaja:baseline"), slow=True),
    Level("ismcts", _lazy("jaipur.players.search.ismcts:Ismcts"), slow=True),
)
"""Reference players for experiments. `player_named` accepts them, but the programs do not offer them as opponents."""

NETWORK_PREFIX = "net:"


class NoSuchPlayer(ValueError):  # noqa: N818  # the name describes the input
    """There is no player with this name."""


def player_named(name: str) -> Player:
    """Create a player by name.

    The name is a level (`vizier`), a level with a fixed budget (`vizier@300ms`), a network file (`net:FILE`) or the
    command of a bot (`cmd:PROGRAM`).
    """
    try:
        if not name.isprintable():
            raise ValueError(f"A player's name is printable text, not “{printable(name[:40])}”.")
        if name.startswith(BOT_PREFIX):
            return Bot(name.removeprefix(BOT_PREFIX))
        if name.startswith(NETWORK_PREFIX):
            return _from_network(Path(name.removeprefix(NETWORK_PREFIX)).expanduser())
        level, at, budget = name.partition("@")
        player = _level(level).make()
        return FixedBudget(player, budget) if at else player
    except ValueError as error:
        raise NoSuchPlayer(str(error)) from None


def _from_network(file: Path) -> Player:
    # These modules need NumPy. The imports are here because the other players work without NumPy.
    from jaipur.players.neural.maharaja import Maharaja  # noqa: PLC0415
    from jaipur.players.neural.network import Network  # noqa: PLC0415

    return Maharaja(Network.load(file))


def _level(name: str) -> Level:
    for level in (*LEVELS, *REFERENCE_LEVELS):
        if level.name == name:
            return level
    names = ", ".join(level.name for level in LEVELS)
    raise NoSuchPlayer(f"There is no player “{name}”. The players are: {names}.")
