"""Messages reveal nothing that their audience cannot know: an indistinguishable deal gives the same bytes.

The other deal keeps what the audience has seen and shuffles the rest: the deck, the unknown cards of other hands and
the hidden bonus tokens. Only the commitment may differ, which is a hash of deal and salt.
"""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec import json

from jaipur.notation import salt_commitment, write_record
from jaipur.rules import Deal, Round, Seat, deal_unseen, new_round
from jaipur.rules.cards import CAMEL, LETTERS, cards_in
from jaipur.rules.setup import shuffle
from jaipur.table.events import Dealt, LogEntry
from jaipur.table.happenings import TookBonus
from jaipur.table.message_types import OpenedDeal
from jaipur.table.options import DAY, Live, TableOptions
from jaipur.table.projection import Audience, latest_message, table_view
from jaipur.table.record import table_record
from jaipur.table.table import Table
from table.live_table import (
    AUDIENCES,
    DEAL,
    ID,
    NOON,
    SALT,
    LiveTable,
    after_moves,
    deal_event,
    finished_game,
    open_table,
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


def indistinguishable_deal(played: Round, audience: Audience, rng: Random) -> Deal:
    """A deal that this audience cannot distinguish from the one being played."""
    pack = list(played.deal.pack)
    hands = [place for seat in (0, 1) if seat != audience for place in unknown(played, seat)]
    deck = list(range(FIRST_IN_DECK + played.position.drawn, len(pack)))
    cards = shuffle((pack[place] for place in (*hands, *deck)), rng)
    # Camels are laid into the herd at the start, so hands have goods only.
    for place in hands:
        pack[place] = cards.pop(next(at for at, kind in enumerate(cards) if kind != CAMEL))
    for place in deck:
        pack[place] = cards.pop()
    return Deal(tuple(pack), reshuffled_bonus(played, audience, rng), played.deal.starts)


def unknown(played: Round, seat: Seat) -> list[int]:
    """The places in the pack of the cards that a seat holds and has never shown."""
    position, found = played.position, []
    for kind in cards_in(position.hand(seat) - position.shown[seat]):
        first = next(
            place
            for place in range(5 * seat, 5 * seat + 5)
            if played.deal.pack[place] == kind and place not in found
        )
        found.append(first)
    return found


def reshuffled_bonus(played: Round, audience: Audience, rng: Random) -> tuple[tuple[int, ...], ...]:
    """The bonus piles, shuffled except for the tokens that the audience knows."""
    piles = [list(pile) for pile in played.deal.bonus]
    known = known_bonus(played, audience)
    for number, pile in enumerate(piles):
        places = [place for place in range(len(pile)) if (number, place) not in known]
        with_other_deal = shuffle((pile[place] for place in places), rng)
        for place, value in zip(places, with_other_deal, strict=True):
            pile[place] = value
    return tuple(map(tuple, piles))


def known_bonus(played: Round, audience: Audience) -> set[tuple[int, int]]:
    """The bonus tokens that an audience has taken, as pile and place."""
    position, known = new_round(played.deal), set()
    for move in played.moves:
        mover, before = position.turn, list(position.bonus_taken)
        position.play(move)
        for pile in range(3):
            if mover == audience and position.bonus_taken[pile] > before[pile]:
                known.add((pile, before[pile]))
    return known


def with_other_deal(live: LiveTable, audience: Audience, seed: int) -> list[LogEntry]:
    """The entries of a table with an indistinguishable deal in the running round."""
    deal = indistinguishable_deal(live.table.game.rounds[-1], audience, Random(seed))
    entries = list(live.entries)
    at = max(at for at, entry in enumerate(entries) if isinstance(entry.event, Dealt))
    dealt_before = entries[at].event
    assert isinstance(dealt_before, Dealt)
    other = Dealt.of(deal, dealt_before.salt, dealt_before.next_salt)
    entries[at] = LogEntry(entries[at].version, entries[at].at, other)
    return entries


def sent(entries: list[LogEntry], audience: Audience) -> list[bytes]:
    """All messages for an audience. The commitments in them are to salts, so they do not depend on the deals."""
    table, messages = Table(ID), []
    for entry in entries:
        table.apply(entry)
        messages.append(json.encode(latest_message(table, audience)))
    messages.append(json.encode(table_view(table, audience, NOON + DAY)))
    messages.append(write_record(table_record(table)).encode())
    return messages


def letters(deal: Deal) -> str:
    return "".join(LETTERS[kind] for kind in deal.pack)


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(0, 200), audiences, options, st.sampled_from(PLAYERS))
def test_deals_that_differ_in_unseen_cards_give_the_same_bytes(
    seed: int, moves: int, audience: Audience, options: TableOptions, players: str
) -> None:
    live = after_moves(seed, moves, options, players)
    assume(live.table.turn is not None)
    other_entries = with_other_deal(live, audience, seed)
    assert sent(live.entries, audience) == sent(other_entries, audience)


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(0, 200), st.sampled_from((0, 1)), options)
def test_positions_a_seat_cannot_distinguish_give_the_same_bytes(
    seed: int, moves: int, seat: Seat, options: TableOptions
) -> None:
    live = after_moves(seed, moves, options)
    before = json.encode(table_view(live.table, seat, live.now))
    played = live.table.game.rounds[-1]
    assume(played.result is None)
    unseen = deal_unseen(live.table.game.view(seat), Random(seed))
    live.table.game.rounds[-1] = played._replace(position=unseen)
    assert json.encode(table_view(live.table, seat, live.now)) == before


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seen_card_changes_the_messages(seat: Seat) -> None:
    """Guards the tests above: they would also pass with empty messages or an unchanged deal."""
    live = after_moves(3, 10)
    entries = with_other_deal(live, 1 - seat, seed=1)
    assert sent(entries, seat) != sent(live.entries, seat)
    assert sent(entries, 1 - seat) == sent(live.entries, 1 - seat)


