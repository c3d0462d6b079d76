"""The features: what a seat knows about a position or an afterstate, as a row of numbers.

Positions with the same view give the same row. A test resamples the hidden cards to check this. The numbers are scaled
to the range from 0 to 1, or from -1 to 1 for differences.
"""

from collections.abc import MutableSequence, Sequence

from jaipur.rules.cards import (
    CAMEL_SHIFT,
    COPIES,
    DECK_SIZE,
    FULL_PACK,
    GOODS_MASK,
    NAMES,
    NOBODY,
    Seat,
    size,
)
from jaipur.rules.endings import OUT_OF_CARDS, RUNNING
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES, MoveCode
from jaipur.rules.position import Position
from jaipur.rules.scoring import camel_token, tokens_held
from jaipur.rules.tokens import (
    BONUS_PILES,
    BONUS_SIZES,
    BONUS_TOKENS,
    CAMEL_TOKEN,
    EMPTY_PILES_THAT_END,
    GOODS_TOKENS,
    PILE_SIZES,
    tokens_paid,
)
from jaipur.rules.turn import MOVE_LIMIT, empty_piles, trade

_GOODS_NAMES, _BONUS_NAMES = NAMES[:6], ("three", "four", "five")
_HERD = COPIES[6]
_RUPEES = 100.0
_ALL_TOKENS = tuple(map(sum, GOODS_TOKENS))

_BLOCKS: tuple[tuple[str, tuple[str, ...], tuple[float, ...]], ...] = (
    ("own hand", _GOODS_NAMES, (HAND_LIMIT,) * 6),
    ("own hand as shown", _GOODS_NAMES, (HAND_LIMIT,) * 6),
    ("other's hand as shown", _GOODS_NAMES, (HAND_LIMIT,) * 6),
    ("market", NAMES, (MARKET_PLACES,) * 7),
    ("unseen", NAMES, COPIES),
    ("tokens left", _GOODS_NAMES, PILE_SIZES),
    ("top token", _GOODS_NAMES, (7,) * 6),
    ("bonus tokens left", _BONUS_NAMES, BONUS_SIZES),
    ("own bonus tokens", _BONUS_NAMES, BONUS_SIZES),
    ("other's bonus tokens", _BONUS_NAMES, BONUS_SIZES),
    ("own hand", ("goods",), (HAND_LIMIT,)),
    ("other's hand", ("goods", "goods not shown"), (HAND_LIMIT,) * 2),
    ("own", ("herd", "goods tokens", "rupees", "seals"), (_HERD, 20, _RUPEES, 2)),
    ("other's", ("herd", "goods tokens", "rupees", "seals"), (_HERD, 20, _RUPEES, 2)),
    ("lead", ("camel token", "rupees"), (1, _RUPEES)),
    ("deck", ("cards",), (DECK_SIZE,)),
    ("market", ("empty places",), (MARKET_PLACES,)),
    ("round", ("empty piles", "moves played"), (EMPTY_PILES_THAT_END, MOVE_LIMIT)),
    ("round", ("is running", "started by self", "own turn"), (1, 1, 1)),
    ("own worth", _GOODS_NAMES, _ALL_TOKENS),
    ("other's worth", _GOODS_NAMES, _ALL_TOKENS),
    ("own worth with market", _GOODS_NAMES, _ALL_TOKENS),
    ("other's worth with market", _GOODS_NAMES, _ALL_TOKENS),
)
FEATURES = tuple(f"{block}: {name}" for block, names, _ in _BLOCKS for name in names)
"""The names of the features, in the order of the row."""
SCALES = tuple(float(scale) for _, _, scales in _BLOCKS for scale in scales)
"""By feature: the number by which the row is divided."""
WIDTH = len(FEATURES)

NO_PILE = -1

# By bonus pile: the lowest value of a token, the highest value plus one, and the sum of all values.
LOWEST_BONUS = tuple(pile[0] for pile in BONUS_TOKENS)
BEYOND_BONUS = tuple(pile[-1] + 1 for pile in BONUS_TOKENS)
_TOTAL_BONUS = tuple(sum(pile) for pile in BONUS_TOKENS)


