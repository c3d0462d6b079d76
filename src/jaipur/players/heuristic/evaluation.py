"""Linear evaluation of positions and moves: the expected lead in rupees at the end of the round.

The evaluation is a sum of table values. It never reads the hidden cards of the deck or the bonus piles. The caller
passes the cards that the opponent is assumed to hold.
"""

from collections.abc import Sequence
from math import exp

from jaipur.players.heuristic.value_tables import (
    CAMEL_TABLE,
    EXPECTED_BONUS,
    GOOD_TABLES,
    HELD,
    SELL,
    TAKE_ONE,
    Row,
)
from jaipur.players.heuristic.weights import SPREAD, TEMPO
from jaipur.rules.cards import CAMEL_SHIFT, DECK_SIZE, GOODS_MASK, NOBODY, PileCode, Seat
from jaipur.rules.moves import MoveCode
from jaipur.rules.position import Position
from jaipur.rules.scoring import bonus_rupees, round_winner
from jaipur.rules.tokens import (
    BONUS_SIZES,
    CAMEL_TOKEN,
    EMPTY_PILES_THAT_END,
    PILE_SIZES,
    tokens_paid,
)

# The stage of a round is a number from 0 to 4 that grows as the deck shrinks, plus five for each empty token pile.
DECK_STAGES = tuple(sum(deck <= limit for limit in (24, 14, 7, 2)) for deck in range(DECK_SIZE + 1))
STAGES_PER_PILE = 5
THIRDS = (0, 0, 1, 2, 2) * EMPTY_PILES_THAT_END

SALES = {8 + sold << 4 * good: (good, sold) for good in range(6) for sold in range(1, 8)}

SEAL_VALUE = 40.0
"""Winning the round counts as this many rupees."""
CERTAIN_LEAD = 2.0
"""A final lead of this many rupees counts as a certain win. A smaller lead does not, because bonuses are estimated."""

Rows = tuple[Row, Row, Row, Row, Row, Row, Row]


class _BonusRupees(dict[int, int]):
    """Cache: maps the packed bonus tokens of a trader (see `Position.bonuses`) to their total value in rupees."""

    def __missing__(self, bonuses: int) -> int:
        holder = Position()
        holder.bonuses[0] = bonuses
        paid = self[bonuses] = bonus_rupees(holder, 0)
        return paid


BONUS_RUPEES = _BonusRupees()
_T0, _T1, _T2, _T3, _T4, _T5 = GOOD_TABLES
_S0, _S1, _S2, _S3, _S4, _S5 = PILE_SIZES


def token_lead(position: Position, seat: Seat) -> int:
    """Return the lead of a seat in goods tokens and bonus tokens, in rupees."""
    other = 1 - seat
    return (
        position.rupees[seat]
        + BONUS_RUPEES[position.bonuses[seat]]
        - position.rupees[other]
        - BONUS_RUPEES[position.bonuses[other]]
    )


def stage_of(deck: int, tokens_taken: Sequence[int]) -> int:
    t0, t1, t2, t3, t4, t5 = tokens_taken
    empty = (t0 == _S0) + (t1 == _S1) + (t2 == _S2) + (t3 == _S3) + (t4 == _S4) + (t5 == _S5)
    return DECK_STAGES[deck] + STAGES_PER_PILE * empty


def rows_for(
    stage: int, tokens_taken: Sequence[int], market: PileCode, own: PileCode, other: PileCode
) -> Rows:
    """Return one row of the value tables for each kind of card. The values apply to the player who holds `own`."""
    t0, t1, t2, t3, t4, t5 = tokens_taken
    base = stage << 16
    a, b = own << 8, other << 4
    herds = (own >> 16 & 0xF00) | (other >> 20 & 0xF0) | market >> 24
    hands = (own & GOODS_MASK) % 15 << 16 | (other & GOODS_MASK) % 15 << 12
    return (
        _T0[base | t0 << 12 | a & 0xF00 | b & 0xF0 | market & 15],
        _T1[base | t1 << 12 | a >> 4 & 0xF00 | b >> 4 & 0xF0 | market >> 4 & 15],
        _T2[base | t2 << 12 | a >> 8 & 0xF00 | b >> 8 & 0xF0 | market >> 8 & 15],
        _T3[base | t3 << 12 | a >> 12 & 0xF00 | b >> 12 & 0xF0 | market >> 12 & 15],
        _T4[base | t4 << 12 | a >> 16 & 0xF00 | b >> 16 & 0xF0 | market >> 16 & 15],
        _T5[base | t5 << 12 | a >> 20 & 0xF00 | b >> 20 & 0xF0 | market >> 20 & 15],
        CAMEL_TABLE[THIRDS[stage] << 20 | hands | herds],
    )


def card_value(rows: Rows) -> float:
    """Return the value of all cards in hands, herds and market."""
    r0, r1, r2, r3, r4, r5, r6 = rows
    return r0[HELD] + r1[HELD] + r2[HELD] + r3[HELD] + r4[HELD] + r5[HELD] + r6[HELD]


