"""Jaipur: the rules of the card game as a library, and what stands on them.

>>> import random, jaipur
>>> position = jaipur.new_round(jaipur.Deal.shuffled(random.Random(1)))
>>> jaipur.play(position, jaipur.legal_moves(position)[0])
"""

from jaipur.rules import *  # noqa: F403  # the rulebook is the package's face
from jaipur.rules import __all__ as __all__

__version__ = "0.1.0"
