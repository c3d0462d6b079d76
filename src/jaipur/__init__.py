"""Jaipur, the card game for two players: the rules as a library, with players, simulation, a server and a terminal.

>>> import random, jaipur
>>> position = jaipur.new_round(jaipur.Deal.shuffled(random.Random(1)))
>>> position.play(position.legal_moves()[0])
"""

from jaipur.rules import *  # noqa: F403  # the package has the same public names as `rules`
from jaipur.rules import __all__ as __all__

__version__ = "0.1.0"
