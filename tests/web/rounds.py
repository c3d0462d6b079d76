"""Deals and rounds that several browser tests use."""

from random import Random

from jaipur.rules import Deal, new_round
from server.serving import choose_move
from tables import dealt, move

DEAL = dealt("DDGSC LLPPC PL CP")
FULL_HAND = ("+P", "-L", "+L", "-L")
"""After these moves seat 0 has a full hand and is to move; the market has cloth, spice and three camels."""


def round_but_last_move(deal: Deal) -> tuple[list[str], str]:
    """The moves of a round without the last one, and the last one."""
    rng, moves, position = Random(0), list[str](), new_round(deal)
    while True:
        chosen = choose_move([str(legal) for legal in position.legal_moves()], rng)
        position.play(move(chosen))
        if position.ended:
            return moves, chosen
        moves.append(chosen)
