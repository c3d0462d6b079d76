"""Determinization: sample a position that one seat cannot distinguish from the real position."""

from typing import TYPE_CHECKING

from .cards import CAMEL, CAMEL_SHIFT, DECK_SIZE, NO_CARD, Kind, PileCode, cards_in, size
from .endings import ENDINGS
from .position import Position
from .setup import shuffle
from .tokens import BONUS_ROW, BONUS_SIZES, BONUS_TOKENS
from .view import View

if TYPE_CHECKING:
    from random import Random  # only for types: importing the module takes 2 ms


def deal_unseen(view: View, rng: "Random") -> Position:
    """Sample a position that gives this view. All arrangements of the unseen cards and tokens are equally likely."""
    seat, other = view.seat, 1 - view.seat
    hidden, deck = _draw_hidden(view, rng)
    position = Position()
    position.starter = view.starter
    position.turn = view.turn
    position.moves_played = view.moves_played
    position.ended = ENDINGS.index(view.ended)
    position.market = int(view.market)
    position.drawn = DECK_SIZE - len(deck)
    position.deck = [NO_CARD] * position.drawn + deck
    position.discard = int(view.discard)
    position.discard_top = NO_CARD if view.discard_top is None else int(view.discard_top)
    position.tokens_taken = list(view.tokens_taken)
    position.bonus_taken = list(view.bonus_taken)
    position.holdings[seat] = view.hand + (view.herd << CAMEL_SHIFT)
    position.holdings[other] = view.other.shown + hidden + (view.other_herd() << CAMEL_SHIFT)
    for owner, trader in ((seat, view.own), (other, view.other)):
        position.shown[owner] = int(trader.shown)
        position.goods_tokens[owner] = int(trader.goods_tokens)
        position.rupees[owner] = trader.rupees
    _draw_bonuses(view, position, rng)
    return position


def _draw_hidden(view: View, rng: "Random") -> tuple[PileCode, list[Kind]]:
    """Split the unseen cards at random into the unknown goods of the other hand and the deck."""
    unseen = shuffle(cards_in(int(view.unseen())), rng)
    hidden = place = 0
    for _ in range(view.other.hand - size(view.other.shown)):
        while unseen[place] == CAMEL:
            place += 1
        hidden += 1 << 4 * unseen.pop(place)
    return hidden, unseen


def _draw_bonuses(view: View, position: Position, rng: "Random") -> None:
    """Draw the other trader's bonus tokens from the unseen tokens of each pile.

    The rest stays in the pile, shuffled.
    """
    own = view.own.bonus_values or ()
    for pile, tokens in enumerate(BONUS_TOKENS):
        unseen = shuffle(_without(tokens, [value for value in own if value in tokens]), rng)
        if view.other.bonus_values is None:
            theirs = unseen[: view.other.bonuses[pile]]
        else:
            theirs = [value for value in view.other.bonus_values if value in tokens]
        left = _without(unseen, theirs)
        last = BONUS_ROW * pile + BONUS_SIZES[pile]
        position.bonus[last - len(left) : last] = left
        position.bonuses[1 - view.seat] += sum(1 << 4 * value for value in theirs)
    position.bonuses[view.seat] = sum(1 << 4 * value for value in own)


def _without(tokens: tuple[int, ...] | list[int], removed: list[int]) -> list[int]:
    left = list(tokens)
    for value in removed:
        left.remove(value)
    return left
