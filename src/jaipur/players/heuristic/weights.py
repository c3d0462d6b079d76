"""Weights of the linear evaluation, in rupees: the value of cards in a hand, in a herd and in the market.

They were learned by TD(λ) with λ = 0.8 in 900,000 rounds of self-play and are stored in weights.json. All values are
from the point of view of the player who has just moved. The evaluation subtracts the tables marked "subtracted".
"""

import json
from importlib.resources import files

Table = list[list[float]]

_weights = json.loads(files("jaipur.players.heuristic").joinpath("weights.json").read_text("utf-8"))

HAND: list[Table] = _weights["hand"]
"""By good, tokens taken and cards in the own hand."""
RIVAL: list[Table] = _weights["rival"]
"""By good, tokens taken and cards in the opponent's hand (the opponent moves next); subtracted."""
MARKET: list[Table] = _weights["market"]
"""By good, tokens taken and cards in the market, which the opponent can take first; subtracted."""
NEAR_HAND: list[Table] = _weights["near_hand"]
"""By good, cards in the own hand and cards in the market."""
NEAR_RIVAL: list[Table] = _weights["near_rival"]
"""By good, cards in the opponent's hand and cards in the market; subtracted."""
HERD: Table = _weights["herd"]
"""By third of the round and camels in the own herd."""
RIVAL_HERD: Table = _weights["rival_herd"]
"""By third of the round and camels in the opponent's herd; subtracted."""
HERD_LEAD: Table = _weights["herd_lead"]
"""By third of the round and lead in camels, from -11 to 11."""
MARKET_CAMELS: Table = _weights["market_camels"]
"""By third of the round and camels in the market; subtracted."""
HAND_SIZE: Table = _weights["hand_size"]
"""By third of the round and cards in the own hand."""
RIVAL_SIZE: Table = _weights["rival_size"]
"""By third of the round and cards in the opponent's hand; subtracted."""
REFILL: list[float] = _weights["refill"]
"""By third of the round: the value of one new market card to the opponent."""
LATE: list[float] = _weights["late"]
"""By stage: the fraction of the value of hands that can still be sold."""
TEMPO: list[float] = _weights["tempo"]
"""By stage: a constant for the player who has just moved."""
SPREAD: list[float] = _weights["spread"]
"""By stage: the scale of the difference between final and expected lead."""
