"""Describes turns and legal moves in sentences."""

from collections.abc import Iterable, Sequence

from jaipur.rules import Move, Pile, Seat, View
from jaipur.rules.cards import CAMEL
from jaipur.table.happenings import AnyHappening, Gave, Refilled, Sold, Took, TookBonus
from jaipur.words import Words

Subjects = Sequence[str | None]
"""By seat: the name of a trader, or None for the reader (“you”)."""


def subjects_for(names: tuple[str, str], reader: Seat | None) -> Subjects:
    """Return the subjects for sentences that the seat `reader` reads. If `reader` is None, both traders are named."""
    return [None if seat == reader else name for seat, name in enumerate(names)]


def describe_turn(words: Words, happenings: Iterable[AnyHappening], subjects: Subjects) -> str:
    """Describe a turn in one or two sentences."""
    sentences: list[str] = []
    taken: Took | None = None
    for happening in happenings:
        match happening:
            case Took(seat, cards):
                taken = happening
                sentences.append(words.by(subjects[seat], "took", cards=_names(words, cards)))
            case Gave(seat, cards) if taken:
                values = {"taken": _names(words, taken.cards), "given": _names(words, cards)}
                sentences[-1] = words.by(subjects[seat], "exchanged", **values)
            case Refilled(cards):
                sentences.append(words.say("came", cards=_names(words, cards)))
            case Sold(seat, cards, tokens):
                parts = f" ({'+'.join(map(str, tokens))})" if len(tokens) > 1 else ""
                rupees = words.say("rupees", n=sum(tokens))
                values = {"cards": _names(words, cards), "rupees": rupees, "sum": parts}
                sentences.append(words.by(subjects[seat], "sold", **values))
            case TookBonus(_, pile, value):
                size = words.say("goods", n=int(pile))
                key = "bonus.hidden" if value is None else "bonus.seen"
                sentences.append(words.say(key, size=size, value=value))
    return " ".join(sentences)


def _names(words: Words, cards: str) -> str:
    return words.cards(Pile.parse(cards))


def describe_move(words: Words, view: View, move: Move) -> str:
    """Describe a legal move and, for a sale, its payment."""
    if move.taken and move.given:
        values = {"taken": words.cards(move.taken), "given": words.cards(move.given)}
        return words.say("moves.exchange", **values)
    if move.taken:
        camels = words.counted(CAMEL, view.market.count(CAMEL))  # “+M” takes all camels
        cards = camels if CAMEL in move.taken else words.cards(move.taken)
        return words.say("moves.take", cards=cards)
    tokens, bonus = view.payment(move.given)
    rupees = words.say("rupees", n=sum(tokens))
    key = "moves.sell" if bonus is None else "moves.sell.bonus"
    return words.say(key, cards=words.cards(move.given), rupees=rupees)
