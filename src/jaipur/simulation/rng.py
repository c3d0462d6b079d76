"""Chance in a lane: a small generator of its own that gives the same numbers on every device, and dealing with it.

It is Chris Doty-Humphrey's sfc32: additions and shifts of 32 bits and four words of state, where Python's generator has
2,500 bytes. Nobody is to guess a deal from others here; what needs secrecy draws elsewhere.
"""

from collections.abc import MutableSequence, Sequence

from jaipur.rules.cards import CAMEL, COPIES, GOODS_MASK, KINDS, Seat
from jaipur.rules.position import DECK_SIZE
from jaipur.rules.setup import CAMELS_LAID_OUT, PACK_SIZE, bonus_row, lay_out
from jaipur.rules.tokens import BONUS_PILES, BONUS_ROW, BONUS_SIZES, BONUS_TOKENS
from jaipur.simulation.features import BEYOND_BONUS, LOWEST_BONUS
from jaipur.simulation.layout import Lane

BITS = 32
MASK = (1 << BITS) - 1
WARM_UP = 15

SORTED_PACK = tuple(
    kind for kind in KINDS for _ in range(COPIES[kind] - (CAMELS_LAID_OUT if kind == CAMEL else 0))
)
SORTED_BONUS = tuple(bonus_row(BONUS_TOKENS))
EVEN_ODDS = tuple(int(kind != CAMEL) for kind in KINDS)
"""Any good that was not seen may be hidden, one as likely as the other."""


def sow(lane: Lane, seed: int) -> None:
    """Start a lane's generator from a seed of up to 63 bits."""
    lane.chance[0] = 0
    lane.chance[1] = seed & MASK
    lane.chance[2] = seed >> BITS & MASK
    lane.chance[3] = 1
    for _ in range(WARM_UP):
        draw(lane, 1)


def draw(lane: Lane, below: int) -> int:
    """A number from 0 up to `below`, each as likely as the others to one part in 2³² / `below`."""
    a, b, c = lane.chance[0], lane.chance[1], lane.chance[2]
    drawn = a + b + lane.chance[3] & MASK
    lane.chance[0] = b ^ b >> 9
    lane.chance[1] = c + (c << 3) & MASK
    lane.chance[2] = ((c << 21 | c >> 11) + drawn) & MASK
    lane.chance[3] = lane.chance[3] + 1 & MASK
    return drawn * below >> BITS


def shuffle(cards: MutableSequence[int], first: int, size: int, lane: Lane) -> None:
    """Shuffle so many cards in place, from the first on."""
    for last in range(size - 1, 0, -1):
        other = first + draw(lane, last + 1)
        kept = cards[first + last]
        cards[first + last] = cards[other]
        cards[other] = kept


def deal(lane: Lane, cards: MutableSequence[int], starts: Seat) -> None:
    """Shuffle and lay out a new round; `cards` is room for a pack and the bonus piles, which lie behind it."""
    for card in range(PACK_SIZE):
        cards[card] = SORTED_PACK[card]
    for place in range(BONUS_ROW * BONUS_PILES):
        cards[PACK_SIZE + place] = SORTED_BONUS[place]
    shuffle(cards, 0, PACK_SIZE, lane)
    for pile in range(BONUS_PILES):
        shuffle(cards, PACK_SIZE + BONUS_ROW * pile, BONUS_SIZES[pile], lane)
    lay_out(lane, cards, cards[PACK_SIZE:], starts)


def reshuffle(lane: Lane) -> None:
    """Shuffle what nobody has seen: the deck and the bonus tokens that are left."""
    shuffle(lane.deck, lane.drawn, DECK_SIZE - lane.drawn, lane)
    for pile in range(BONUS_PILES):
        taken = lane.bonus_taken[pile]
        shuffle(lane.bonus, BONUS_ROW * pile + taken, BONUS_SIZES[pile] - taken, lane)


def redeal(lane: Lane, cards: MutableSequence[int], seat: Seat, odds: Sequence[int]) -> None:
    """Deal all that a seat has not seen anew: the other's hidden cards, the deck, bonus tokens face down.

    The odds say, by kind, how much likelier than another a card is to be hidden: all goods alike, or as somebody
    believes; camels never are. `cards` is room for what is dealt.
    """
    redeal_cards(lane, cards, 1 - seat, odds)
    for pile in range(BONUS_PILES):
        redeal_bonus(lane, cards, 1 - seat, pile)


def redeal_cards(lane: Lane, cards: MutableSequence[int], other: Seat, odds: Sequence[int]) -> None:
    """What the other hides, then the deck."""
    hidden = (lane.holdings[other] & GOODS_MASK) - lane.shown[other]
    lane.holdings[other] -= hidden
    unseen, wanted, total = 0, 0, 0
    for good in range(6):
        for _ in range(hidden >> 4 * good & 15):
            cards[unseen] = good
            total += odds[good]
            unseen += 1
            wanted += 1
    for place in range(lane.drawn, DECK_SIZE):
        cards[unseen] = lane.deck[place]
        total += odds[lane.deck[place]]
        unseen += 1
    for _ in range(wanted):
        drawn, card = draw(lane, total), 0
        while drawn >= odds[cards[card]]:
            drawn -= odds[cards[card]]
            card += 1
        lane.holdings[other] += 1 << 4 * cards[card]
        total -= odds[cards[card]]
        unseen -= 1
        cards[card] = cards[unseen]
    shuffle(cards, 0, unseen, lane)
    for card in range(unseen):
        lane.deck[lane.drawn + card] = cards[card]


def redeal_bonus(lane: Lane, cards: MutableSequence[int], other: Seat, pile: int) -> None:
    """The other's tokens of a bonus pile and what is left of it."""
    unseen, theirs = 0, 0
    for value in range(LOWEST_BONUS[pile], BEYOND_BONUS[pile]):
        for _ in range(lane.bonuses[other] >> 4 * value & 15):
            cards[unseen] = value
            lane.bonuses[other] -= 1 << 4 * value
            unseen += 1
            theirs += 1
    first, size = BONUS_ROW * pile, BONUS_SIZES[pile]
    for place in range(lane.bonus_taken[pile], size):
        cards[unseen] = lane.bonus[first + place]
        unseen += 1
    shuffle(cards, 0, unseen, lane)
    for token in range(theirs):
        lane.bonuses[other] += 1 << 4 * cards[token]
    for token in range(theirs, unseen):
        lane.bonus[first + size - unseen + token] = cards[token]
