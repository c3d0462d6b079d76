"""The random number generator of each batch entry, and the functions that shuffle and deal with it.

The generator is sfc32 by Chris Doty-Humphrey. It uses 32-bit additions and shifts on four words of state and gives the
same numbers on every device. It is not cryptographic: do not use it for deals that must stay secret.
"""

from jaipur.rules.cards import CAMEL, COPIES, DECK_SIZE, GOODS_MASK, KINDS, Seat
from jaipur.rules.setup import CAMELS_LAID_OUT, PACK_SIZE, bonus_row, lay_out
from jaipur.rules.tokens import BONUS_PILES, BONUS_ROW, BONUS_SIZES, BONUS_TOKENS
from jaipur.simulation.features import BEYOND_BONUS, LOWEST_BONUS
from jaipur.simulation.layout import Buffer, EnvState, Numbers

BITS = 32
MASK = (1 << BITS) - 1
WARM_UP = 15  # the number of outputs that are skipped after seeding

SORTED_PACK = tuple(
    kind for kind in KINDS for _ in range(COPIES[kind] - (CAMELS_LAID_OUT if kind == CAMEL else 0))
)
SORTED_BONUS = tuple(bonus_row(BONUS_TOKENS))
EVEN_ODDS = tuple(int(kind != CAMEL) for kind in KINDS)
"""With these weights, all unseen goods are equally likely to be in the opponent's hand."""


def seed_rng(state: EnvState, seed: int) -> None:
    """Seed the generator with a number of up to 63 bits."""
    state.rng[0] = 0
    state.rng[1] = seed & MASK
    state.rng[2] = seed >> BITS & MASK
    state.rng[3] = 1
    for _ in range(WARM_UP):
        random_below(state, 1)


def random_below(state: EnvState, bound: int) -> int:
    """Return a random integer from 0 to `bound - 1`. No probability differs from 1 / `bound` by more than 2⁻³²."""
    a, b, c = state.rng[0], state.rng[1], state.rng[2]
    number = a + b + state.rng[3] & MASK
    state.rng[0] = b ^ b >> 9
    state.rng[1] = c + (c << 3) & MASK
    state.rng[2] = ((c << 21 | c >> 11) + number) & MASK
    state.rng[3] = state.rng[3] + 1 & MASK
    return number * bound >> BITS


def shuffle(cards: Buffer, first: int, size: int, state: EnvState) -> None:
    """Shuffle `size` cards in place, starting at index `first`."""
    for last in range(size - 1, 0, -1):
        other = first + random_below(state, last + 1)
        card = cards[first + last]
        cards[first + last] = cards[other]
        cards[other] = card


def deal_round(state: EnvState, cards: Buffer, starts: Seat) -> None:
    """Shuffle and set up a new round. `cards` is a buffer for the pack and the bonus piles."""
    for card in range(PACK_SIZE):
        cards[card] = SORTED_PACK[card]
    for place in range(BONUS_ROW * BONUS_PILES):
        cards[PACK_SIZE + place] = SORTED_BONUS[place]
    shuffle(cards, 0, PACK_SIZE, state)
    for pile in range(BONUS_PILES):
        shuffle(cards, PACK_SIZE + BONUS_ROW * pile, BONUS_SIZES[pile], state)
    lay_out(state, cards, cards[PACK_SIZE:], starts)


def reshuffle(state: EnvState) -> None:
    """Shuffle the deck and the remaining bonus tokens, which neither seat has seen."""
    shuffle(state.deck, state.drawn, DECK_SIZE - state.drawn, state)
    for pile in range(BONUS_PILES):
        taken = state.bonus_taken[pile]
        shuffle(state.bonus, BONUS_ROW * pile + taken, BONUS_SIZES[pile] - taken, state)


def redeal(state: EnvState, cards: Buffer, seat: Seat, odds: Numbers) -> None:
    """Determinization: resample everything that `seat` has not seen.

    `seat` has not seen the hidden cards of the other seat, the deck, and the bonus tokens of the other seat and the
    piles. `odds` are weights by kind: the relative probability that an unseen card is in the other seat's hand. `cards`
    is a buffer.
    """
    redeal_cards(state, cards, 1 - seat, odds)
    for pile in range(BONUS_PILES):
        redeal_bonus(state, cards, 1 - seat, pile)


def redeal_cards(state: EnvState, cards: Buffer, other: Seat, odds: Numbers) -> None:
    """Resample the hidden cards of the seat `other`, then the deck."""
    hidden = (state.holdings[other] & GOODS_MASK) - state.shown[other]
    state.holdings[other] -= hidden
    unseen, wanted, total = 0, 0, 0
    for good in range(6):
        for _ in range(hidden >> 4 * good & 15):
            cards[unseen] = good
            total += odds[good]
            unseen += 1
            wanted += 1
    for place in range(state.drawn, DECK_SIZE):
        cards[unseen] = state.deck[place]
        total += odds[state.deck[place]]
        unseen += 1
    for _ in range(wanted):
        number, card = random_below(state, total), 0
        while number >= odds[cards[card]]:
            number -= odds[cards[card]]
            card += 1
        state.holdings[other] += 1 << 4 * cards[card]
        total -= odds[cards[card]]
        unseen -= 1
        cards[card] = cards[unseen]
    shuffle(cards, 0, unseen, state)
    for card in range(unseen):
        state.deck[state.drawn + card] = cards[card]


def redeal_bonus(state: EnvState, cards: Buffer, other: Seat, pile: int) -> None:
    """Resample which tokens of a bonus pile the seat `other` holds, and the order of the tokens left in the pile."""
    unseen, held = 0, 0
    for value in range(LOWEST_BONUS[pile], BEYOND_BONUS[pile]):
        for _ in range(state.bonuses[other] >> 4 * value & 15):
            cards[unseen] = value
            state.bonuses[other] -= 1 << 4 * value
            unseen += 1
            held += 1
    first, size = BONUS_ROW * pile, BONUS_SIZES[pile]
    for place in range(state.bonus_taken[pile], size):
        cards[unseen] = state.bonus[first + place]
        unseen += 1
    shuffle(cards, 0, unseen, state)
    for token in range(held):
        state.bonuses[other] += 1 << 4 * cards[token]
    for token in range(held, unseen):
        state.bonus[first + size - unseen + token] = cards[token]
