"""The play command: a move is checked in a fixed order, and the first failed check is the answer."""

from collections.abc import Callable

import pytest

from jaipur.rules import Reason, Rule, Seat
from jaipur.table.events import Played
from jaipur.table.refusals import AlreadyPlayed, RefusalCode, Refused
from jaipur.table.table import Table, parse_move
from jaipur.words import LANGUAGES, Language, Words
from table.live_table import ONE_SCREEN, WITH_FREE_SEAT, LiveTable, open_table, refusal
from tables import dealt


def repeated_version(live: LiveTable, seat: Seat, move: str, seen: int) -> int:
    """The version that a repeated move made when it was first sent."""
    with pytest.raises(AlreadyPlayed) as repeated:
        live.table.play(seat, move, seen)
    return repeated.value.version


def test_a_legal_move_is_one_event() -> None:
    live = open_table()
    assert live.table.play(0, "+S", 2) == [Played(0, "+S")]


def test_a_command_does_not_change_the_table() -> None:
    live = open_table()
    live.table.play(0, "+S", 2)
    assert (live.table.version, live.table.turn) == (2, 0)
    assert live.table == Table.replay(live.table.id, live.entries)


def test_a_move_is_stored_in_canonical_form() -> None:
    live = open_table()
    assert live.table.play(0, " +g s - l m ", 2) == [Played(0, "+GS-LM")]


def test_no_move_before_both_seats_are_taken() -> None:
    live = open_table(WITH_FREE_SEAT)
    assert refusal(live.table.play, 0, "+S", 1).code == RefusalCode.NOT_STARTED


def test_no_move_before_the_deal() -> None:
    live = LiveTable()
    live.apply([open_table().entries[0].event])
    assert refusal(live.table.play, 0, "+S", 1).code == RefusalCode.NOT_STARTED


def test_no_move_after_the_game() -> None:
    live = open_table()
    live.apply(live.table.resign(1))
    assert refusal(live.table.play, 0, "+S", 3).code == RefusalCode.GAME_OVER
    assert refusal(live.table.play, 1, "+S", 2).code == RefusalCode.GAME_OVER


def test_no_move_out_of_turn_at_any_version() -> None:
    live = open_table()
    for seen in (0, 2, 99):
        assert refusal(live.table.play, 1, "+S", seen).code == RefusalCode.NOT_YOUR_TURN


def test_a_move_chosen_before_the_game_changed_is_stale() -> None:
    live = open_table()
    live.play("+S", "+G")
    refused = refusal(live.table.play, 0, "+D", 3)
    assert (refused.code, refused.values) == (RefusalCode.STALE, {"seen": 3, "version": 4})


def test_a_move_chosen_before_the_deal_is_stale() -> None:
    refused = refusal(open_table().table.play, 0, "+S", 1)
    assert (refused.code, refused.values) == (RefusalCode.STALE, {"seen": 1, "version": 2})


def test_leaving_and_returning_make_no_move_stale() -> None:
    live = open_table()
    live.apply(live.table.leave(1))
    live.apply(live.table.rejoin(1))
    live.apply(live.table.leave(0))
    assert live.table.version == 5
    for seen in (2, 3, 4, 5):
        assert live.table.play(0, "+S", seen) == [Played(0, "+S")]


def test_a_move_for_a_future_version_is_ahead() -> None:
    refused = refusal(open_table().table.play, 0, "+S", 3)
    assert (refused.code, refused.values) == (RefusalCode.AHEAD, {"seen": 3, "version": 2})


def test_a_stale_illegal_move_is_refused_as_stale() -> None:
    live = open_table()
    live.play("+S", "+G")
    assert refusal(live.table.play, 0, "+S", 1).code == RefusalCode.STALE


@pytest.mark.parametrize("move", ["", "+", "G", "+X", "+G+G", "-", "+MG", "+" + "L" * 11, "++G"])
def test_text_that_is_no_move_is_unreadable(move: str) -> None:
    refused = refusal(open_table().table.play, 0, move, 2)
    assert refused.code == RefusalCode.UNREADABLE
    assert refused.values["problem"]


