"""What happened and what could happen, in words."""

from collections.abc import Iterable, Sequence

from jaipur.rules import CAMEL, Event, Move, Seat, View, count, pile_of
from jaipur.rules.events import Gave, Refilled, Sold, Took, TookBonus
from jaipur.rules.tokens import SMALLEST_BONUS_SALE
from jaipur.words import Words

Voices = Sequence[str | None]
"""By seat, the name of a trader, or None for whoever is spoken to."""


def tell(words: Words, events: Iterable[Event], voices: Voices) -> str:
    """One turn in a sentence or two."""
    told: list[str] = []
    taken: Took | None = None
    for event in events:
        match event:
            case Took(seat, cards):
                taken = event
                told.append(words.by(voices[seat], "took", cards=words.cards(cards)))
            case Gave(seat, cards) if taken:
                values = {"taken": words.cards(taken.cards), "given": words.cards(cards)}
                told[-1] = words.by(voices[seat], "exchanged", **values)
            case Refilled(kinds):
                told.append(words.say("came", cards=words.cards(pile_of(kinds))))
            case Sold(seat, _, _):
                told.append(_sale(words, event, voices[seat]))
            case TookBonus(_, pile, value):
                size = words.say("goods", n=pile + SMALLEST_BONUS_SALE)
                seen = "bonus.hidden" if value is None else "bonus.seen"
                told.append(words.say(seen, size=size, value=value))
    return " ".join(told)


def _sale(words: Words, sold: Sold, name: str | None) -> str:
    parts = f" ({'+'.join(map(str, sold.tokens))})" if len(sold.tokens) > 1 else ""
    rupees = words.say("rupees", n=sum(sold.tokens))
    return words.by(name, "sold", cards=words.cards(sold.cards), rupees=rupees, sum=parts)


def describe(words: Words, view: View, move: Move) -> str:
    """A move that could be made now, with what it pays."""
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


def voices_for(names: tuple[str, str], seat: Seat | None) -> Voices:
    """How to speak of the traders to a seat; to both, where no seat is given."""
    return [None if chair == seat else name for chair, name in enumerate(names)]