def win_probability(position: Position, seat: Seat) -> float:
    """Estimate the probability that a seat wins the round, if both hands are known.

    After the end of the round, the result is exact.
    """
    if position.ended:
        winner = round_winner(position)
        return 0.5 if winner == NOBODY else float(winner == seat)
    moved = 1 - position.turn
    taken, holdings = position.tokens_taken, position.holdings
    stage = stage_of(DECK_SIZE - position.drawn, taken)
    rows = rows_for(stage, taken, position.market, holdings[moved], holdings[1 - moved])
    lead = token_lead(position, moved) + card_value(rows) + TEMPO[stage]
    return lead_to_probability(lead if moved == seat else -lead, stage)


def lead_to_probability(expected_lead: float, stage: int) -> float:
    """Return the win probability of a player with this expected lead."""
    return 1.0 / (1.0 + exp(-max(-300.0, expected_lead / SPREAD[stage])))


class MoveValues:
    """Evaluates the first `listed` moves in `codes`. A value is the expected lead of the player to move, in rupees.

    `other` are the cards that the opponent is assumed to hold. `lead` is the current lead in tokens, in rupees.
    """

    __slots__ = ("_deck", "_herd_lead", "_lead", "_other", "_position", "codes", "stage", "values")

    def __init__(
        self, position: Position, codes: list[MoveCode], listed: int, other: PileCode, lead: float
    ) -> None:
        self.codes = codes[:listed]
        self._position = position
        self._deck = DECK_SIZE - position.drawn
        self._other = other
        self._lead = lead
        taken = position.tokens_taken
        own = position.holdings[position.turn]
        self._herd_lead = (own >> CAMEL_SHIFT) - (other >> CAMEL_SHIFT)
        self.stage = stage_of(self._deck, taken)
        rows = rows_for(self.stage, taken, position.market, own, other)
        r0, r1, r2, r3, r4, r5, r6 = rows
        held = lead + card_value(rows) + TEMPO[self.stage]
        # These values are final for exchanges. The methods below adjust the values of takes and sales.
        self.values = [
            held
            + r0[code & 15]
            + r1[code >> 4 & 15]
            + r2[code >> 8 & 15]
            + r3[code >> 12 & 15]
            + r4[code >> 16 & 15]
            + r5[code >> 20 & 15]
            + r6[code >> 24]
            for code in self.codes
        ]
        self._adjust_takes(r6[TAKE_ONE])
        self._adjust_sales(rows, held)

    def best(self) -> MoveCode:
        return self.codes[self.values.index(max(self.values))]

    def _adjust_takes(self, take_one: float) -> None:
        """Adjust the values of the takes, which are first in the list.

        A take refills the market. It ends the round if the deck has too few cards.
        """
        camels = self._position.market >> CAMEL_SHIFT
        values = self.values
        for move, code in enumerate(self.codes):
            if code & code - 1:
                return
            if code >> CAMEL_SHIFT:
                if camels > self._deck:
                    values[move] = final_value(self._lead, self._herd_lead + camels)
            elif self._deck:
                values[move] += take_one
            else:
                values[move] = final_value(self._lead, self._herd_lead)

    def _adjust_sales(self, rows: Rows, held: float) -> None:
        """Replace the values of the sales, which are last in the list.

        A sale earns goods tokens and may earn a bonus token. It may also empty a pile of tokens.
        """
        taken, bonus_taken = self._position.tokens_taken, self._position.bonus_taken
        for move in range(len(self.codes) - 1, -1, -1):
            sale = SALES.get(self.codes[move])
            if sale is None:
                return
            good, sold = sale
            value = held + rows[good][SELL + sold] + rows[6][SELL + sold]
            bonus = 0.0
            if sold > 2:
                pile = min(sold, 5) - 3
                if bonus_taken[pile] < BONUS_SIZES[pile]:
                    bonus = EXPECTED_BONUS[pile + 3]
            if taken[good] + sold >= PILE_SIZES[good] > taken[good]:
                self.values[move] = self._emptying_sale(good, sold, bonus)
            else:
                self.values[move] = value + bonus

    def _emptying_sale(self, good: int, sold: int, bonus: float) -> float:
        """Return the value of a sale that empties a pile. The sale leads to a later stage or ends the round."""
        position = self._position
        lead = self._lead + bonus + tokens_paid(good, position.tokens_taken[good], sold)
        if self.stage >= STAGES_PER_PILE * (EMPTY_PILES_THAT_END - 1):
            return final_value(lead, self._herd_lead)
        taken = list(position.tokens_taken)
        taken[good] = PILE_SIZES[good]
        stage = self.stage + STAGES_PER_PILE
        own = position.holdings[position.turn] - (sold << 4 * good)
        rows = rows_for(stage, taken, position.market, own, self._other)
        return lead + card_value(rows) + TEMPO[stage]


def final_value(lead: float, herd_lead: int) -> float:
    """Return the value of a round that ends with this lead in rupees (from tokens) and this lead in camels."""
    lead += CAMEL_TOKEN * ((herd_lead > 0) - (herd_lead < 0))
    return lead + SEAL_VALUE * max(-1.0, min(1.0, lead / CERTAIN_LEAD))
