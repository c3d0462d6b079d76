"""Nobody is told what they cannot know: another deal that looks the same from a seat gives the same bytes, all along.

The other deal keeps what the audience has seen and mixes the rest: the deck, the unknown cards of other hands and the
bonus tokens not looked at. Only the commitment may differ, which is a hash of deal and salt.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import json

from jaipur.notation import commitment, write_record
from jaipur.rules import (
    CAMEL,
    LETTERS,
    Deal,
    Round,
    Seat,
    cards_in,
    deal_unseen,
    new_round,
    parse_cards,
)
from jaipur.rules.setup import shuffle
from jaipur.table.events import Dealt, LogEntry
from jaipur.table.happenings import TookBonus
from jaipur.table.message_types import OpenedDeal
from jaipur.table.options import DAY, Live, TableOptions
from jaipur.table.projection import Audience, latest_message, table_view
from jaipur.table.record import table_record
from jaipur.table.table import Table
from table.keeping import (
    AUDIENCES,
    DEAL,
    ID,
    NOON,
    SALT,
    Kept,
    dealt_event,
    game_of,
    kept_table,
    some_moves,
)
from tables import dealt

FIRST_IN_DECK = 12
OTHER_SALT = f"{2:064x}"
PLAYERS = ("greedy greedy", "greedy random", "random random")

seeds = st.integers(0, 2**32 - 1)
audiences = st.sampled_from(AUDIENCES)
options = st.sampled_from(
    (
        TableOptions(),
        TableOptions(herds="hidden", clock=Live(600, 5)),
        TableOptions(helps=True),
        TableOptions(herds="hidden", helps=True),
    )
)


def another_deal(played: Round, audience: Audience, rng: Random) -> Deal:
    """A deal that this audience cannot tell from the one that is being played."""
    pack = list(played.deal.pack)
    hands = [place for seat in (0, 1) if seat != audience for place in unknown(played, seat)]
    deck = list(range(FIRST_IN_DECK + played.position.drawn, len(pack)))
    cards = shuffle((pack[place] for place in (*hands, *deck)), rng)
    # A camel would have been laid out and seen, so only goods go into hands.
    for place in hands:
        pack[place] = cards.pop(next(at for at, kind in enumerate(cards) if kind != CAMEL))
    for place in deck:
        pack[place] = cards.pop()
    return replace(played.deal, pack=tuple(pack), bonus=another_bonus(played, audience, rng))


def unknown(played: Round, seat: Seat) -> list[int]:
    """Where in the pack the cards lay that a seat still holds and has never shown."""
    position, found = played.position, []
    for kind in cards_in(position.hand(seat) - position.shown[seat]):
        first = next(
            place
            for place in range(5 * seat, 5 * seat + 5)
            if played.deal.pack[place] == kind and place not in found
        )
        found.append(first)
    return found


def another_bonus(played: Round, audience: Audience, rng: Random) -> tuple[tuple[int, ...], ...]:
    """The bonus piles, all tokens mixed but those the audience has looked at."""
    piles = [list(pile) for pile in played.deal.bonus]
    known = looked_at(played, audience)
    for number, pile in enumerate(piles):
        places = [place for place in range(len(pile)) if (number, place) not in known]
        mixed = shuffle((pile[place] for place in places), rng)
        for place, value in zip(places, mixed, strict=True):
            pile[place] = value
    return tuple(map(tuple, piles))


def looked_at(played: Round, audience: Audience) -> set[tuple[int, int]]:
    """The bonus tokens that an audience has taken, each as its pile and its place there."""
    position, known = new_round(played.deal), set()
    for move in played.moves:
        mover, before = position.turn, list(position.bonus_taken)
        position.play(move)
        for pile in range(3):
            if mover == audience and position.bonus_taken[pile] > before[pile]:
                known.add((pile, before[pile]))
    return known


def mixed(kept: Kept, audience: Audience, seed: int) -> list[LogEntry]:
    """The journal of a table with another deal in its running round, and all else the same."""
    deal = another_deal(kept.table.game.rounds[-1], audience, Random(seed))
    journal = list(kept.journal)
    at = max(at for at, entry in enumerate(journal) if isinstance(entry.event, Dealt))
    journal[at] = LogEntry(journal[at].version, journal[at].at, dealt_event(deal, OTHER_SALT))
    return journal


def told(journal: list[LogEntry], audience: Audience) -> list[bytes]:
    """Everything an audience was ever told of a table, but for the commitment to the running round."""
    table, messages = Table(ID), []
    for entry in journal:
        table.apply(entry)
        messages.append(json.encode(latest_message(table, audience)))
    messages.append(json.encode(table_view(table, audience, NOON + DAY)))
    messages.append(write_record(table_record(table)).encode())
    return [text.replace(table.commitments[-1].encode(), b"promised") for text in messages]


def letters(deal: Deal) -> str:
    return "".join(LETTERS[kind] for kind in deal.pack)


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(0, 200), audiences, options, st.sampled_from(PLAYERS))
def test_nobody_can_tell_deals_apart_that_differ_in_what_they_have_not_seen(
    seed: int, moves: int, audience: Audience, options: TableOptions, players: str
) -> None:
    kept = some_moves(seed, moves, options, players)
    assume(kept.table.turn is not None)
    as_it_is, mixed_up = told(kept.journal, audience), told(mixed(kept, audience, seed), audience)
    for one, other in zip(as_it_is, mixed_up, strict=True):
        assert one == other


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(0, 200), st.sampled_from((0, 1)), options)
def test_a_seat_is_told_the_same_of_any_position_it_cannot_tell_from_the_real_one(
    seed: int, moves: int, seat: Seat, options: TableOptions
) -> None:
    kept = some_moves(seed, moves, options)
    before = json.encode(table_view(kept.table, seat, kept.now))
    played = kept.table.game.rounds[-1]
    assume(played.result is None)
    played.position = deal_unseen(kept.table.game.view(seat), Random(seed))
    assert json.encode(table_view(kept.table, seat, kept.now)) == before


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_sees_a_card_is_told_of_it(seat: Seat) -> None:
    """The laws above would hold at a table that tells nothing, and with a mix that mixes nothing."""
    kept = some_moves(1, 10)
    journal = mixed(kept, 1 - seat, seed=1)
    assert told(journal, seat) != told(kept.journal, seat)
    assert told(journal, 1 - seat) == told(kept.journal, 1 - seat)


def test_those_who_watch_are_told_of_no_hand_and_of_no_bonus_value() -> None:
    kept = kept_table(deal=dealt("LLLLD GGSSC LC", starts=0))
    kept.play("-LLL", "+L")
    public = latest_message(kept.table, None).table.public
    assert public is not None
    assert [trader.hand for trader in public.traders] == [2, 6]
    assert [trader.shown for trader in public.traders] == ["", "L"]
    assert [trader.bonuses["3"] for trader in public.traders] == [1, 0]
    assert [trader.bonus_values for trader in public.traders] == [None, None]


def test_only_its_owner_is_told_the_value_of_a_bonus_token() -> None:
    kept = kept_table(deal=dealt("LLLLD GGSSC LC", starts=0))
    kept.play("-LLL")
    values = [
        [
            happening.value
            for happening in latest_message(kept.table, audience).happenings
            if isinstance(happening, TookBonus)
        ]
        for audience in AUDIENCES
    ]
    assert values == [[1], [None], [None]]


def secrets_of(table: Table, number: int) -> list[bytes]:
    """What nobody may be told of a round before it is over."""
    deal = table.game.rounds[number].deal
    piles = json.encode(dict(zip("345", deal.bonus, strict=True)))
    return [table.salts[number].encode(), letters(deal).encode(), piles]


def everything_told(table: Table) -> bytes:
    seen = [json.encode(latest_message(table, audience)) for audience in AUDIENCES]
    return b"\n".join([*seen, write_record(table_record(table)).encode()])


@pytest.mark.parametrize("seed", range(3))
def test_deal_and_salt_of_a_round_are_told_when_it_is_over_and_not_before(seed: int) -> None:
    kept, table = game_of(seed), Table(ID)
    for entry in kept.journal:
        table.apply(entry)
        everything = everything_told(table)
        for number, played in enumerate(table.game.rounds):
            over = played.result is not None
            found = [secret in everything for secret in secrets_of(table, number)]
            assert found == [over] * len(found)


def _resign(kept: Kept) -> None:
    kept.happen(kept.table.resign(0))


def _flag(kept: Kept) -> None:
    kept.advance(after=DAY)


def _abandon(kept: Kept) -> None:
    kept.advance(after=30 * DAY)


@pytest.mark.parametrize("clock_and_end", [(None, _resign), (Live(10), _flag), (None, _abandon)])
def test_a_game_that_is_broken_off_opens_its_deal_to_everybody(
    clock_and_end: tuple[Live | None, Callable[[Kept], None]],
) -> None:
    clock, end = clock_and_end
    kept = kept_table(options=TableOptions(clock=clock))
    kept.play("+S", "+D")
    assert not any(secret in everything_told(kept.table) for secret in secrets_of(kept.table, 0))
    end(kept)
    assert kept.table.over is not None
    for audience in AUDIENCES:
        (played,) = latest_message(kept.table, audience).table.rounds
        assert played.opened == OpenedDeal(
            SALT, 0, letters(DEAL), dict(zip("345", DEAL.bonus, strict=True))
        )
        assert (played.ended, played.rupees, played.seal) == (None, None, None)


def test_every_deal_is_promised_when_it_is_dealt_and_the_promise_never_changes() -> None:
    promises: list[str] = []
    table = Table(ID)
    for entry in game_of(2).journal:
        table.apply(entry)
        for audience in AUDIENCES:
            seen = [played.commitment for played in latest_message(table, audience).table.rounds]
            assert seen[: len(promises)] == promises
        promises = seen
    for played, promised in zip(latest_message(table, 0).table.rounds, promises, strict=True):
        assert played.opened is not None
        opened = played.opened
        bonus = tuple(tuple(pile) for pile in opened.bonus.values())
        deal = Deal(parse_cards(opened.deal), bonus, opened.starts)
        assert commitment(deal, opened.salt) == promised


def test_the_promise_alone_tells_nothing_without_the_salt() -> None:
    """The same deal with another salt is promised by other words."""
    promises = {
        Table.replay(
            ID, [*kept_table().journal[:1], LogEntry(2, NOON, dealt_event(DEAL, salt))]
        ).commitments[0]
        for salt in (SALT, OTHER_SALT)
    }
    assert len(promises) == 2
