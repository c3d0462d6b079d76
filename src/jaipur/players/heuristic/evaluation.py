"""What a position and each of its moves is worth to a trader, in rupees of lead at the end of the round.

It adds up the rows of `worth`. It looks neither at the deck nor at the bonus piles, and of the other hand it knows only
what the caller supposes.
"""

from collections.abc import Sequence
from math import exp

from jaipur.players.heuristic.value_tables import (
    CAMEL_ROWS,
    EXPECTED_BONUS,
    GOOD_ROWS,
    HELD,
    ONE,
    SELL,
    Row,
)
from jaipur.players.heuristic.weights import SPREAD, TEMPO
from jaipur.rules.cards import CAMEL_SHIFT, GOODS_MASK, NOBODY, Pile, Seat
from jaipur.rules.moves import Code
from jaipur.rules.position import DECK_SIZE, Position
from jaipur.rules.scoring import bonus_rupees, round_winner
from jaipur.rules.tokens import (
    BONUS_SIZES,
    CAMEL_TOKEN,
    EMPTY_PILES_THAT_END,
    PILE_SIZES,
    tokens_paid,
)

# A round passes through five stages by the cards in its deck, and through five more with each empty pile of tokens.
STAGE_OF_DECK = tuple(
    sum(deck <= limit for limit in (24, 14, 7, 2)) for deck in range(DECK_SIZE + 1)
)
STAGES_A_PILE = 5
THIRD = (0, 0, 1, 2, 2) * EMPTY_PILES_THAT_END

SALES = {8 + sold << 4 * good: (good, sold) for good in range(6) for sold in range(1, 8)}

# What a seal is worth in rupees, and the lead that makes it certain when the other's bonus tokens are guessed.
SEAL, CERTAIN = 40.0, 2.0

Rows = tuple[Row, Row, Row, Row, Row, Row, Row]


class _BonusPaid(dict[int, int]):
    """What packed bonus tokens pay, remembered."""

    def __missing__(self, bonuses: int) -> int:
        holder = Position()
        holder.bonuses[0] = bonuses
        paid = self[bonuses] = bonus_rupees(holder, 0)
        return paid


BONUS_PAID = _BonusPaid()
_R0, _R1, _R2, _R3, _R4, _R5 = GOOD_ROWS
_S0, _S1, _S2, _S3, _S4, _S5 = PILE_SIZES


def lead_of(position: Position, seat: Seat) -> int:
    """By how many rupees of tokens a seat is ahead, bonus tokens and all."""
    other = 1 - seat
    return (
        position.rupees[seat]
        + BONUS_PAID[position.bonuses[seat]]
        - position.rupees[other]
        - BONUS_PAID[position.bonuses[other]]
    )


def stage_of(deck: int, tokens_taken: Sequence[int]) -> int:
    t0, t1, t2, t3, t4, t5 = tokens_taken
    empty = (t0 == _S0) + (t1 == _S1) + (t2 == _S2) + (t3 == _S3) + (t4 == _S4) + (t5 == _S5)
    return STAGE_OF_DECK[deck] + STAGES_A_PILE * empty


def rows_for(stage: int, taken: Sequence[int], market: Pile, mine: Pile, theirs: Pile) -> Rows:
    """The rows that hold for such a table, one a kind of card."""
    t0, t1, t2, t3, t4, t5 = taken
    first = stage << 16
    m, t = mine << 8, theirs << 4
    herds = (mine >> 16 & 0xF00) | (theirs >> 20 & 0xF0) | market >> 24
    hands = (mine & GOODS_MASK) % 15 << 16 | (theirs & GOODS_MASK) % 15 << 12
    return (
        _R0[first | t0 << 12 | m & 0xF00 | t & 0xF0 | market & 15],
        _R1[first | t1 << 12 | m >> 4 & 0xF00 | t >> 4 & 0xF0 | market >> 4 & 15],
        _R2[first | t2 << 12 | m >> 8 & 0xF00 | t >> 8 & 0xF0 | market >> 8 & 15],
        _R3[first | t3 << 12 | m >> 12 & 0xF00 | t >> 12 & 0xF0 | market >> 12 & 15],
        _R4[first | t4 << 12 | m >> 16 & 0xF00 | t >> 16 & 0xF0 | market >> 16 & 15],
        _R5[first | t5 << 12 | m >> 20 & 0xF00 | t >> 20 & 0xF0 | market >> 20 & 15],
        CAMEL_ROWS[THIRD[stage] << 20 | hands | herds],
    )


