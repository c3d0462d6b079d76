"""Seats: who may take one, which secret opens which, and that no secret is ever kept."""

from msgspec import json

from jaipur.table.events import Chair, Dealt, Seated
from jaipur.table.projection import latest_message, table_view
from jaipur.table.refusals import RefusalCode
from jaipur.table.state import digest
from table.keeping import (
    A_FREE_SEAT,
    AGAINST_A_COMPUTER,
    AUDIENCES,
    INVITATION,
    NOON,
    ONE_SCREEN,
    PEOPLE,
    SECRETS,
    Kept,
    kept_table,
    refusal,
    written,
)


def joined() -> Kept:
    kept = kept_table(A_FREE_SEAT)
    kept.happen(kept.table.take_seat(INVITATION, SECRETS[1], "Ravi"))
    return kept


def test_an_invitation_opens_the_free_seat() -> None:
    kept = kept_table(A_FREE_SEAT)
    assert kept.table.phase == "open"
    assert kept.table.take_seat(INVITATION, SECRETS[1], "Ravi") == [
        Seated(1, "Ravi", digest(SECRETS[1]))
    ]


def test_the_free_seat_may_be_either() -> None:
    kept = kept_table((A_FREE_SEAT[1], A_FREE_SEAT[0]))
    kept.happen(kept.table.take_seat(INVITATION, SECRETS[1], "Ravi"))
    assert kept.table.seats_of(SECRETS[1]) == (0,)
    assert kept.table.seats_of(SECRETS[0]) == (1,)


def test_when_both_are_seated_the_game_is_dealt() -> None:
    kept = joined()
    assert (kept.table.phase, kept.table.turn) == ("running", None)
    (event,) = kept.advance()
    assert isinstance(event, Dealt)
    assert kept.table.turn == event.starts


def test_while_a_seat_is_free_nothing_goes_on() -> None:
    kept = kept_table(A_FREE_SEAT)
    assert kept.advance(after=10**12) == []


def test_a_wrong_invitation_opens_nothing() -> None:
    table = kept_table(A_FREE_SEAT).table
    for wrong in ("", "wrong", INVITATION + " ", digest(INVITATION)):
        assert refusal(table.take_seat, wrong, SECRETS[1], "Ravi").code == RefusalCode.NOT_INVITED


def test_a_seat_without_an_invitation_stays_free() -> None:
    table = kept_table((PEOPLE[0], Chair())).table
    assert refusal(table.take_seat, "", SECRETS[1], "Ravi").code == RefusalCode.NOT_INVITED


def test_an_invitation_works_once() -> None:
    assert (
        refusal(joined().table.take_seat, INVITATION, "a third", "Mira").code
        == RefusalCode.SEAT_TAKEN
    )


def test_whoever_has_taken_the_seat_may_take_it_again() -> None:
    kept = joined()
    assert kept.table.take_seat(INVITATION, SECRETS[1], "Ravi") == []
    kept.advance()
    assert kept.table.take_seat("anything", SECRETS[1], "Somebody else") == []


def test_whoever_opened_the_table_does_not_take_the_other_seat_too() -> None:
    table = kept_table(A_FREE_SEAT).table
    assert table.take_seat(INVITATION, SECRETS[0], "Asha again") == []
    assert table.seats_of(SECRETS[0]) == (0,)


def test_a_table_with_a_computer_has_no_free_seat() -> None:
    table = kept_table(AGAINST_A_COMPUTER).table
    assert refusal(table.take_seat, "", SECRETS[1], "Ravi").code == RefusalCode.SEAT_TAKEN


def test_a_secret_opens_its_own_seat_and_no_other() -> None:
    table = kept_table().table
    assert [table.seats_of(secret) for secret in SECRETS] == [(0,), (1,)]
    assert not table.one_screen


def test_on_one_screen_one_secret_opens_both_seats() -> None:
    table = kept_table(ONE_SCREEN).table
    assert table.one_screen
    assert table.seats_of(SECRETS[0]) == (0, 1)
    assert table.seats_of(SECRETS[1]) == ()


def test_on_one_screen_each_seat_still_moves_in_its_turn_alone() -> None:
    table = kept_table(ONE_SCREEN).table
    assert refusal(table.play, 1, "+S", 2).code == RefusalCode.NOT_YOUR_TURN


def test_nothing_but_the_secret_itself_opens_a_seat() -> None:
    table = kept_table(AGAINST_A_COMPUTER).table
    for wrong in ("", "None", digest(SECRETS[0]), SECRETS[1], "greedy"):
        assert table.seats_of(wrong) == ()


def test_an_invitation_is_no_secret_of_a_seat() -> None:
    assert kept_table(A_FREE_SEAT).table.seats_of(INVITATION) == ()
    assert joined().table.seats_of(INVITATION) == ()


def test_neither_secrets_nor_invitations_are_kept() -> None:
    kept = joined()
    kept.advance()
    kept.happen(kept.table.resign(0))
    for seat in (0, 1):
        kept.happen(kept.table.offer_rematch(seat))
    journal = b"\n".join(written(kept.journal))
    assert b"rematched" in journal
    for secret in (*SECRETS, INVITATION):
        assert digest(secret).encode() in journal
        assert secret.encode() not in journal


def test_nobody_is_told_a_digest() -> None:
    """It opens nothing, and still whoever knows it could try secrets at home."""
    kept, told = Kept(), []
    for entry in joined().journal:
        kept.happen([entry.event])
        told += [json.encode(latest_message(kept.table, audience)) for audience in AUDIENCES]
    for secret in (*SECRETS, INVITATION):
        assert digest(secret).encode() not in b"".join(told)


def test_who_sits_where_is_told_to_everybody() -> None:
    table = kept_table(AGAINST_A_COMPUTER).table
    for audience in AUDIENCES:
        seats = table_view(table, audience, NOON).seats
        assert [(seat.player, seat.name) for seat in seats] == [
            ("person", "Asha"),
            ("computer", "greedy"),
        ]


def test_everybody_is_told_the_seat_they_see_from() -> None:
    table = kept_table().table
    assert [table_view(table, who, NOON).you for who in AUDIENCES] == [0, 1, None]