def test_spectators_see_no_hand_and_no_bonus_value() -> None:
    live = open_table(deal=dealt("LLLLD GGSSC LC", starts=0))
    live.play("-LLL", "+L")
    public = latest_message(live.table, None).table.public
    assert public is not None
    assert [trader.hand for trader in public.traders] == [2, 6]
    assert [trader.shown for trader in public.traders] == ["", "L"]
    assert [trader.bonuses["3"] for trader in public.traders] == [1, 0]
    assert [trader.bonus_values for trader in public.traders] == [None, None]


def test_only_the_owner_gets_the_value_of_a_bonus_token() -> None:
    live = open_table(deal=dealt("LLLLD GGSSC LC", starts=0))
    live.play("-LLL")
    values = [
        [
            happening.value
            for happening in latest_message(live.table, audience).happenings
            if isinstance(happening, TookBonus)
        ]
        for audience in AUDIENCES
    ]
    assert values == [[1], [None], [None]]


def secrets_of(table: Table, number: int) -> list[bytes]:
    """What no audience may see before the round is over."""
    deal = table.game.rounds[number].deal
    piles = json.encode(dict(zip("345", deal.bonus, strict=True)))
    return [table.proofs[number].salt.encode(), letters(deal).encode(), piles]


def everything_sent(table: Table) -> bytes:
    seen = [json.encode(latest_message(table, audience)) for audience in AUDIENCES]
    return b"\n".join([*seen, write_record(table_record(table)).encode()])


@pytest.mark.parametrize("seed", range(3))
def test_deal_and_salt_are_revealed_when_the_round_is_over(seed: int) -> None:
    live, table = finished_game(seed), Table(ID)
    for entry in live.entries:
        table.apply(entry)
        everything = everything_sent(table)
        for number, played in enumerate(table.game.rounds):
            over = played.result is not None
            found = [secret in everything for secret in secrets_of(table, number)]
            assert found == [over] * len(found)


def _resign(live: LiveTable) -> None:
    live.apply(live.table.resign(0))


def _flag(live: LiveTable) -> None:
    live.advance(after=DAY)


def _abandon(live: LiveTable) -> None:
    live.advance(after=30 * DAY)


@pytest.mark.parametrize("clock_and_end", [(None, _resign), (Live(10), _flag), (None, _abandon)])
def test_a_game_that_ends_early_reveals_its_deal(
    clock_and_end: tuple[Live | None, Callable[[LiveTable], None]],
) -> None:
    clock, end = clock_and_end
    live = open_table(options=TableOptions(clock=clock))
    live.play("+S", "+D")
    assert not any(secret in everything_sent(live.table) for secret in secrets_of(live.table, 0))
    end(live)
    assert live.table.over is not None
    for audience in AUDIENCES:
        (played,) = latest_message(live.table, audience).table.rounds
        assert played.opened == OpenedDeal(
            SALT, 0, letters(DEAL), dict(zip("345", DEAL.bonus, strict=True))
        )
        assert (played.ended, played.rupees, played.seal) == (None, None, None)


def test_every_deal_has_a_commitment_that_never_changes() -> None:
    commitments: list[str] = []
    table = Table(ID)
    for entry in finished_game(2).entries:
        table.apply(entry)
        for audience in AUDIENCES:
            view = latest_message(table, audience).table
            seen = [played.commitment for played in view.rounds]
            if view.upcoming is not None:
                assert view.upcoming.round == len(seen) + 1
                seen.append(view.upcoming.commitment)
            assert seen == commitments[: len(seen)] or seen[:-1] == commitments
        commitments = max(seen, commitments, key=len)
    rounds = latest_message(table, 0).table.rounds
    for number, (played, committed) in enumerate(zip(rounds, commitments, strict=False), 1):
        assert played.opened is not None
        assert salt_commitment(ID, number, played.opened.salt) == committed == played.commitment


def test_the_commitment_depends_on_the_salt() -> None:
    """The same deal with another salt has another commitment."""
    commitments = {
        Table.replay(ID, [*open_table().entries[:1], LogEntry(2, NOON, deal_event(DEAL, salt))])
        .proofs[0]
        .commitment
        for salt in (SALT, OTHER_SALT)
    }
    assert len(commitments) == 2
