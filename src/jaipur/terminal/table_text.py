"""Describes the table in sentences, one per line, for screen readers. There are no drawings, colours or columns."""

from collections.abc import Iterator

from jaipur.rules.cards import CAMEL, GOODS, NO_CARD
from jaipur.rules.tokens import BONUS_SIZES
from jaipur.terminal.view_model import ViewModel
from jaipur.words import Words


def table_changes(model: ViewModel, words: Words) -> Iterator[str]:
    """Describe the parts of the table that change from turn to turn."""
    yield from model.news
    yield from cards_text(model, words)


def cards_text(model: ViewModel, words: Words) -> Iterator[str]:
    """Describe the cards that moves can use: market, hand and herd."""
    goods = [words.card(kind) for kind in model.slots if kind not in (NO_CARD, CAMEL)]
    camels = model.view.market.count(CAMEL)
    herd = [words.counted(CAMEL, camels)] if camels else []
    yield words.say("plain.market", cards=words.listed(goods + herd))
    yield words.say("plain.hand", cards=words.cards(model.view.hand))
    yield words.say("plain.herd", cards=words.counted(CAMEL, model.view.herd))


def full_table(model: ViewModel, words: Words) -> Iterator[str]:
    view, own, other = model.view, model.view.own, model.view.other
    seals = {"own": own.seals, "name": model.other_name, "other": other.seals}
    yield words.say("plain.round", number=model.round_number, **seals)
    yield from table_changes(model, words)
    bonus = sum(own.bonus_values or ())
    total = words.say("rupees", n=own.rupees + bonus)
    yield words.say("plain.own", rupees=total, goods=own.rupees, bonus=bonus)
    herd = words.say("plain.hidden_herd")
    if other.herd is not None:
        herd = words.counted(CAMEL, other.herd)
    yield words.say(
        "plain.other",
        name=model.other_name,
        hand=words.say("goods", n=other.hand),
        herd=herd,
        rupees=words.say("rupees", n=other.rupees),
        bonuses=words.say("bonuses", n=sum(other.bonuses)),
    )
    for good in GOODS:
        values = view.tokens_left(good)
        row = " ".join(map(str, values))
        key = "plain.tokens" if values else "plain.no_tokens"
        yield words.say(key, kind=words.kind(good), values=row)
    left = [size - taken for size, taken in zip(BONUS_SIZES, view.bonus_taken, strict=True)]
    yield words.say("plain.bonus", three=left[0], four=left[1], five=left[2])
    deck, discard = (words.say("goods", n=n) for n in (view.deck, len(view.discard)))
    yield words.say("plain.deck", deck=deck, discard=discard)
    if view.discard_top is not None:
        yield words.say("plain.top", card=words.card(view.discard_top))
