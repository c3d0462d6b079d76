"""The optional card counts contain nothing that a player could not have counted."""

from collections import Counter

import pytest

from jaipur.rules import Pile
from jaipur.rules.cards import CAMEL, FULL_PACK, LETTERS, cards_in
from jaipur.table.happenings import Gave, Refilled, Sold, Took
from jaipur.table.message_types import CardCounts, Message
from jaipur.table.options import TableOptions
from jaipur.table.projection import Audience, latest_message
from jaipur.table.table import Table
from table.live_table import AUDIENCES, ID, finished_game, open_table

CAMELS = LETTERS[CAMEL]


class Memory:
    """Counts cards from the messages of one audience."""

    def __init__(self, audience: Audience, sent: Message) -> None:
        view, public = sent.table.view, sent.table.public
        if view is not None:
            market, hand, traders = view.market, view.hand, (view.own, view.other)
        else:
            assert public is not None
            market, hand, traders = public.market, "", public.traders
        self.audience = audience
        self.shown = (Counter[str](), Counter[str]())
        self.seen = Counter(market + hand)
        self.seen[CAMELS] += sum(trader.herd or 0 for trader in traders)

    def hear(self, sent: Message) -> None:
        for each in sent.happenings:
            match each:
                case Took(seat, cards):
                    self.shown[seat].update(cards.replace(CAMELS, ""))
                case Gave(seat, cards) | Sold(seat, cards):
                    self.part(seat, cards.replace(CAMELS, ""))
                case Refilled(cards):
                    self.seen.update(cards)

    def part(self, seat: int, cards: str) -> None:
        """A card that leaves a hand was seen before, or is seen for the first time."""
        for card in cards:
            if self.shown[seat][card]:
                self.shown[seat][card] -= 1
            elif seat != self.audience:
                self.seen[card] += 1

    def helps(self) -> CardCounts:
        unseen = Counter(LETTERS[kind] for kind in cards_in(FULL_PACK)) - self.seen
        first, second, rest = map(letters, (*self.shown, unseen))
        return CardCounts((first, second), rest)


def letters(cards: Counter[str]) -> str:
    return "".join(letter * cards[letter] for letter in LETTERS)


@pytest.mark.parametrize("audience", AUDIENCES)
@pytest.mark.parametrize("seed", range(3))
def test_the_counts_follow_from_the_messages(audience: Audience, seed: int) -> None:
    table, counted, memory = Table(ID), 0, None
    for entry in finished_game(seed, options=TableOptions(helps=True)).entries:
        table.apply(entry)
        sent = latest_message(table, audience)
        if sent.kind == "dealt":
            memory = Memory(audience, sent)
        if memory is not None:
            memory.hear(sent)
            assert sent.table.helps == memory.helps()
            counted += 1
    assert counted > 40


def test_there_are_no_counts_unless_agreed() -> None:
    for entries in (open_table().entries, finished_game(1).entries):
        table = Table(ID)
        for entry in entries:
            table.apply(entry)
            assert [latest_message(table, audience).table.helps for audience in AUDIENCES] == [
                None
            ] * 3


def test_hidden_herds_exclude_camels_from_the_counts() -> None:
    open_, hidden = (
        open_table(options=TableOptions(herds=herds, helps=True)) for herds in ("open", "hidden")
    )
    for audience in AUDIENCES:
        one, other = (latest_message(live.table, audience).table.helps for live in (open_, hidden))
        assert one is not None
        assert other is not None
        assert one.unseen.count(CAMELS) == 7
        assert other.unseen == one.unseen.replace(CAMELS, "")
        assert Pile.parse(other.unseen)
