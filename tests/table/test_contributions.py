"""Contributions to a deal: who may contribute, until when, what waits for them, and what is secret until when."""

from random import Random

import pytest
from msgspec import json

from jaipur.notation import derive_deal, new_salt, read_record, salt_commitment, write_record
from jaipur.players import player_named
from jaipur.rules import Seat
from jaipur.table.events import Chair, Contributed, Dealt, Opened, Seated
from jaipur.table.options import DAY, SECOND, TableOptions
from jaipur.table.projection import latest_message, table_view
from jaipur.table.record import table_record
from jaipur.table.refusals import RefusalCode
from jaipur.table.state import CONTRIBUTION_TIME
from jaipur.table.table import Table
from table.live_table import (
    AUDIENCES,
    ID,
    INVITATION,
    NOON,
    ONE_SCREEN,
    PEOPLE,
    SALT,
    SECRETS,
    WITH_COMPUTER,
    WITH_FREE_SEAT,
    LiveTable,
    deal_of,
    open_table,
    refusal,
)

OWN, OTHER = "a" * 64, "b" * 64


def contributing(chair: Chair) -> Chair:
    return Chair(chair.player, chair.name, chair.secret, contributes=True)


BOTH = (contributing(PEOPLE[0]), contributing(PEOPLE[1]))


def waiting(chairs: tuple[Chair, Chair] = BOTH) -> LiveTable:
    """A new table that has not been dealt."""
    live = LiveTable(rng=Random(1))
    live.apply([Opened(chairs, TableOptions(), salt=SALT)])
    return live


def contribute(live: LiveTable, seat: Seat, value: str, number: int = 1) -> None:
    live.apply(live.table.contribute(seat, number, value))


def test_the_commitment_is_public_before_the_first_contribution() -> None:
    live = waiting()
    for audience in AUDIENCES:
        upcoming = latest_message(live.table, audience).table.upcoming
        assert upcoming is not None
        assert upcoming.round == 1
        assert upcoming.commitment == salt_commitment(ID, 1, SALT)
        assert upcoming.awaits == [0, 1]


def test_the_first_round_is_dealt_when_every_awaited_seat_has_contributed() -> None:
    live = waiting()
    assert live.advance() == []
    contribute(live, 1, OTHER)
    assert live.advance() == []
    contribute(live, 0, OWN)
    (event,) = live.advance()
    assert isinstance(event, Dealt)
    assert deal_of(event) == derive_deal(SALT, ID, 1, (OWN, OTHER), starts=None)


def test_a_seat_that_never_contributes_does_not_block_the_game() -> None:
    live = waiting()
    contribute(live, 0, OWN)
    assert live.table.status.due == NOON + CONTRIBUTION_TIME
    assert live.advance(after=CONTRIBUTION_TIME - 1) == []
    (event,) = live.advance(after=1)
    assert isinstance(event, Dealt)
    assert deal_of(event) == derive_deal(SALT, ID, 1, (OWN, None), starts=None)


def test_events_in_between_do_not_extend_the_time_for_contributions() -> None:
    live = waiting()
    live.now += CONTRIBUTION_TIME - 1
    live.apply(live.table.leave(1))
    assert live.table.status.due == NOON + CONTRIBUTION_TIME
    assert live.advance(after=1)


@pytest.mark.parametrize("chairs", [PEOPLE, WITH_COMPUTER, ONE_SCREEN])
def test_without_a_seat_that_wants_to_contribute_the_deal_does_not_wait(
    chairs: tuple[Chair, Chair],
) -> None:
    (event,) = waiting(chairs).advance()
    assert isinstance(event, Dealt)
    assert deal_of(event) == derive_deal(SALT, ID, 1, (None, None), starts=None)


def test_the_time_for_contributions_starts_when_the_last_seat_is_taken() -> None:
    live = waiting(WITH_FREE_SEAT)
    live.now += DAY
    live.apply(live.table.take_seat(INVITATION, SECRETS[1], "Ravi", contributes=True))
    assert isinstance(live.entries[-1].event, Seated)
    assert live.table.status.due == NOON + DAY + CONTRIBUTION_TIME
    assert live.advance(after=SECOND) == []
    contribute(live, 1, OTHER)
    assert isinstance(live.advance()[0], Dealt)


def test_the_host_can_contribute_while_the_other_seat_is_free() -> None:
    live = waiting((BOTH[0], WITH_FREE_SEAT[1]))
    contribute(live, 0, OWN)
    assert live.advance(after=DAY) == []
    live.apply(live.table.take_seat(INVITATION, SECRETS[1], "Ravi"))
    (event,) = live.advance()
    assert isinstance(event, Dealt)
    assert deal_of(event) == derive_deal(SALT, ID, 1, (OWN, None), starts=None)


def test_later_deals_contain_contributions_and_never_wait() -> None:
    live = waiting()
    live.advance(after=CONTRIBUTION_TIME)
    contribute(live, 1, OTHER, number=2)
    live.finish_round()
    assert live.table.awaits == [0]
    assert live.table.status.due == live.now
    starter = live.table.game.next_starter()
    salt = live.table.proofs[1].salt
    (event,) = live.advance()
    assert isinstance(event, Dealt)
    assert deal_of(event) == derive_deal(salt, ID, 2, (None, OTHER), starter)


def test_a_repeated_contribution_changes_nothing() -> None:
    live = waiting()
    contribute(live, 0, OWN)
    assert live.table.contribute(0, 1, OWN) == []
    live.advance(after=CONTRIBUTION_TIME)
    assert live.table.contribute(0, 1, OWN) == [], "also after the deal"


