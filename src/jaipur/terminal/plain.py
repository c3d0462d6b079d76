"""The table in sentences, one a line, for a screen reader: no drawing, no colour, nothing beside anything."""

from collections.abc import Iterator

from jaipur.rules import CAMEL, cards_in, count
from jaipur.rules.cards import GOODS, NO_CARD
from jaipur.rules.tokens import BONUS_SIZES, GOODS_TOKENS
from jaipur.terminal.sight import Sight
from jaipur.words import Words


def brief(sight: Sight, words: Words) -> Iterator[str]:
    """What changes from turn to turn."""
    yield from sight.news
    yield from cards(sight, words)


def cards(sight: Sight, words: Words) -> Iterator[str]:
    """What moves are made of."""
    yield _market(sight, words)
    yield words.say("plain.hand", cards=words.cards(sight.view.hand))
    yield words.say("plain.herd", cards=words.counted(CAMEL, sight.view.herd))


def full(sight: Sight, words: Words) -> Iterator[str]:
    """Everything that lies on the table."""
    own, other = sight.view.own, sight.view.other
    seals = {"own": own.seals, "name": sight.other, "other": other.seals}
    yield words.say("plain.round", number=sight.number, **seals)
    yield from brief(sight, words)
    bonus = sum(own.bonus_values or ())
    total = words.say("rupees", n=own.rupees + bonus)
    yield words.say("plain.own", rupees=total, goods=own.rupees, bonus=bonus)
    herd = words.say("plain.hidden_herd")
    if other.herd is not None:
        herd = words.counted(CAMEL, other.herd)
    yield words.say(
        "plain.other",
        name=sight.other,
        hand=words.say("goods", n=other.hand),
        herd=herd,
        rupees=words.say("rupees", n=other.rupees),
        bonuses=words.say("bonuses", n=sum(other.bonuses)),
    )
    yield from _piles(sight, words)


def _market(sight: Sight, words: Words) -> str:
    goods = [words.card(kind) for kind in sight.places if kind not in (NO_CARD, CAMEL)]
    camels = count(sight.view.market, CAMEL)
    herd = [words.counted(CAMEL, camels)] if camels else []
    return words.say("plain.market", cards=words.listed(goods + herd))


def _piles(sight: Sight, words: Words) -> Iterator[str]:
    view = sight.view
    for good in GOODS:
        values = GOODS_TOKENS[good][view.tokens_taken[good] :]
        row = " ".join(map(str, values))
        key = "plain.tokens" if values else "plain.no_tokens"
        yield words.say(key, kind=words.kind(good), values=row)
    left = [size - taken for size, taken in zip(BONUS_SIZES, view.bonus_taken, strict=True)]
    yield words.say("plain.bonus", three=left[0], four=left[1], five=left[2])
    discard = sum(1 for _ in cards_in(view.discard))
    sizes = {"deck": words.say("goods", n=view.deck), "discard": words.say("goods", n=discard)}
    yield words.say("plain.deck", **sizes)
    if view.discard_top is not None:
        yield words.say("plain.top", card=words.card(view.discard_top))
