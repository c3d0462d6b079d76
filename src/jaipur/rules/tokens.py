"""The values of the tokens.

Each good has one face-up pile of goods tokens, the highest on top. Bonus tokens are in three face-down piles, for sales
of three, of four, and of five or more cards.
"""

from functools import lru_cache
from itertools import accumulate

GOODS_TOKENS = (
    (7, 7, 5, 5, 5),
    (6, 6, 5, 5, 5),
    (5, 5, 5, 5, 5),
    (5, 3, 3, 2, 2, 1, 1),
    (5, 3, 3, 2, 2, 1, 1),
    (4, 3, 2, 1, 1, 1, 1, 1, 1),
)
BONUS_TOKENS = ((1, 1, 2, 2, 2, 3, 3), (4, 4, 5, 5, 6, 6), (8, 8, 9, 10, 10))
CAMEL_TOKEN = 5
SMALLEST_BONUS_SALE = 3
LARGEST_BONUS_SALE = 5
EMPTY_PILES_THAT_END = 3

PILE_SIZES = tuple(len(pile) for pile in GOODS_TOKENS)
BONUS_SIZES = tuple(len(pile) for pile in BONUS_TOKENS)
BONUS_ROW = max(BONUS_SIZES)  # the places for each pile in `Position.bonus`
BONUS_PILES = len(BONUS_SIZES)

# _PAID[_PAID_ROW * good + n] is the sum of the first n tokens of a good.
_PAID_ROW = 1 + max(PILE_SIZES)
_PAID = tuple(
    paid
    for pile in GOODS_TOKENS
    for paid in accumulate(pile + (0,) * (_PAID_ROW - 1 - len(pile)), initial=0)
)


def tokens_paid(good: int, taken: int, cards: int) -> int:
    """Return the rupees in goods tokens for a sale of `cards` cards, after `taken` tokens have left the pile."""
    row = _PAID_ROW * good
    return _PAID[row + min(taken + cards, PILE_SIZES[good])] - _PAID[row + taken]


@lru_cache
def bonus_values(bonuses: int) -> tuple[int, ...]:
    """Return the values of bonus tokens, lowest first.

    Hexadecimal digit v of `bonuses` is the number of tokens of value v.
    """
    return tuple(value for value in range(1, 11) for _ in range(bonuses >> 4 * value & 15))


@lru_cache
def bonuses_by_pile(bonuses: int) -> tuple[int, ...]:
    """Return the number of a trader's bonus tokens from each of the three piles."""
    values = bonus_values(bonuses)
    return tuple(sum(value in tokens for value in values) for tokens in BONUS_TOKENS)
