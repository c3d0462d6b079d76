"""Why a move is illegal. The rules are checked in a fixed order, and the first broken rule is the reason.

Wrong cards are reported before wrong numbers of cards. This order helps a player who builds an exchange card by card:
the reason asks for another card only if more cards can make the move legal.

`listing` generates the legal moves independently. Tests compare both modules for all `conceivable_moves`.
"""

from typing import TYPE_CHECKING

from .cards import (
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
from .errors import Reason, Rule
from .moves import HAND_LIMIT, SMALLEST_EXCHANGE

if TYPE_CHECKING:
    from .position import Position


_EIGHTS = 0x888888


def why_not(position: "Position", taken: PileCode, given: PileCode) -> Reason | None:
    """Return the first rule that a move breaks, or None if the move is legal."""
    if position.ended:
        return Reason(Rule.ROUND_OVER)
    if not taken:
        return _why_not_sell(position, given) if given else Reason(Rule.EMPTY_MOVE)
    if taken & CAMEL_MASK:
        return _why_not_camels(position, taken, given)
    return _why_not_take(position, taken, given)


def _why_not_camels(position: "Position", taken: PileCode, given: PileCode) -> Reason | None:
    if given or taken & GOODS_MASK:
        return Reason(Rule.CAMELS_ALONE)
    if taken != ONE_CAMEL:
        return Reason(Rule.CAMELS_AS_ONE)
    if not position.market & CAMEL_MASK:
        return Reason(Rule.NO_CAMELS_IN_MARKET)
    return None


def _why_not_take(position: "Position", taken: PileCode, given: PileCode) -> Reason | None:
    cards_taken, cards_given = total(taken), total(given)
    missing = _missing(position.market, taken, Rule.NOT_IN_MARKET)
    if missing:
        return missing
    if not given and cards_taken > 1:
        return Reason(Rule.ONE_GOOD, {"taken": cards_taken})
    if _kinds(taken) & _kinds(given):
        good = next(good for good in GOODS if count(taken, good) and count(given, good))
        return Reason(Rule.SAME_KIND, {"kind": LETTERS[good]})
    holding = position.holdings[position.turn]
    hand, herd = holding & GOODS_MASK, holding >> CAMEL_SHIFT
    missing = _missing(hand, given & GOODS_MASK, Rule.NOT_IN_HAND)
    if missing:
        return missing
    camels = given >> CAMEL_SHIFT
    if camels > herd:
        return Reason(Rule.NOT_IN_HERD, {"have": herd, "wanted": camels})
    # An exchange takes as many goods as it gives cards. The hand therefore grows by the number of camels given.
    held = total(hand) + (camels if given else cards_taken)
    if held > HAND_LIMIT:
        return Reason(Rule.HAND_LIMIT, {"held": held, "limit": HAND_LIMIT})
    if given and cards_taken == cards_given < SMALLEST_EXCHANGE:
        return Reason(Rule.ONE_FOR_ONE)
    if given and cards_taken != cards_given:
        return Reason(Rule.UNEVEN_EXCHANGE, {"taken": cards_taken, "given": cards_given})
    return None


def _why_not_sell(position: "Position", given: PileCode) -> Reason | None:
    if given & CAMEL_MASK:
        return Reason(Rule.CAMELS_NOT_SOLD)
    goods = [good for good in GOODS if count(given, good)]
    if len(goods) > 1:
        return Reason(Rule.ONE_KIND_A_SALE, {"kind": LETTERS[goods[0]], "other": LETTERS[goods[1]]})
    hand = position.holdings[position.turn] & GOODS_MASK
    missing = _missing(hand, given, Rule.NOT_IN_HAND)
    if missing:
        return missing
    if goods[0] in PRECIOUS and total(given) == 1:
        return Reason(Rule.TWO_PRECIOUS, {"kind": LETTERS[goods[0]]})
    return None


def _kinds(pile: PileCode) -> int:
    """Return the pile with at most one card of each kind."""
    pile |= pile >> 2
    return (pile | pile >> 1) & 0x1111111


def _missing(pile: PileCode, wanted: PileCode, rule: Rule) -> Reason | None:
    # A hand or market has fewer than eight cards of each good. The bit of value 8 in each digit is therefore free. The
    # code sets the bit before the subtraction. If the bit is still set afterwards, there are enough cards.
    if not wanted & _EIGHTS and (pile | _EIGHTS) - wanted & _EIGHTS == _EIGHTS:
        return None
    good = next(good for good in GOODS if count(wanted, good) > count(pile, good))
    have, asked = count(pile, good), count(wanted, good)
    return Reason(rule, {"kind": LETTERS[good], "have": have, "wanted": asked})
