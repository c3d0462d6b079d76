"""Weights of the linear evaluation, in rupees: the value of cards in a hand, in a herd and in the market.

The weights were learned by TD(λ) with λ = 0.8 in 900,000 rounds of self-play. They are stored in weights.json. They
apply to the player who has just moved; the opponent moves next. The evaluation subtracts the tables of the opponent
(`RIVAL`, `NEAR_RIVAL`, …), of the market and of the refill, and adds the others.
"""

import json
from importlib.resources import files

Table = list[list[float]]

_weights = json.loads(files("jaipur.players.heuristic").joinpath("weights.json").read_text("utf-8"))

# The comments name the indices of the tables below them.
# By good, tokens taken, and cards in the own hand, in the opponent's hand or in the market.
HAND: list[Table] = _weights["hand"]
RIVAL: list[Table] = _weights["rival"]
MARKET: list[Table] = _weights["market"]
# By good, cards in the own or the opponent's hand, and cards in the market.
NEAR_HAND: list[Table] = _weights["near_hand"]
NEAR_RIVAL: list[Table] = _weights["near_rival"]
# By third of the round, and camels in the own herd, in the opponent's herd or in the market.
HERD: Table = _weights["herd"]
RIVAL_HERD: Table = _weights["rival_herd"]
MARKET_CAMELS: Table = _weights["market_camels"]
# By third of the round and lead in camels plus 11. The lead is -11 to 11.
HERD_LEAD: Table = _weights["herd_lead"]
# By third of the round and number of cards in the own or the opponent's hand.
HAND_SIZE: Table = _weights["hand_size"]
RIVAL_SIZE: Table = _weights["rival_size"]
# By third of the round: the value of one new market card to the opponent.
REFILL: list[float] = _weights["refill"]
# By stage. LATE is a factor for the value of the hands, because late in the round some cards can no longer be sold.
# TEMPO is a constant for the player who has just moved. SPREAD is the scale of the difference between the final lead
# and the expected lead.
LATE: list[float] = _weights["late"]
TEMPO: list[float] = _weights["tempo"]
SPREAD: list[float] = _weights["spread"]
