"""What cards are worth to whom, in rupees: rows of numbers for one kind of card in one situation.

Only arithmetic on counts that a trader knows or supposes. Which moves there are, and what they do, is for the rules.
"""

from jaipur.players.heuristic import weights
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES
from jaipur.rules.tokens import BONUS_TOKENS, PILE_SIZES, tokens_paid

Row = tuple[float, ...]

# A row holds the change of worth, from the side of whoever moves, by what happens to one kind: at n taking n cards of
# it from the market, at GIVE + n putting n there, at SELL + n selling n; at HELD, what the kind is worth as it lies.
# The camels' row also minds the size of the hand: there 1 is taking them all, ONE a single good, SELL + n a sale of any
# good, GIVE + n an exchange that pays with n camels.
GIVE, SELL, HELD, ONE = 8, 16, 24, 2

EXPECTED_BONUS = (0.0, 0.0, 0.0, *(sum(pile) / len(pile) for pile in BONUS_TOKENS))


def expected_bonus(cards: int) -> float:
    return EXPECTED_BONUS[min(cards, len(EXPECTED_BONUS) - 1)]


class GoodRows(dict[int, Row]):
    """The rows of one good by situation, each made when it is first asked for.

    A situation is five numbers in one: the stage of the round, then a hexadecimal digit each for the tokens gone and
    the cards in my hand, in theirs and in the market.
    """

    def __init__(self, good: int) -> None:
        super().__init__()
        self._good = good

    def __missing__(self, key: int) -> Row:
        situation = key >> 16, key >> 12 & 15, key >> 8 & 15, key >> 4 & 15, key & 15
        row = self[key] = self._row(*situation)
        return row

    def _row(self, stage: int, gone: int, mine: int, theirs: int, laid: int) -> Row:
        held = self._worth(stage, gone, mine, theirs, laid)
        row = [0.0] * (HELD + 1)
        row[HELD] = held
        for cards in range(1, min(laid, HAND_LIMIT - mine) + 1):
            row[cards] = self._worth(stage, gone, mine + cards, theirs, laid - cards) - held
        for cards in range(1, min(mine, MARKET_PLACES - laid) + 1):
            row[GIVE + cards] = self._worth(stage, gone, mine - cards, theirs, laid + cards) - held
        for cards in range(1, mine + 1):
            after = min(gone + cards, PILE_SIZES[self._good])
            left = self._worth(stage, after, mine - cards, theirs, laid)
            row[SELL + cards] = left - held + tokens_paid(self._good, gone, cards)
        return tuple(row)

    def _worth(self, stage: int, gone: int, mine: int, theirs: int, laid: int) -> float:
        good = self._good
        hands = weights.HAND[good][gone][mine] - weights.RIVAL[good][gone][theirs]
        near = weights.NEAR_HAND[good][mine][laid] - weights.NEAR_RIVAL[good][theirs][laid]
        return weights.LATE[stage] * hands + near - weights.MARKET[good][gone][laid]


class CamelRows(dict[int, Row]):
    """The rows of the camels: by third of the round, sizes of both hands, both herds, camels in the market."""

    def __missing__(self, key: int) -> Row:
        third, hand, rival = key >> 20, key >> 16 & 15, key >> 12 & 15
        row = self[key] = self._row(third, hand, rival, key >> 8 & 15, key >> 4 & 15, key & 15)
        return row

    def _row(self, third: int, hand: int, rival: int, mine: int, theirs: int, laid: int) -> Row:
        size, refill = weights.HAND_SIZE[third], weights.REFILL[third]
        camels = self._worth(third, mine, theirs, laid)
        row = [0.0] * (HELD + 1)
        row[HELD] = camels + size[hand] - weights.RIVAL_SIZE[third][rival]
        row[1] = self._worth(third, mine + laid, theirs, 0) - camels - refill * laid
        if hand < HAND_LIMIT:
            row[ONE] = size[hand + 1] - size[hand] - refill
        for cards in range(1, min(mine, MARKET_PLACES - laid, HAND_LIMIT - hand) + 1):
            given = self._worth(third, mine - cards, theirs, laid + cards) - camels
            row[GIVE + cards] = given + size[hand + cards] - size[hand]
        for cards in range(1, hand + 1):
            row[SELL + cards] = size[hand - cards] - size[hand]
        return tuple(row)

    def _worth(self, third: int, mine: int, theirs: int, laid: int) -> float:
        herds = weights.HERD[third][mine] - weights.RIVAL_HERD[third][theirs]
        lead = weights.HERD_LEAD[third][mine - theirs + 11]
        return herds + lead - weights.MARKET_CAMELS[third][laid]


GOOD_ROWS = tuple(GoodRows(good) for good in range(6))
CAMEL_ROWS = CamelRows()
