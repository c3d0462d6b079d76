"""What the tests of the rules are written with: drawn tables, moves in notation, deals with a known beginning."""

import pytest

from jaipur.notation.drawing import read_drawing
from jaipur.rules import Deal, IllegalMove, Move, Position, Reason, Seat, parse_cards
from jaipur.rules.cards import FULL_PACK, ONE_CAMEL, cards_in
from jaipur.rules.tokens import BONUS_TOKENS

table = read_drawing
move = Move.parse


def played(position: Position, *moves: str) -> Position:
    """Where these moves lead; the table they start from stays as it is."""
    after = position.copy()
    for text in moves:
        after.play(move(text))
    return after


def allowed(position: Position, text: str) -> bool:
    """Whether a move is legal, asked of both who can tell."""
    listed = move(text) in position.legal_moves()
    assert listed == (position.why_not(move(text)) is None)
    return listed


def refused(position: Position, wanted: str | Move) -> Reason:
    """Why a move is refused; it is, in every way there is, and the table stays as it was."""
    wanted = move(wanted) if isinstance(wanted, str) else wanted
    before = position.copy()
    with pytest.raises(IllegalMove) as refusal:
        position.play(wanted)
    assert position == before
    assert wanted not in position.legal_moves()
    assert refusal.value.move == wanted
    return refusal.value.reason


def dealt(first: str, starts: Seat = 0) -> Deal:
    """A deal whose pack begins with these cards; the others follow in the order of their kinds."""
    beginning = parse_cards(first.replace(" ", ""))
    rest = list(cards_in(FULL_PACK - 3 * ONE_CAMEL))
    for card in beginning:
        rest.remove(card)
    return Deal((*beginning, *rest), BONUS_TOKENS, starts)