def observe(
    position: Position,
    seals: Sequence[int],
    seat: Seat,
    pending_pile: int,
    row: MutableSequence[float],
) -> None:
    """Write the features of a seat into `row`.

    `pending_pile` is the bonus pile of a token that the seat has won but not yet seen, or `NO_PILE`. The expected value
    of this token is the mean of the values that the seat has not seen.
    """
    other = 1 - seat
    hand, others_hand = position.holdings[seat] & GOODS_MASK, position.holdings[other] & GOODS_MASK
    herds = position.holdings[0] + position.holdings[1] - (hand + others_hand)
    unseen = FULL_PACK - position.market - hand - position.discard - position.shown[other] - herds
    at = 0
    for good in range(6):
        row[at] = hand >> 4 * good & 15
        row[at + 6] = position.shown[seat] >> 4 * good & 15
        row[at + 12] = position.shown[other] >> 4 * good & 15
        at += 1
    at += 12
    for kind in range(7):
        row[at] = position.market >> 4 * kind & 15
        row[at + 7] = unseen >> 4 * kind & 15
        at += 1
    at += 7
    for good in range(6):
        taken = position.tokens_taken[good]
        row[at] = PILE_SIZES[good] - taken
        row[at + 6] = tokens_paid(good, taken, 1)
        at += 1
    at += 6
    own_rupees, others_rupees = 0.0 + position.rupees[seat], 0.0 + position.rupees[other]
    for pile in range(BONUS_PILES):
        own, known, others = 0, 0, 0
        for value in range(LOWEST_BONUS[pile], BEYOND_BONUS[pile]):
            tokens = position.bonuses[seat] >> 4 * value & 15
            own += tokens
            known += tokens * value
            others += position.bonuses[other] >> 4 * value & 15
        left = BONUS_SIZES[pile] - own
        expected = (_TOTAL_BONUS[pile] - known) / left if left > 0 else 0.0
        own_rupees += known
        others_rupees += others * expected
        if pile == pending_pile:
            own += 1
            own_rupees += expected
        row[at] = BONUS_SIZES[pile] - own - others
        row[at + 3] = own
        row[at + 6] = others
        at += 1
    at += 6
    camel = camel_token(position)
    lead = 0 if camel == NOBODY else 1 if camel == seat else -1
    row[at] = size(hand)
    row[at + 1] = size(others_hand)
    row[at + 2] = size(others_hand) - size(position.shown[other])
    row[at + 3] = position.holdings[seat] >> CAMEL_SHIFT
    row[at + 4] = tokens_held(position.goods_tokens[seat])
    row[at + 5] = own_rupees
    row[at + 6] = seals[seat]
    row[at + 7] = position.holdings[other] >> CAMEL_SHIFT
    row[at + 8] = tokens_held(position.goods_tokens[other])
    row[at + 9] = others_rupees
    row[at + 10] = seals[other]
    row[at + 11] = lead
    row[at + 12] = own_rupees - others_rupees + CAMEL_TOKEN * lead
    row[at + 13] = DECK_SIZE - position.drawn
    row[at + 14] = MARKET_PLACES - size(position.market)
    row[at + 15] = empty_piles(position)
    row[at + 16] = position.moves_played
    row[at + 17] = 1 if position.ended == RUNNING else 0
    row[at + 18] = 1 if position.starter == seat else 0
    row[at + 19] = 1 if position.turn == seat else 0
    at += 20
    for good in range(6):
        taken = position.tokens_taken[good]
        own, others = hand >> 4 * good & 15, position.shown[other] >> 4 * good & 15
        market = position.market >> 4 * good & 15
        row[at] = tokens_paid(good, taken, own)
        row[at + 6] = tokens_paid(good, taken, others)
        row[at + 12] = tokens_paid(good, taken, own + market)
        row[at + 18] = tokens_paid(good, taken, others + market)
        at += 1
    for feature in range(WIDTH):
        row[feature] /= SCALES[feature]


def observe_afterstate(
    position: Position,
    seals: Sequence[int],
    code: MoveCode,
    copy: Position,
    row: MutableSequence[float],
) -> None:
    """Write the features of an afterstate into `row`, from the point of view of the seat that moves.

    The afterstate is the position after the move, before the market is refilled and a bonus token is seen. `copy` is
    scratch memory.
    """
    copy_position(position, copy)
    seat = position.turn
    owed = trade(copy, code)
    pending = NO_PILE
    if owed < 0 and position.bonus_taken[owed + BONUS_PILES] < BONUS_SIZES[owed + BONUS_PILES]:
        pending = owed + BONUS_PILES
    if owed > DECK_SIZE - position.drawn:
        copy.ended = OUT_OF_CARDS
    copy.turn = 1 - seat
    copy.moves_played += 1
    observe(copy, seals, seat, pending, row)


def copy_position(position: Position, copy: Position) -> None:
    """Copy the fields that `trade` changes or `observe` reads."""
    copy.starter = position.starter
    copy.turn = position.turn
    copy.moves_played = position.moves_played
    copy.ended = position.ended
    copy.market = position.market
    copy.drawn = position.drawn
    copy.discard = position.discard
    copy.discard_top = position.discard_top
    for seat in range(2):
        copy.holdings[seat] = position.holdings[seat]
        copy.shown[seat] = position.shown[seat]
        copy.goods_tokens[seat] = position.goods_tokens[seat]
        copy.rupees[seat] = position.rupees[seat]
        copy.bonuses[seat] = position.bonuses[seat]
    for good in range(6):
        copy.tokens_taken[good] = position.tokens_taken[good]
