"""Why a move is illegal: the rules are checked in order, and the first broken one is the reason.

Wrong cards are reported before wrong numbers of cards. A player who builds an exchange card by card is asked to add a
card only if that can make the move legal.

`listing` generates the legal moves independently; the tests compare the two on every conceivable move.
"""

from typing import TYPE_CHECKING

from jaipur.rules.cards import (
    CAMEL,
    CAMEL_MASK,
    CAMEL_SHIFT,
    GOODS,
    GOODS_MASK,
    LETTERS,
    ONE_CAMEL,
    PRECIOUS,
    PileCode,
    count,
    total,
)
from jaipur.rules.errors import Reason, Rule
from jaipur.rules.moves import HAND_LIMIT, SMALLEST_EXCHANGE, Move

if TYPE_CHECKING:
    from jaipur.rules.position import Position


def why_not(position: "Position", move: Move) -> Reason | None:
    """The first rule that a move breaks, or None if the move is legal."""
    if position.ended:
        return Reason(Rule.ROUND_OVER)
    if not move.taken and not move.given:
        return Reason(Rule.EMPTY_MOVE)
    if move.taken & CAMEL_MASK:
        return _why_not_camels(position, move)
    if not move.taken:
        return _why_not_sell(position, move.given)
    return _why_not_take(position, move)


def _why_not_camels(position: "Position", move: Move) -> Reason | None:
    if move.given or move.taken & GOODS_MASK:
        return Reason(Rule.CAMELS_ALONE)
    if move.taken != ONE_CAMEL:
        return Reason(Rule.CAMELS_AS_ONE)
    if not position.market & CAMEL_MASK:
        return Reason(Rule.NO_CAMELS_IN_MARKET)
    return None


def _why_not_take(position: "Position", move: Move) -> Reason | None:
    taken, given = total(move.taken), total(move.given)
    missing = _missing(position.market, move.taken, Rule.NOT_IN_MARKET)
    if missing:
        return missing
    if not given and taken > 1:
        return Reason(Rule.ONE_GOOD, {"taken": taken})
    for good in GOODS:
        if count(move.taken, good) and count(move.given, good):
            return Reason(Rule.SAME_KIND, {"kind": LETTERS[good]})
    hand, herd = position.hand(position.turn), position.herd(position.turn)
    missing = _missing(hand, move.given & GOODS_MASK, Rule.NOT_IN_HAND)
    if missing:
        return missing
    camels = move.given >> CAMEL_SHIFT
    if camels > herd:
        return Reason(Rule.NOT_IN_HERD, {"have": herd, "wanted": camels})
    # An exchange takes as many goods as it gives cards, so the hand grows by the camels given.
    held = total(hand) + (camels if given else taken)
    if held > HAND_LIMIT:
        return Reason(Rule.HAND_LIMIT, {"held": held, "limit": HAND_LIMIT})
    if given and taken == given < SMALLEST_EXCHANGE:
        return Reason(Rule.ONE_FOR_ONE)
    if given and taken != given:
        return Reason(Rule.UNEVEN_EXCHANGE, {"taken": taken, "given": given})
    return None


def _why_not_sell(position: "Position", given: PileCode) -> Reason | None:
    kinds = [kind for kind in (*GOODS, CAMEL) if count(given, kind)]
    if CAMEL in kinds:
        return Reason(Rule.CAMELS_NOT_SOLD)
    if len(kinds) > 1:
        return Reason(Rule.ONE_KIND_A_SALE, {"kind": LETTERS[kinds[0]], "other": LETTERS[kinds[1]]})
    missing = _missing(position.hand(position.turn), given, Rule.NOT_IN_HAND)
    if missing:
        return missing
    if kinds[0] in PRECIOUS and total(given) == 1:
        return Reason(Rule.TWO_PRECIOUS, {"kind": LETTERS[kinds[0]]})
    return None


def _missing(pile: PileCode, wanted: PileCode, rule: Rule) -> Reason | None:
    for good in GOODS:
        lacking = (wanted >> 4 * good & 15) > (pile >> 4 * good & 15)
        if lacking:
            have, asked = count(pile, good), count(wanted, good)
            return Reason(rule, {"kind": LETTERS[good], "have": have, "wanted": asked})
    return None
