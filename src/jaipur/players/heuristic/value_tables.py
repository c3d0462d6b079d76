"""Value tables. A row contains the value of one kind of card in one situation, and how each action changes this value.

A situation consists of numbers of cards and tokens that a player knows or assumes. Values are in rupees. A row is
computed from `weights` on first use. The tables do not check whether an action is legal.
"""

from jaipur.players.heuristic import weights
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES
from jaipur.rules.tokens import BONUS_TOKENS, PILE_SIZES, tokens_paid

Row = tuple[float, ...]

# Indices of a row for a good: entry n is the change in value if the player takes n cards from the market, GIVE + n if
# the player gives n cards to the market, SELL + n if the player sells n cards. Entry HELD is the value before the move.
# The row of the camels also covers the size of the hand. There, entry 1 takes all camels, TAKE_ONE takes a single good,
# SELL + n sells n cards of any good, and GIVE + n gives n camels in an exchange.
GIVE, SELL, HELD, TAKE_ONE = 8, 16, 24, 2

# By number of cards sold: the average value of the bonus token.
EXPECTED_BONUS = (0.0, 0.0, 0.0, *(sum(pile) / len(pile) for pile in BONUS_TOKENS))


def expected_bonus(cards: int) -> float:
    return EXPECTED_BONUS[min(cards, len(EXPECTED_BONUS) - 1)]


class GoodTable(dict[int, Row]):
    """The rows of one good by situation.

    The key packs five numbers. The stage of the round is in the highest digits. One hexadecimal digit each follows for
    the tokens taken, the cards in the own hand, the cards in the opponent's hand and the cards in the market.
    """

    def __init__(self, good: int) -> None:
        super().__init__()
        self._good = good

    def __missing__(self, key: int) -> Row:
        situation = key >> 16, key >> 12 & 15, key >> 8 & 15, key >> 4 & 15, key & 15
        row = self[key] = self._row(*situation)
        return row

    def _row(self, stage: int, taken: int, own: int, other: int, market: int) -> Row:
        held = self._value(stage, taken, own, other, market)
        row = [0.0] * (HELD + 1)
        row[HELD] = held
        for cards in range(1, min(market, HAND_LIMIT - own) + 1):
            row[cards] = self._value(stage, taken, own + cards, other, market - cards) - held
        for cards in range(1, min(own, MARKET_PLACES - market) + 1):
            after = self._value(stage, taken, own - cards, other, market + cards)
            row[GIVE + cards] = after - held
        for cards in range(1, own + 1):
            taken_after = min(taken + cards, PILE_SIZES[self._good])
            after = self._value(stage, taken_after, own - cards, other, market)
            row[SELL + cards] = after - held + tokens_paid(self._good, taken, cards)
        return tuple(row)

    def _value(self, stage: int, taken: int, own: int, other: int, market: int) -> float:
        good = self._good
        hands = weights.HAND[good][taken][own] - weights.RIVAL[good][taken][other]
        near = weights.NEAR_HAND[good][own][market] - weights.NEAR_RIVAL[good][other][market]
        return weights.LATE[stage] * hands + near - weights.MARKET[good][taken][market]


class CamelTable(dict[int, Row]):
    """The rows of the camels by situation.

    The key packs six numbers: the third of the round (0 to 2), the sizes of the own and the opponent's hand, the sizes
    of the own and the opponent's herd, and the camels in the market. Each number has one hexadecimal digit. The digits
    are in this order, from high to low.
    """

    def __missing__(self, key: int) -> Row:
        third, hand, other_hand = key >> 20, key >> 16 & 15, key >> 12 & 15
        row = self[key] = self._row(third, hand, other_hand, key >> 8 & 15, key >> 4 & 15, key & 15)
        return row

    def _row(
        self, third: int, hand: int, other_hand: int, own: int, other: int, market: int
    ) -> Row:
        size, refill = weights.HAND_SIZE[third], weights.REFILL[third]
        camels = self._value(third, own, other, market)
        row = [0.0] * (HELD + 1)
        row[HELD] = camels + size[hand] - weights.RIVAL_SIZE[third][other_hand]
        row[1] = self._value(third, own + market, other, 0) - camels - refill * market
        if hand < HAND_LIMIT:
            row[TAKE_ONE] = size[hand + 1] - size[hand] - refill
        for cards in range(1, min(own, MARKET_PLACES - market, HAND_LIMIT - hand) + 1):
            change = self._value(third, own - cards, other, market + cards) - camels
            row[GIVE + cards] = change + size[hand + cards] - size[hand]
        for cards in range(1, hand + 1):
            row[SELL + cards] = size[hand - cards] - size[hand]
        return tuple(row)

    def _value(self, third: int, own: int, other: int, market: int) -> float:
        herds = weights.HERD[third][own] - weights.RIVAL_HERD[third][other]
        lead = weights.HERD_LEAD[third][own - other + 11]
        return herds + lead - weights.MARKET_CAMELS[third][market]


GOOD_TABLES = tuple(GoodTable(good) for good in range(6))
CAMEL_TABLE = CamelTable()
