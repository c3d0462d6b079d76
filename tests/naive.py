"""A naive engine: a slow, literal implementation of the rules, to compare with the real one.

Cards are letters in lists, and tokens are ints in lists, top first. Moves are found by checking every set of physical
cards against each rule. It is written from the rulebook alone, shares no code with the real engine, and reads moves in
canonical notation only.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

ORDER = "DGSCPLM"
COPIES = {"D": 6, "G": 6, "S": 6, "C": 8, "P": 8, "L": 10, "M": 11}
GOODS_TOKENS = {
    "D": [7, 7, 5, 5, 5],
    "G": [6, 6, 5, 5, 5],
    "S": [5, 5, 5, 5, 5],
    "C": [5, 3, 3, 2, 2, 1, 1],
    "P": [5, 3, 3, 2, 2, 1, 1],
    "L": [4, 3, 2, 1, 1, 1, 1, 1, 1],
}
BONUS_TOKENS = {"3": [1, 1, 2, 2, 2, 3, 3], "4": [4, 4, 5, 5, 6, 6], "5": [8, 8, 9, 10, 10]}
CAMEL_TOKEN = 5
MARKET_SIZE = 5
HAND_LIMIT = 7
SEALS_TO_WIN = 2


def ordered(cards: Sequence[str]) -> str:
    """The cards as one group of the notation."""
    return "".join(sorted(cards, key=ORDER.index))


def goods_of(cards: Sequence[str]) -> list[str]:
    """The cards that are not camels."""
    return [card for card in cards if card != "M"]


def subsets(cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every choice of one or more of these physical cards."""
    sizes = range(1, len(cards) + 1)
    return chain.from_iterable(combinations(cards, size) for size in sizes)


def ahead(pair: Sequence[int]) -> int | None:
    """The seat with the larger number, or None when both are equal."""
    if pair[0] == pair[1]:
        return None
    return 0 if pair[0] > pair[1] else 1