def test_unreadable_text_is_refused_in_every_state() -> None:
    over = open_table()
    over.apply(over.table.resign(0))
    for table in (open_table(WITH_FREE_SEAT).table, open_table().table, over.table):
        for seat in (0, 1):
            for seen in (0, 2, 99):
                assert refusal(table.play, seat, "?", seen).code == RefusalCode.UNREADABLE


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unreadable_move_is_explained_in_the_readers_language(language: Language) -> None:
    refused = refusal(open_table().table.play, 0, "xyz", 2)
    assert "Cards are" in str(refused.values["problem"])
    text = refused.sentence(Words(language))
    assert "Cards are" not in text
    assert "+DG-LM" in text


@pytest.mark.parametrize(
    ("seat", "move", "seen", "first", "later"),
    [
        (1, "?", 2, RefusalCode.UNREADABLE, RefusalCode.NOT_YOUR_TURN),
        (0, "?", 1, RefusalCode.UNREADABLE, RefusalCode.STALE),
        (0, "?", 99, RefusalCode.UNREADABLE, RefusalCode.AHEAD),
        (1, "+S", 1, RefusalCode.NOT_YOUR_TURN, RefusalCode.STALE),
        (1, "+S", 99, RefusalCode.NOT_YOUR_TURN, RefusalCode.AHEAD),
        (1, "-G", 2, RefusalCode.NOT_YOUR_TURN, RefusalCode.ILLEGAL),
        (0, "-G", 1, RefusalCode.STALE, RefusalCode.ILLEGAL),
        (0, "-G", 99, RefusalCode.AHEAD, RefusalCode.ILLEGAL),
    ],
)
def test_the_first_code_in_order_is_the_answer(
    seat: Seat, move: str, seen: int, first: RefusalCode, later: RefusalCode
) -> None:
    codes = list(RefusalCode)
    assert codes.index(first) < codes.index(later)
    assert refusal(open_table().table.play, seat, move, seen).code == first


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("+D", Rule.NOT_IN_MARKET),
        ("+GS", Rule.ONE_GOOD),
        ("+S-L", Rule.ONE_FOR_ONE),
        ("+GS-L", Rule.UNEVEN_EXCHANGE),
        ("+GS-GL", Rule.SAME_KIND),
        ("+GS-CC", Rule.NOT_IN_HAND),
        ("+GS-MM", Rule.NOT_IN_HERD),
        ("+MM", Rule.CAMELS_AS_ONE),
        ("+GM", Rule.CAMELS_ALONE),
        ("-G", Rule.TWO_PRECIOUS),
        ("-M", Rule.CAMELS_NOT_SOLD),
        ("-DL", Rule.ONE_KIND_A_SALE),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule(move: str, rule: Rule) -> None:
    live = open_table()
    refused = refusal(live.table.play, 0, move, 2)
    assert refused.reason is not None
    assert (refused.code, refused.reason.rule) == (RefusalCode.ILLEGAL, rule)
    assert refused.values == dict(refused.reason.values)


def test_the_reason_names_the_cards() -> None:
    refused = refusal(open_table().table.play, 0, "+D", 2)
    assert refused.reason == Reason(Rule.NOT_IN_MARKET, {"kind": "D", "have": 0, "wanted": 1})
    assert refused.sentence(Words("en")) == "The market has no diamonds."
    assert "diamants" in refused.sentence(Words("fr"))
    assert "diamanti" in refused.sentence(Words("it"))


def _not_started() -> Refused:
    return refusal(open_table(WITH_FREE_SEAT).table.resign, 0)


def _game_over() -> Refused:
    live = open_table()
    live.apply(live.table.resign(0))
    return refusal(live.table.resign, 1)


