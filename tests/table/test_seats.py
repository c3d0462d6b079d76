"""Seats: who may take one, which secret opens which, and that no secret is stored."""

from msgspec import json

from jaipur.table.events import Chair, Dealt, Seated
from jaipur.table.projection import latest_message, table_view
from jaipur.table.refusals import RefusalCode
from jaipur.table.state import digest
from table.live_table import (
    AUDIENCES,
    INVITATION,
    NOON,
    ONE_SCREEN,
    PEOPLE,
    SECRETS,
    WITH_COMPUTER,
    WITH_FREE_SEAT,
    LiveTable,
    encoded,
    open_table,
    refusal,
)


def joined() -> LiveTable:
    live = open_table(WITH_FREE_SEAT)
    live.apply(live.table.take_seat(INVITATION, SECRETS[1], "Ravi"))
    return live


def test_an_invitation_gives_the_free_seat() -> None:
    live = open_table(WITH_FREE_SEAT)
    assert live.table.phase == "open"
    assert live.table.take_seat(INVITATION, SECRETS[1], "Ravi") == [
        Seated(1, "Ravi", digest(SECRETS[1]))
    ]


def test_either_seat_can_be_the_free_one() -> None:
    live = open_table((WITH_FREE_SEAT[1], WITH_FREE_SEAT[0]))
    live.apply(live.table.take_seat(INVITATION, SECRETS[1], "Ravi"))
    assert live.table.seats_of(SECRETS[1]) == (0,)
    assert live.table.seats_of(SECRETS[0]) == (1,)


def test_the_game_is_dealt_when_both_seats_are_taken() -> None:
    live = joined()
    assert (live.table.phase, live.table.turn) == ("running", None)
    (event,) = live.advance()
    assert isinstance(event, Dealt)
    assert live.table.turn == event.starts


def test_nothing_happens_while_a_seat_is_free() -> None:
    live = open_table(WITH_FREE_SEAT)
    assert live.advance(after=10**12) == []


def test_a_wrong_invitation_is_refused() -> None:
    table = open_table(WITH_FREE_SEAT).table
    for wrong in ("", "wrong", INVITATION + " ", digest(INVITATION)):
        assert refusal(table.take_seat, wrong, SECRETS[1], "Ravi").code == RefusalCode.NOT_INVITED


def test_a_seat_without_an_invitation_stays_free() -> None:
    table = open_table((PEOPLE[0], Chair())).table
    assert refusal(table.take_seat, "", SECRETS[1], "Ravi").code == RefusalCode.NOT_INVITED


def test_an_invitation_works_once() -> None:
    assert (
        refusal(joined().table.take_seat, INVITATION, "a third", "Mira").code
        == RefusalCode.SEAT_TAKEN
    )


def test_taking_the_own_seat_again_changes_nothing() -> None:
    live = joined()
    assert live.table.take_seat(INVITATION, SECRETS[1], "Ravi") == []
    live.advance()
    assert live.table.take_seat("anything", SECRETS[1], "Somebody else") == []


def test_the_opener_cannot_take_the_other_seat() -> None:
    table = open_table(WITH_FREE_SEAT).table
    assert table.take_seat(INVITATION, SECRETS[0], "Asha again") == []
    assert table.seats_of(SECRETS[0]) == (0,)


def test_a_table_with_a_computer_has_no_free_seat() -> None:
    table = open_table(WITH_COMPUTER).table
    assert refusal(table.take_seat, "", SECRETS[1], "Ravi").code == RefusalCode.SEAT_TAKEN


def test_a_secret_opens_its_own_seat_and_no_other() -> None:
    table = open_table().table
    assert [table.seats_of(secret) for secret in SECRETS] == [(0,), (1,)]
    assert not table.one_screen


def test_on_one_screen_one_secret_opens_both_seats() -> None:
    table = open_table(ONE_SCREEN).table
    assert table.one_screen
    assert table.seats_of(SECRETS[0]) == (0, 1)
    assert table.seats_of(SECRETS[1]) == ()


def test_on_one_screen_each_seat_moves_only_in_its_turn() -> None:
    table = open_table(ONE_SCREEN).table
    assert refusal(table.play, 1, "+S", 2).code == RefusalCode.NOT_YOUR_TURN


def test_only_the_secret_opens_a_seat() -> None:
    table = open_table(WITH_COMPUTER).table
    for wrong in ("", "None", digest(SECRETS[0]), SECRETS[1], "greedy"):
        assert table.seats_of(wrong) == ()


def test_an_invitation_does_not_open_a_seat() -> None:
    assert open_table(WITH_FREE_SEAT).table.seats_of(INVITATION) == ()
    assert joined().table.seats_of(INVITATION) == ()


def test_secrets_and_invitations_are_stored_as_digests() -> None:
    live = joined()
    live.advance()
    live.apply(live.table.resign(0))
    for seat in (0, 1):
        live.apply(live.table.offer_rematch(seat))
    entries = b"\n".join(encoded(live.entries))
    assert b"rematched" in entries
    for secret in (*SECRETS, INVITATION):
        assert digest(secret).encode() in entries
        assert secret.encode() not in entries


def test_no_message_contains_a_digest() -> None:
    """A digest opens no seat, but it would allow guessing secrets offline."""
    live, sent = LiveTable(), []
    for entry in joined().entries:
        live.apply([entry.event])
        sent += [json.encode(latest_message(live.table, audience)) for audience in AUDIENCES]
    for secret in (*SECRETS, INVITATION):
        assert digest(secret).encode() not in b"".join(sent)


def test_every_audience_sees_the_occupants() -> None:
    table = open_table(WITH_COMPUTER).table
    for audience in AUDIENCES:
        seats = table_view(table, audience, NOON).seats
        assert [(seat.player, seat.name) for seat in seats] == [
            ("person", "Asha"),
            ("computer", "greedy"),
        ]


def test_a_view_names_its_seat() -> None:
    table = open_table().table
    assert [table_view(table, who, NOON).you for who in AUDIENCES] == [0, 1, None]