def test_a_contribution_cannot_be_replaced() -> None:
    live = waiting()
    contribute(live, 0, OWN)
    refused = refusal(live.table.contribute, 0, 1, OTHER)
    assert (refused.code, refused.values) == (RefusalCode.ALREADY_CONTRIBUTED, {"round": 1})


@pytest.mark.parametrize("seat", [0, 1])
def test_a_contribution_to_a_dealt_round_is_refused(seat: Seat) -> None:
    live = waiting()
    contribute(live, 0, OWN)
    live.advance(after=CONTRIBUTION_TIME)
    assert refusal(live.table.contribute, seat, 1, OTHER).code == RefusalCode.ALREADY_DEALT


@pytest.mark.parametrize("number", [2, 3, 2**31 - 1])
def test_a_contribution_needs_a_commitment(number: int) -> None:
    live = waiting()
    assert refusal(live.table.contribute, 0, number, OWN).code == RefusalCode.NO_COMMITMENT


def test_a_table_of_version_0_1_takes_no_contributions_and_goes_on_in_the_old_way() -> None:
    live = open_table()
    view = table_view(live.table, 0, NOON)
    assert (view.upcoming, view.rounds[0].contributions) == (None, None)
    assert refusal(live.table.contribute, 0, 2, OWN).code == RefusalCode.NO_COMMITMENT
    live.finish_round()
    (event,) = live.advance()
    assert isinstance(event, Dealt)
    assert (event.next_salt, live.table.proofs[1].contributions) == (None, None)


def test_after_the_game_no_contribution_is_possible() -> None:
    live = waiting(PEOPLE)
    live.advance()
    live.apply(live.table.resign(0))
    assert table_view(live.table, 0, NOON).upcoming is None
    assert refusal(live.table.contribute, 0, 2, OWN).code == RefusalCode.GAME_OVER


def test_a_seat_that_did_not_announce_it_can_contribute_too() -> None:
    live = waiting((BOTH[0], PEOPLE[1]))
    contribute(live, 1, OTHER)
    contribute(live, 0, OWN)
    live.advance()
    assert live.table.proofs[0].contributions == (OWN, OTHER)


def test_on_one_screen_the_person_contributes_once() -> None:
    live = waiting((ONE_SCREEN[0], contributing(ONE_SCREEN[1])))
    assert live.table.awaits == [1]
    assert live.table.contributor((0, 1)) == 1
    contribute(live, 1, OWN)
    assert isinstance(live.advance()[0], Dealt)


def test_a_rematch_awaits_the_same_people() -> None:
    live = waiting((BOTH[0], WITH_COMPUTER[1]))
    contribute(live, 0, OWN)
    live.advance()
    live.apply(live.table.resign(0))
    rematch = LiveTable(Table("fedcba9876543210"))
    rematch.apply([replace_salt(live.table.rematch())])
    assert rematch.table.awaits == [1]


def replace_salt(opened: Opened) -> Opened:
    return Opened(opened.chairs, opened.options, opened.previous, SALT)


def test_a_contribution_does_not_make_a_move_stale() -> None:
    live = waiting(PEOPLE)
    live.advance()
    seen, turn = live.table.version, live.table.turn
    assert turn is not None
    contribute(live, 1 - turn, OWN, number=2)
    move = live.table.game.legal_moves()[0]
    assert live.table.play(turn, move, seen)


def everything_sent(table: Table) -> bytes:
    views = [json.encode(latest_message(table, audience)) for audience in AUDIENCES]
    return b"\n".join([*views, write_record(table_record(table)).encode()])


@pytest.mark.parametrize("seed", range(3))
def test_salts_are_secret_until_the_round_ends_and_contributions_until_it_is_dealt(
    seed: int,
) -> None:
    live = played_game(seed)
    table = Table(ID)
    for entry in live.entries:
        table.apply(entry)
        sent = everything_sent(table)
        for number, proof in enumerate(live.table.proofs):
            dealt = number < len(table.game.rounds)
            over = dealt and table.game.rounds[number].result is not None
            assert (proof.salt.encode() in sent) == over
            for value in proof.contributions or ():
                assert value is None or (value.encode() in sent) == dealt


def played_game(seed: int) -> LiveTable:
    """A whole game with contributions to every round."""
    rng, live = Random(f"contributions {seed}"), waiting()
    players = [player_named("greedy"), player_named("random")]
    while live.table.over is None:
        number = len(live.table.game.rounds) + 1
        for seat in live.table.awaits:
            contribute(live, seat, new_salt(rng), number)
        live.play_moves(players, 20)
    return live


def test_the_record_contains_everything_to_derive_the_deals() -> None:
    live = played_game(1)
    record = read_record(write_record(table_record(live.table)))
    for number, (played, proof) in enumerate(
        zip(record.rounds, live.table.proofs, strict=False), 1
    ):
        assert played.extra["fair"] == {
            "version": 2,
            "table": ID,
            "round": number,
            "commitment": proof.commitment,
            "salt": proof.salt,
            "contributions": list(proof.contributions or ()),
        }
        assert None not in (proof.contributions or (None,))


def test_a_replay_gives_the_same_table() -> None:
    live = played_game(2)
    assert Table.replay(ID, live.entries) == live.table
    assert any(isinstance(entry.event, Contributed) for entry in live.entries)
