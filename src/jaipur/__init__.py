"""Jaipur, the card game for two: the rules as a library, and what is built on them.

>>> import random, jaipur
>>> position = jaipur.new_round(jaipur.Deal.shuffled(random.Random(1)))
>>> position.play(position.legal_moves()[0])
"""

from jaipur.rules import *  # noqa: F403  # the public names of the rules are those of the package
from jaipur.rules import __all__ as __all__

__version__ = "0.1.0"
