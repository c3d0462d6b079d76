"""The counts a table keeps for its traders, where they agreed on it: no more than anybody could have kept."""

from collections import Counter

import pytest

from jaipur.rules import CAMEL, LETTERS, Pile
from jaipur.rules.cards import FULL_PACK, cards_in
from jaipur.table.happenings import Gave, Refilled, Sold, Took
from jaipur.table.message_types import CardCounts, Message
from jaipur.table.options import TableOptions
from jaipur.table.projection import Audience, latest_message
from jaipur.table.table import Table
from table.keeping import AUDIENCES, ID, game_of, kept_table

CAMELS = LETTERS[CAMEL]


class Memory:
    """Somebody with a good memory, who hears what an audience is told and remembers the cards."""

    def __init__(self, audience: Audience, told: Message) -> None:
        view, public = told.table.view, told.table.public
        if view is not None:
            market, hand, traders = view.market, view.hand, (view.own, view.other)
        else:
            assert public is not None
            market, hand, traders = public.market, "", public.traders
        self.audience = audience
        self.shown = (Counter[str](), Counter[str]())
        self.seen = Counter(market + hand)
        self.seen[CAMELS] += sum(trader.herd or 0 for trader in traders)

    def hear(self, told: Message) -> None:
        for each in told.happenings:
            match each:
                case Took(seat, cards):
                    self.shown[seat].update(cards.replace(CAMELS, ""))
                case Gave(seat, cards) | Sold(seat, cards):
                    self.part(seat, cards.replace(CAMELS, ""))
                case Refilled(cards):
                    self.seen.update(cards)

    def part(self, seat: int, cards: str) -> None:
        """A card that leaves a hand is one that was seen going in, or one that is seen for the first time."""
        for card in cards:
            if self.shown[seat][card]:
                self.shown[seat][card] -= 1
            elif seat != self.audience:
                self.seen[card] += 1

    def helps(self) -> CardCounts:
        unseen = Counter(LETTERS[kind] for kind in cards_in(FULL_PACK)) - self.seen
        first, second, rest = map(written, (*self.shown, unseen))
        return CardCounts((first, second), rest)


def written(cards: Counter[str]) -> str:
    return "".join(letter * cards[letter] for letter in LETTERS)


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("seed", range(3))
def test_the_helps_are_what_anybody_could_have_counted_from_what_they_were_told(
    audience: Audience, seed: int
) -> None:
    table, counted, memory = Table(ID), 0, None
    for entry in game_of(seed, options=TableOptions(helps=True)).journal:
        table.apply(entry)
        told = latest_message(table, audience)
        if told.kind == "dealt":
            memory = Memory(audience, told)
        if memory is not None:
            memory.hear(told)
            assert told.table.helps == memory.helps()
            counted += 1
    assert counted > 40


def test_nothing_is_counted_for_those_who_did_not_agree_on_it() -> None:
    for entries in (kept_table().journal, game_of(1).journal):
        table = Table(ID)
        for entry in entries:
            table.apply(entry)
            assert [latest_message(table, audience).table.helps for audience in AUDIENCES] == [
                None
            ] * 3


def test_where_herds_are_hidden_no_camels_are_counted() -> None:
    open_, hidden = (
        kept_table(options=TableOptions(herds=herds, helps=True)) for herds in ("open", "hidden")
    )
    for audience in AUDIENCES:
        one, other = (latest_message(kept.table, audience).table.helps for kept in (open_, hidden))
        assert one is not None
        assert other is not None
        assert one.unseen.count(CAMELS) == 7
        assert other.unseen == one.unseen.replace(CAMELS, "")
        assert Pile.parse(other.unseen)
