"""Weights of the linear evaluation, in rupees: the value of cards in a hand, in a herd and in the market.

They were learned by TD(λ) with λ = 0.8 in 900,000 rounds of self-play and are stored in weights.json. All values are
from the point of view of the player who has just moved. The evaluation subtracts the tables marked "subtracted".
"""

import json
from importlib.resources import files

Table = list[list[float]]

_weights = json.loads(files("jaipur.players.heuristic").joinpath("weights.json").read_text("utf-8"))

# By good, tokens taken and cards: in the own hand; in the opponent's hand (the opponent moves next; subtracted); in the
# market, where the opponent can take them first (subtracted).
HAND: list[Table] = _weights["hand"]
RIVAL: list[Table] = _weights["rival"]
MARKET: list[Table] = _weights["market"]
# By good, cards in a hand and cards in the market; the opponent's are subtracted.
NEAR_HAND: list[Table] = _weights["near_hand"]
NEAR_RIVAL: list[Table] = _weights["near_rival"]
# By third of the round and camels: in the own herd, in the opponent's (subtracted), in the market (subtracted).
HERD: Table = _weights["herd"]
RIVAL_HERD: Table = _weights["rival_herd"]
MARKET_CAMELS: Table = _weights["market_camels"]
# By third of the round and lead in camels, from -11 to 11.
HERD_LEAD: Table = _weights["herd_lead"]
# By third of the round and cards in a hand; the opponent's are subtracted.
HAND_SIZE: Table = _weights["hand_size"]
RIVAL_SIZE: Table = _weights["rival_size"]
# By third of the round: the value of one new market card to the opponent.
REFILL: list[float] = _weights["refill"]
# By stage: the fraction of the value of hands that can still be sold; a constant for the player who has just
# moved; the scale of the difference between final and expected lead.
LATE: list[float] = _weights["late"]
TEMPO: list[float] = _weights["tempo"]
SPREAD: list[float] = _weights["spread"]
