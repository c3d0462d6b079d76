"""The tokens: what each good and each bonus pays.

Goods tokens lie in one open pile a good, the highest on top; bonus tokens in three face-down piles, for sales of three,
of four, and of five or more cards.
"""

from itertools import accumulate

GOODS_TOKENS = (
    (7, 7, 5, 5, 5),
    (6, 6, 5, 5, 5),
    (5, 5, 5, 5, 5),
    (5, 3, 3, 2, 2, 1, 1),
    (5, 3, 3, 2, 2, 1, 1),
    (4, 3, 2, 1, 1, 1, 1, 1, 1),
)
BONUS_TOKENS = (
    (1, 1, 2, 2, 2, 3, 3),
    (4, 4, 5, 5, 6, 6),
    (8, 8, 9, 10, 10),
)
CAMEL_TOKEN = 5
SMALLEST_BONUS_SALE = 3
LARGEST_BONUS_SALE = 5
EMPTY_PILES_THAT_END = 3

PILE_SIZES = tuple(len(pile) for pile in GOODS_TOKENS)
BONUS_SIZES = tuple(len(pile) for pile in BONUS_TOKENS)
BONUS_ROW = max(BONUS_SIZES)
BONUS_PILES = len(BONUS_SIZES)

# The first n tokens of a good's pile pay _PAID[_PAID_ROW * good + n] together.
_PAID_ROW = 1 + max(PILE_SIZES)
_PAID = tuple(
    paid
    for pile in GOODS_TOKENS
    for paid in accumulate(pile + (0,) * (_PAID_ROW - 1 - len(pile)), initial=0)
)


def tokens_paid(good: int, taken: int, cards: int) -> int:
    """What so many cards of a good fetch in tokens when some of its tokens are taken."""
    row = _PAID_ROW * good
    return _PAID[row + min(taken + cards, PILE_SIZES[good])] - _PAID[row + taken]
