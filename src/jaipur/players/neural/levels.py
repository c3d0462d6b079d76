"""The players that stand on NumPy, as the registry makes them; the registry itself does not wait for it."""

from jaipur.players.neural.grand_maharaja import GrandMaharaja
from jaipur.players.neural.maharaja import BLUR, Maharaja, kept
from jaipur.players.search.ismcts import Ismcts


def baseline() -> Maharaja:
    return Maharaja(kept("baseline"), counts=False)


def ismcts() -> Ismcts:
    return Ismcts()


def raja() -> Maharaja:
    return Maharaja(kept("maharaja"), BLUR)


def maharaja() -> Maharaja:
    return Maharaja(kept("maharaja"))


def grand_maharaja() -> GrandMaharaja:
    return GrandMaharaja(kept("maharaja"))