REFUSALS: dict[RefusalCode, Callable[[], Refused]] = {
    RefusalCode.NOT_INVITED: lambda: refusal(
        open_table(WITH_FREE_SEAT).table.take_seat, "wrong", "mine", "Me"
    ),
    RefusalCode.SEAT_TAKEN: lambda: refusal(open_table().table.take_seat, "wrong", "mine", "Me"),
    RefusalCode.NOT_STARTED: _not_started,
    RefusalCode.GAME_OVER: _game_over,
    RefusalCode.NOT_OVER: lambda: refusal(open_table().table.offer_rematch, 0),
    RefusalCode.NOT_YOUR_TURN: lambda: refusal(open_table().table.play, 1, "+S", 2),
    RefusalCode.STALE: lambda: refusal(open_table().table.play, 0, "+S", 1),
    RefusalCode.AHEAD: lambda: refusal(open_table().table.play, 0, "+S", 99),
    RefusalCode.UNREADABLE: lambda: refusal(open_table().table.play, 0, "{seen} {", 2),
    RefusalCode.ILLEGAL: lambda: refusal(open_table().table.play, 0, "-G", 2),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_is_one_sentence_in_every_language(
    code: RefusalCode, language: Language
) -> None:
    refused = REFUSALS[code]()
    assert refused.code == code
    text = refused.sentence(Words(language))
    assert text[0].isupper()
    assert "\n" not in text
    if code in (RefusalCode.STALE, RefusalCode.AHEAD):
        assert all(str(value) in text for value in refused.values.values())
    assert language == "en" or text != refused.sentence(Words("en"))


def test_why_not_gives_the_refusal_and_plays_nothing() -> None:
    live = open_table()
    for seat, move in ((0, "-G"), (0, "+D"), (1, "+S"), (0, "?")):
        why_not = live.table.why_not(seat, move)
        assert why_not is not None
        text = refusal(live.table.play, seat, move, 2)
        assert (why_not.code, why_not.values) == (text.code, text.values)
        assert why_not.reason == text.reason
    assert live.table == Table.replay(live.table.id, live.entries)


def test_why_not_is_none_for_a_legal_move() -> None:
    live = open_table()
    assert live.table.why_not(0, "+S") is None
    assert live.table == Table.replay(live.table.id, live.entries)


def test_why_not_ignores_that_the_move_was_played_before() -> None:
    live = open_table()
    live.play("+S")
    why_not = live.table.why_not(0, "+S")
    assert why_not is not None
    assert why_not.code == RefusalCode.NOT_YOUR_TURN


def test_on_one_screen_the_mover_is_the_seat_to_move() -> None:
    live = open_table(ONE_SCREEN)
    assert live.table.mover((0, 1), parse_move("+S"), 2) == 0
    live.play("+S")
    assert live.table.mover((0, 1), parse_move("+D"), 3) == 1


@pytest.mark.parametrize("again", ["+S", " + s "])
def test_on_one_screen_a_repeated_move_belongs_to_its_seat(
    again: str,
) -> None:
    live = open_table(ONE_SCREEN)
    live.play("+S")
    assert live.table.turn == 1
    seat = live.table.mover((0, 1), parse_move(again), 2)
    assert (seat, repeated_version(live, seat, again, 2)) == (0, 3)


def test_on_one_screen_a_repeated_move_is_known_after_the_reply() -> None:
    live = open_table(ONE_SCREEN)
    live.play("+S", "+D")
    assert live.table.turn == 0
    assert live.table.mover((0, 1), parse_move("+D"), 3) == 1
    assert live.table.mover((0, 1), parse_move("+S"), 2) == 0
    assert repeated_version(live, 1, "+D", 3) == 4
    assert repeated_version(live, 0, "+S", 2) == 3


def test_on_one_screen_the_version_tells_equal_moves_apart() -> None:
    live = open_table(ONE_SCREEN, deal=dealt("DDLSM CCPPL GG"))
    live.play("+G", "+G")
    assert [live.table.mover((0, 1), parse_move("+G"), seen) for seen in (2, 3, 4)] == [0, 1, 0]
    live = open_table(ONE_SCREEN, deal=dealt("DDLSM CCPPL GG"))
    live.play("+G")
    assert live.table.mover((0, 1), parse_move("+G"), 3) == 1
    assert live.table.play(1, "+G", 3) == [Played(1, "+G")]


def test_on_one_screen_another_move_for_an_old_version_is_stale() -> None:
    live = open_table(ONE_SCREEN)
    live.play("+S")
    seat = live.table.mover((0, 1), parse_move("+G"), 2)
    assert (seat, refusal(live.table.play, seat, "+G", 2).code) == (1, RefusalCode.STALE)


def test_on_one_screen_a_repeated_move_is_known_after_the_game() -> None:
    live = open_table(ONE_SCREEN)
    live.play("+S", "+D")
    live.apply(live.table.resign(0))
    assert live.table.mover((0, 1), parse_move("+D"), 3) == 1
    seat = live.table.mover((0, 1), parse_move("+G"), 4)
    assert refusal(live.table.play, seat, "+G", 4).code == RefusalCode.GAME_OVER


@pytest.mark.parametrize("seat", [0, 1])
def test_with_one_seat_the_mover_is_that_seat(seat: Seat) -> None:
    live = open_table()
    assert live.table.mover((seat,), parse_move("+S"), 2) == seat
    live.play("+S")
    assert live.table.mover((seat,), parse_move("+S"), 2) == seat


@pytest.mark.parametrize("again", ["+GS-LM", "+gs-lm", " + G S - L M "])
def test_a_move_repeated_for_the_same_version_is_played_once(again: str) -> None:
    live = open_table()
    live.play("+GS-LM")
    assert repeated_version(live, 0, again, 2) == 3


def test_a_repeated_move_is_known_after_the_reply() -> None:
    live = open_table()
    live.play("+S", "+G")
    assert repeated_version(live, 0, "+S", 2) == 3


def test_a_repeated_move_is_known_at_every_version_it_could_be_chosen_at() -> None:
    live = open_table()
    live.apply(live.table.leave(1))
    live.play("+S")
    assert [repeated_version(live, 0, "+S", seen) for seen in (2, 3)] == [4, 4]
    assert refusal(live.table.play, 0, "+S", 1).code == RefusalCode.NOT_YOUR_TURN
    assert refusal(live.table.play, 0, "+S", 4).code == RefusalCode.NOT_YOUR_TURN


def test_a_repeated_move_is_known_after_the_game() -> None:
    live = open_table()
    live.play("+S")
    live.apply(live.table.resign(1))
    assert repeated_version(live, 0, "+S", 2) == 3


def test_a_repeated_last_move_of_a_round_is_known_after_the_next_deal() -> None:
    live = open_table()
    live.finish_round()
    last = live.entries[-1]
    assert isinstance(last.event, Played)
    live.advance()
    assert live.table.version == last.version + 1
    again = repeated_version(live, last.event.seat, last.event.move, last.version - 1)
    assert again == last.version
    assert live.table.game.running is not None


def test_a_move_chosen_between_two_rounds_is_stale() -> None:
    live = open_table()
    live.finish_round()
    before = live.table.version
    live.advance()
    turn = live.table.turn
    assert turn is not None
    assert refusal(live.table.play, turn, "+M", before).code == RefusalCode.STALE


def test_another_move_for_an_old_version_is_refused() -> None:
    live = open_table()
    live.play("+S")
    assert refusal(live.table.play, 0, "+G", 2).code == RefusalCode.NOT_YOUR_TURN
    live.play("+D")
    assert refusal(live.table.play, 0, "+G", 2).code == RefusalCode.STALE


def test_the_same_move_for_a_later_version_is_a_new_move() -> None:
    live = open_table(deal=dealt("DDGLM CCPPL GG"))
    live.play("+G", "+D")
    assert live.table.play(0, "+G", 4) == [Played(0, "+G")]


def test_an_older_repeated_move_is_stale() -> None:
    live = open_table(deal=dealt("DDGLM CCPPL GG"))
    live.play("+G", "+D", "+G", "+D")
    assert refusal(live.table.play, 0, "+G", 2).code == RefusalCode.STALE
    assert repeated_version(live, 0, "+G", 4) == 5


def test_the_same_move_of_the_other_seat_is_no_repetition() -> None:
    live = open_table(deal=dealt("DDGLM CCPPL GG"))
    live.play("+G")
    assert refusal(live.table.play, 1, "+G", 2).code == RefusalCode.STALE