def held_by(rows: Rows) -> float:
    """What lies in hands, herds and market, from the side of whoever the rows were asked for."""
    r0, r1, r2, r3, r4, r5, r6 = rows
    return r0[HELD] + r1[HELD] + r2[HELD] + r3[HELD] + r4[HELD] + r5[HELD] + r6[HELD]


def chance(position: Position, seat: Seat) -> float:
    """How likely a seat takes the seal, both hands known; certain where the round has ended."""
    if position.ended:
        winner = round_winner(position)
        return 0.5 if winner == NOBODY else float(winner == seat)
    moved = 1 - position.turn
    taken, holdings = position.tokens_taken, position.holdings
    stage = stage_of(DECK_SIZE - position.drawn, taken)
    rows = rows_for(stage, taken, position.market, holdings[moved], holdings[1 - moved])
    ahead = lead_of(position, moved) + held_by(rows) + TEMPO[stage]
    return likely(ahead if moved == seat else -ahead, stage)


def likely(ahead: float, stage: int) -> float:
    """How likely a trader wins who expects to be so many rupees ahead."""
    return 1.0 / (1.0 + exp(-max(-300.0, ahead / SPREAD[stage])))


class Appraisal:
    """The worth of every listed move, supposing the other holds these cards and this is the lead in tokens."""

    __slots__ = ("_deck", "_herds", "_lead", "_position", "_theirs", "codes", "stage", "worths")

    def __init__(
        self, position: Position, codes: list[Code], listed: int, theirs: Pile, lead: float
    ) -> None:
        self.codes = codes[:listed]
        self._position = position
        self._deck = DECK_SIZE - position.drawn
        self._theirs = theirs
        self._lead = lead
        taken = position.tokens_taken
        mine = position.holdings[position.turn]
        self._herds = (mine >> CAMEL_SHIFT) - (theirs >> CAMEL_SHIFT)
        self.stage = stage_of(self._deck, taken)
        rows = rows_for(self.stage, taken, position.market, mine, theirs)
        r0, r1, r2, r3, r4, r5, r6 = rows
        held = lead + held_by(rows) + TEMPO[self.stage]
        self.worths = [
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
        self._mind_draws(r6[ONE])
        self._mind_sales(rows, held)

    def best(self) -> Code:
        return self.codes[self.worths.index(max(self.worths))]

    def _mind_draws(self, one: float) -> None:
        """A single good brings a new card to the market; a deck that cannot refill it ends the round."""
        camels = self._position.market >> CAMEL_SHIFT
        worths = self.worths
        for move, code in enumerate(self.codes):
            if code & code - 1:
                return
            if code >> CAMEL_SHIFT:
                if camels > self._deck:
                    worths[move] = final(self._lead, self._herds + camels)
            elif self._deck:
                worths[move] += one
            else:
                worths[move] = final(self._lead, self._herds)

    def _mind_sales(self, rows: Rows, held: float) -> None:
        """A sale brings tokens and perhaps a bonus, and changes prices for both; it may empty a pile."""
        taken, bonus_taken = self._position.tokens_taken, self._position.bonus_taken
        for move in range(len(self.codes) - 1, -1, -1):
            sale = SALES.get(self.codes[move])
            if sale is None:
                return
            good, sold = sale
            worth = held + rows[good][SELL + sold] + rows[6][SELL + sold]
            bonus = 0.0
            if sold > 2:
                pile = min(sold, 5) - 3
                if bonus_taken[pile] < BONUS_SIZES[pile]:
                    bonus = EXPECTED_BONUS[pile + 3]
            if taken[good] + sold >= PILE_SIZES[good] > taken[good]:
                self.worths[move] = self._emptying(good, sold, bonus)
            else:
                self.worths[move] = worth + bonus

    def _emptying(self, good: int, sold: int, bonus: float) -> float:
        """The worth of a sale that empties a pile: a later stage, or the end."""
        position = self._position
        lead = self._lead + bonus + tokens_paid(good, position.tokens_taken[good], sold)
        if self.stage >= STAGES_A_PILE * (EMPTY_PILES_THAT_END - 1):
            return final(lead, self._herds)
        taken = list(position.tokens_taken)
        taken[good] = PILE_SIZES[good]
        stage = self.stage + STAGES_A_PILE
        mine = position.holdings[position.turn] - (sold << 4 * good)
        rows = rows_for(stage, taken, position.market, mine, self._theirs)
        return lead + held_by(rows) + TEMPO[stage]


def final(lead: float, herds: int) -> float:
    """The worth of a round that ends with this lead in tokens and in camels."""
    lead += CAMEL_TOKEN * ((herds > 0) - (herds < 0))
    return lead + SEAL * max(-1.0, min(1.0, lead / CERTAIN))
