"""Turns and legal moves as sentences."""

from collections.abc import Iterable, Sequence

from jaipur.rules import CAMEL, Event, Move, Seat, View, count, pile_of
from jaipur.rules.events import Gave, Refilled, Sold, Took, TookBonus
from jaipur.rules.tokens import SMALLEST_BONUS_SALE
from jaipur.words import Words

Subjects = Sequence[str | None]
"""By seat: the name of a trader, or None for the reader (“you”)."""


def subjects_for(names: tuple[str, str], reader: Seat | None) -> Subjects:
    """The subjects for a reader; without one, both traders are named."""
    return [None if seat == reader else name for seat, name in enumerate(names)]


def describe_turn(words: Words, events: Iterable[Event], subjects: Subjects) -> str:
    """One turn in a sentence or two."""
    sentences: list[str] = []
    taken: Took | None = None
    for event in events:
        match event:
            case Took(seat, cards):
                taken = event
                sentences.append(words.by(subjects[seat], "took", cards=words.cards(cards)))
            case Gave(seat, cards) if taken:
                values = {"taken": words.cards(taken.cards), "given": words.cards(cards)}
                sentences[-1] = words.by(subjects[seat], "exchanged", **values)
            case Refilled(kinds):
                sentences.append(words.say("came", cards=words.cards(pile_of(kinds))))
            case Sold(seat, _, _):
                sentences.append(_describe_sale(words, event, subjects[seat]))
            case TookBonus(_, pile, value):
                size = words.say("goods", n=pile + SMALLEST_BONUS_SALE)
                key = "bonus.hidden" if value is None else "bonus.seen"
                sentences.append(words.say(key, size=size, value=value))
    return " ".join(sentences)


def _describe_sale(words: Words, sale: Sold, name: str | None) -> str:
    parts = f" ({'+'.join(map(str, sale.tokens))})" if len(sale.tokens) > 1 else ""
    rupees = words.say("rupees", n=sum(sale.tokens))
    return words.by(name, "sold", cards=words.cards(sale.cards), rupees=rupees, sum=parts)


def describe_move(words: Words, view: View, move: Move) -> str:
    """A legal move and what it pays."""
    if move.taken and move.given:
        values = {"taken": words.cards(move.taken), "given": words.cards(move.given)}
        return words.say("moves.exchange", **values)
    if move.taken:
        camels = count(move.taken, CAMEL)
        cards = pile_of([CAMEL] * count(view.market, CAMEL)) if camels else move.taken
        return words.say("moves.take", cards=words.cards(cards))
    tokens, bonus = view.payment(move.given)
    rupees = words.say("rupees", n=sum(tokens))
    key = "moves.sell" if bonus is None else "moves.sell.bonus"
    return words.say(key, cards=words.cards(move.given), rupees=rupees)
