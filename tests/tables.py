"""Helpers for the tests of the rules: drawn tables, moves as text, deals with given first cards."""

import pytest

from jaipur.notation.drawing import read_drawing
from jaipur.rules import Deal, IllegalMove, Move, Position, Reason, Seat
from jaipur.rules.cards import FULL_PACK, ONE_CAMEL, cards_in, parse_cards
from jaipur.rules.tokens import BONUS_TOKENS

table = read_drawing
move = Move.parse


def played(position: Position, *moves: str) -> Position:
    """The position after these moves; the original does not change."""
    after = position.copy()
    for text in moves:
        after.play(text)
    return after


def allowed(position: Position, text: str) -> bool:
    """Whether a move is legal, by the list of moves and by `why_not`, which must agree."""
    listed = move(text) in position.legal_moves()
    assert listed == (position.why_not(text) is None)
    return listed


def refused(position: Position, wanted: str | Move) -> Reason:
    """The reason why a move is illegal. It must also be missing from the list and leave the position unchanged."""
    wanted = move(wanted) if isinstance(wanted, str) else wanted
    before = position.copy()
    with pytest.raises(IllegalMove) as error:
        position.play(wanted)
    assert position == before
    assert wanted not in position.legal_moves()
    assert error.value.move == wanted
    return error.value.reason


def dealt(first: str, starts: Seat = 0) -> Deal:
    """A deal whose pack begins with these cards; the others follow in the order of their kinds."""
    first_cards = parse_cards(first.replace(" ", ""))
    rest = list(cards_in(FULL_PACK - 3 * ONE_CAMEL))
    for card in first_cards:
        rest.remove(card)
    return Deal((*first_cards, *rest), BONUS_TOKENS, starts)