class NaiveRound:
    """One round, from the deal to the count."""

    def __init__(self, deal: str, bonus: Mapping[str, Sequence[int]], starts: int) -> None:
        """Lay out the three camels, then deal: five, five, two to the market, the deck."""
        pack = "".join(card * copies for card, copies in COPIES.items())
        assert ordered(deal + "MMM") == pack, "not the 52 cards of a deal"
        assert {kind: sorted(pile) for kind, pile in bonus.items()} == BONUS_TOKENS
        assert starts in (0, 1)
        dealt = [deal[0:5], deal[5:10]]
        self.turn: int = starts
        self.hands: list[list[str]] = [goods_of(cards) for cards in dealt]
        self.herds: list[int] = [cards.count("M") for cards in dealt]
        self.market: list[str] = ["M", "M", "M", *deal[10:12]]
        self.deck: list[str] = list(deal[12:])
        self.discard: list[str] = []
        self.tokens: dict[str, list[int]] = {good: list(v) for good, v in GOODS_TOKENS.items()}
        self.bonus: dict[str, list[int]] = {kind: list(v) for kind, v in bonus.items()}
        self.goods_won: list[list[int]] = [[], []]
        self.bonus_won: list[list[int]] = [[], []]
        self.ended: str | None = None

    def legal_moves(self) -> set[str]:
        """Every move the seat to move may make, in canonical notation."""
        if self.ended is not None:
            return set()
        return self._takes() | self._camels() | self._exchanges() | self._sales()

    def _takes(self) -> set[str]:
        if len(self.hands[self.turn]) + 1 > HAND_LIMIT:
            return set()
        return {"+" + good for good in goods_of(self.market)}

    def _camels(self) -> set[str]:
        return {"+M"} if "M" in self.market else set()

    def _exchanges(self) -> set[str]:
        own = ordered(self.hands[self.turn] + ["M"] * self.herds[self.turn])
        moves = set()
        for taken in set(subsets(goods_of(self.market))):
            for given in set(combinations(own, len(taken))):
                if self._may_exchange(taken, given):
                    moves.add("+" + ordered(taken) + "-" + ordered(given))
        return moves

    def _may_exchange(self, taken: Sequence[str], given: Sequence[str]) -> bool:
        if len(taken) < 2:
            return False
        if any(card in given for card in taken):
            return False
        hand_after = len(self.hands[self.turn]) + len(taken) - len(goods_of(given))
        return hand_after <= HAND_LIMIT

    def _sales(self) -> set[str]:
        choices = subsets(self.hands[self.turn])
        return {"-" + ordered(sold) for sold in choices if self._may_sell(sold)}

    def _may_sell(self, sold: Sequence[str]) -> bool:
        if len(set(sold)) != 1:
            return False
        return len(sold) >= 2 or sold[0] not in ("D", "G", "S")

    def play(self, move: str) -> None:
        """Make one legal move; the turn passes to the other seat, also when the round ends."""
        assert move in self.legal_moves(), f"{move} is not legal"
        self.make(move)

    def make(self, move: str) -> None:
        """Make a legal move without the slow check of `play`."""
        plus, _, given = move.partition("-")
        taken = plus.removeprefix("+")
        if not taken:
            self._sell(given)
        elif taken == "M":
            self._take_camels()
        elif not given:
            self._take_good(taken)
        else:
            self._exchange(taken, given)
        self.turn = 1 - self.turn

    def _take_good(self, good: str) -> None:
        self.market.remove(good)
        self.hands[self.turn].append(good)
        self._refill()

    def _take_camels(self) -> None:
        while "M" in self.market:
            self.market.remove("M")
            self.herds[self.turn] += 1
        self._refill()

    def _refill(self) -> None:
        while len(self.market) < MARKET_SIZE and self.deck:
            self.market.append(self.deck.pop(0))
        if len(self.market) < MARKET_SIZE:
            self.ended = "deck"

    def _exchange(self, taken: str, given: str) -> None:
        for card in taken:
            self.market.remove(card)
            self.hands[self.turn].append(card)
        for card in given:
            self._give(card)
            self.market.append(card)

    def _give(self, card: str) -> None:
        if card == "M":
            self.herds[self.turn] -= 1
        else:
            self.hands[self.turn].remove(card)

    def _sell(self, sold: str) -> None:
        pile = self.tokens[sold[0]]
        for card in sold:
            self.hands[self.turn].remove(card)
            self.discard.append(card)
            if pile:
                self.goods_won[self.turn].append(pile.pop(0))
        self._take_bonus(len(sold))
        if sum(not left for left in self.tokens.values()) >= 3:
            self.ended = "goods"

    def _take_bonus(self, cards_sold: int) -> None:
        if cards_sold < 3:
            return
        pile = self.bonus[str(min(cards_sold, 5))]
        if pile:
            self.bonus_won[self.turn].append(pile.pop(0))

    def camel_token(self) -> int | None:
        """The seat with the larger herd at this moment."""
        return ahead(self.herds)

    def rupees(self) -> list[int]:
        """The rupees of each seat at this moment."""
        totals = [sum(self.goods_won[seat]) + sum(self.bonus_won[seat]) for seat in (0, 1)]
        camel_seat = self.camel_token()
        if camel_seat is not None:
            totals[camel_seat] += CAMEL_TOKEN
        return totals

    def winner(self) -> int | None:
        """The seat ahead at this moment: in rupees, then bonus tokens, then goods tokens."""
        bonus_counts = [len(won) for won in self.bonus_won]
        goods_counts = [len(won) for won in self.goods_won]
        for pair in (self.rupees(), bonus_counts, goods_counts):
            seat = ahead(pair)
            if seat is not None:
                return seat
        return None


class NaiveGame:
    """Rounds until one trader has two seals."""

    def __init__(self) -> None:
        """Begin with no seals; the caller draws the starter of round one."""
        self.seals: list[int] = [0, 0]
        self.winner: int | None = None
        self.next_starts: int | None = None
        self.starts: int | None = None
        self.round: NaiveRound | None = None

    def start(self, deal: str, bonus: Mapping[str, Sequence[int]], starts: int) -> NaiveRound:
        """Set up the next round; only round one may be started by either seat."""
        assert self.winner is None, "the game is over"
        assert self.round is None, "a round is running"
        assert self.next_starts in (None, starts), "the other trader starts"
        self.starts = starts
        self.round = NaiveRound(deal, bonus, starts)
        return self.round

    def finish(self) -> int | None:
        """Award the seal of the ended round and return its seat, or None for a tied round."""
        assert self.round is not None, "no round is running"
        assert self.starts is not None
        assert self.round.ended is not None, "the round is still running"
        seat = self.round.winner()
        self.round = None
        if seat is None:
            self.next_starts = 1 - self.starts
            return None
        self.next_starts = 1 - seat
        self.seals[seat] += 1
        if self.seals[seat] == SEALS_TO_WIN:
            self.winner = seat
        return seat
