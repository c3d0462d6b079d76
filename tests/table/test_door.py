"""The one door: a move is looked at in a fixed order, and the first thing that speaks against it is the answer."""

from collections.abc import Callable

import pytest

from jaipur.rules import Reason, Rule, Seat
from jaipur.table.events import Played
from jaipur.table.refusals import AlreadyPlayed, RefusalCode, Refused
from jaipur.table.table import Table, parse_move
from jaipur.words import LANGUAGES, Language, Words
from table.keeping import A_FREE_SEAT, ONE_SCREEN, Kept, kept_table, refusal
from tables import dealt


def repeated_version(kept: Kept, seat: Seat, move: str, seen: int) -> int:
    """The version that a repeated move made when it was first sent."""
    with pytest.raises(AlreadyPlayed) as repeated:
        kept.table.play(seat, move, seen)
    return repeated.value.version


def test_a_legal_move_in_turn_is_one_event() -> None:
    kept = kept_table()
    assert kept.table.play(0, "+S", 2) == [Played(0, "+S")]


def test_asking_changes_nothing_until_the_event_is_kept() -> None:
    kept = kept_table()
    kept.table.play(0, "+S", 2)
    assert (kept.table.version, kept.table.turn) == (2, 0)
    assert kept.table == Table.replay(kept.table.id, kept.journal)


def test_a_move_is_kept_in_the_one_way_it_is_written() -> None:
    kept = kept_table()
    assert kept.table.play(0, " +g s - l m ", 2) == [Played(0, "+GS-LM")]


def test_before_both_are_seated_nobody_moves() -> None:
    kept = kept_table(A_FREE_SEAT)
    assert refusal(kept.table.play, 0, "+S", 1).code == RefusalCode.NOT_STARTED


def test_before_the_deal_nobody_moves() -> None:
    kept = Kept()
    kept.happen([kept_table().journal[0].event])
    assert refusal(kept.table.play, 0, "+S", 1).code == RefusalCode.NOT_STARTED


def test_after_the_game_nobody_moves() -> None:
    kept = kept_table()
    kept.happen(kept.table.resign(1))
    assert refusal(kept.table.play, 0, "+S", 3).code == RefusalCode.GAME_OVER
    assert refusal(kept.table.play, 1, "+S", 2).code == RefusalCode.GAME_OVER


def test_out_of_turn_nobody_moves_whatever_they_have_seen() -> None:
    kept = kept_table()
    for seen in (0, 2, 99):
        assert refusal(kept.table.play, 1, "+S", seen).code == RefusalCode.NOT_YOUR_TURN


def test_a_move_chosen_before_the_game_changed_is_stale() -> None:
    kept = kept_table()
    kept.play("+S", "+G")
    refused = refusal(kept.table.play, 0, "+D", 3)
    assert (refused.code, refused.values) == (RefusalCode.STALE, {"seen": 3, "version": 4})


def test_a_move_chosen_before_the_deal_is_stale() -> None:
    refused = refusal(kept_table().table.play, 0, "+S", 1)
    assert (refused.code, refused.values) == (RefusalCode.STALE, {"seen": 1, "version": 2})


def test_who_only_left_or_came_back_makes_no_click_stale() -> None:
    kept = kept_table()
    kept.happen(kept.table.leave(1))
    kept.happen(kept.table.rejoin(1))
    kept.happen(kept.table.leave(0))
    assert kept.table.version == 5
    for seen in (2, 3, 4, 5):
        assert kept.table.play(0, "+S", seen) == [Played(0, "+S")]


def test_a_move_for_a_version_that_is_not_there_yet_is_ahead() -> None:
    refused = refusal(kept_table().table.play, 0, "+S", 3)
    assert (refused.code, refused.values) == (RefusalCode.AHEAD, {"seen": 3, "version": 2})


def test_a_stale_move_is_called_stale_and_not_illegal() -> None:
    kept = kept_table()
    kept.play("+S", "+G")
    assert refusal(kept.table.play, 0, "+S", 1).code == RefusalCode.STALE


@pytest.mark.parametrize("move", ["", "+", "G", "+X", "+G+G", "-", "+MG", "+" + "L" * 11, "++G"])
def test_what_is_no_move_cannot_be_read(move: str) -> None:
    refused = refusal(kept_table().table.play, 0, move, 2)
    assert refused.code == RefusalCode.UNREADABLE
    assert refused.values["problem"]


def test_what_is_no_move_cannot_be_read_at_any_time_by_anybody() -> None:
    over = kept_table()
    over.happen(over.table.resign(0))
    for table in (kept_table(A_FREE_SEAT).table, kept_table().table, over.table):
        for seat in (0, 1):
            for seen in (0, 2, 99):
                assert refusal(table.play, seat, "?", seen).code == RefusalCode.UNREADABLE


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unreadable_move_is_explained_all_in_the_readers_language(language: Language) -> None:
    refused = refusal(kept_table().table.play, 0, "xyz", 2)
    assert "Cards are" in str(refused.values["problem"])
    said = refused.sentence(Words(language))
    assert "Cards are" not in said
    assert "+DG-LM" in said


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
def test_of_two_things_against_a_move_the_first_in_the_order_of_codes_is_said(
    seat: Seat, move: str, seen: int, first: RefusalCode, later: RefusalCode
) -> None:
    codes = list(RefusalCode)
    assert codes.index(first) < codes.index(later)
    assert refusal(kept_table().table.play, seat, move, seen).code == first


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
def test_an_illegal_move_is_refused_with_the_reason_of_the_rules(move: str, rule: Rule) -> None:
    kept = kept_table()
    refused = refusal(kept.table.play, 0, move, 2)
    assert refused.reason is not None
    assert (refused.code, refused.reason.rule) == (RefusalCode.ILLEGAL, rule)
    assert refused.values == dict(refused.reason.values)


def test_a_refusal_of_the_rules_names_the_cards() -> None:
    refused = refusal(kept_table().table.play, 0, "+D", 2)
    assert refused.reason == Reason(Rule.NOT_IN_MARKET, {"kind": "D", "have": 0, "wanted": 1})
    assert refused.sentence(Words("en")) == "The market has 0 diamonds; you asked for 1."
    assert "diamants" in refused.sentence(Words("fr"))
    assert "diamanti" in refused.sentence(Words("it"))


def _not_started() -> Refused:
    return refusal(kept_table(A_FREE_SEAT).table.resign, 0)


def _game_over() -> Refused:
    kept = kept_table()
    kept.happen(kept.table.resign(0))
    return refusal(kept.table.resign, 1)


REFUSALS: dict[RefusalCode, Callable[[], Refused]] = {
    RefusalCode.NOT_INVITED: lambda: refusal(
        kept_table(A_FREE_SEAT).table.take_seat, "wrong", "mine", "Me"
    ),
    RefusalCode.SEAT_TAKEN: lambda: refusal(kept_table().table.take_seat, "wrong", "mine", "Me"),
    RefusalCode.NOT_STARTED: _not_started,
    RefusalCode.GAME_OVER: _game_over,
    RefusalCode.NOT_OVER: lambda: refusal(kept_table().table.offer_rematch, 0),
    RefusalCode.NOT_YOUR_TURN: lambda: refusal(kept_table().table.play, 1, "+S", 2),
    RefusalCode.STALE: lambda: refusal(kept_table().table.play, 0, "+S", 1),
    RefusalCode.AHEAD: lambda: refusal(kept_table().table.play, 0, "+S", 99),
    RefusalCode.UNREADABLE: lambda: refusal(kept_table().table.play, 0, "{seen} {", 2),
    RefusalCode.ILLEGAL: lambda: refusal(kept_table().table.play, 0, "-G", 2),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_is_one_sentence_in_every_language(
    code: RefusalCode, language: Language
) -> None:
    refused = REFUSALS[code]()
    assert refused.code == code
    said = refused.sentence(Words(language))
    assert said[0].isupper()
    assert "\n" not in said
    if code in (RefusalCode.STALE, RefusalCode.AHEAD):
        assert all(str(value) in said for value in refused.values.values())
    assert language == "en" or said != refused.sentence(Words("en"))


def test_asking_why_not_says_the_same_and_plays_nothing() -> None:
    kept = kept_table()
    for seat, move in ((0, "-G"), (0, "+D"), (1, "+S"), (0, "?")):
        why_not = kept.table.why_not(seat, move)
        assert why_not is not None
        said = refusal(kept.table.play, seat, move, 2)
        assert (why_not.code, why_not.values) == (said.code, said.values)
        assert why_not.reason == said.reason
    assert kept.table == Table.replay(kept.table.id, kept.journal)


def test_nothing_speaks_against_a_move_that_can_be_played() -> None:
    kept = kept_table()
    assert kept.table.why_not(0, "+S") is None
    assert kept.table == Table.replay(kept.table.id, kept.journal)


def test_asking_why_not_is_about_now_and_not_about_a_move_played_before() -> None:
    kept = kept_table()
    kept.play("+S")
    why_not = kept.table.why_not(0, "+S")
    assert why_not is not None
    assert why_not.code == RefusalCode.NOT_YOUR_TURN


def test_on_one_screen_whoever_is_to_move_means_the_move() -> None:
    kept = kept_table(ONE_SCREEN)
    assert kept.table.mover((0, 1), parse_move("+S"), 2) == 0
    kept.play("+S")
    assert kept.table.mover((0, 1), parse_move("+D"), 3) == 1


@pytest.mark.parametrize("again", ["+S", " + s "])
def test_on_one_screen_a_move_sent_again_is_its_own_though_the_others_turn_has_come(
    again: str,
) -> None:
    kept = kept_table(ONE_SCREEN)
    kept.play("+S")
    assert kept.table.turn == 1
    seat = kept.table.mover((0, 1), parse_move(again), 2)
    assert (seat, repeated_version(kept, seat, again, 2)) == (0, 3)


def test_on_one_screen_a_move_sent_again_is_its_own_after_the_others_reply() -> None:
    kept = kept_table(ONE_SCREEN)
    kept.play("+S", "+D")
    assert kept.table.turn == 0
    assert kept.table.mover((0, 1), parse_move("+D"), 3) == 1
    assert kept.table.mover((0, 1), parse_move("+S"), 2) == 0
    assert repeated_version(kept, 1, "+D", 3) == 4
    assert repeated_version(kept, 0, "+S", 2) == 3


def test_on_one_screen_the_version_tells_whose_move_it_is_when_both_played_the_same() -> None:
    kept = kept_table(ONE_SCREEN, deal=dealt("DDLSM CCPPL GG"))
    kept.play("+G", "+G")
    assert [kept.table.mover((0, 1), parse_move("+G"), seen) for seen in (2, 3, 4)] == [0, 1, 0]
    kept = kept_table(ONE_SCREEN, deal=dealt("DDLSM CCPPL GG"))
    kept.play("+G")
    assert kept.table.mover((0, 1), parse_move("+G"), 3) == 1
    assert kept.table.play(1, "+G", 3) == [Played(1, "+G")]


def test_on_one_screen_another_move_for_an_old_version_is_not_taken_for_the_one_played() -> None:
    kept = kept_table(ONE_SCREEN)
    kept.play("+S")
    seat = kept.table.mover((0, 1), parse_move("+G"), 2)
    assert (seat, refusal(kept.table.play, seat, "+G", 2).code) == (1, RefusalCode.STALE)


def test_on_one_screen_a_move_sent_again_is_its_own_when_the_game_is_over() -> None:
    kept = kept_table(ONE_SCREEN)
    kept.play("+S", "+D")
    kept.happen(kept.table.resign(0))
    assert kept.table.mover((0, 1), parse_move("+D"), 3) == 1
    seat = kept.table.mover((0, 1), parse_move("+G"), 4)
    assert refusal(kept.table.play, seat, "+G", 4).code == RefusalCode.GAME_OVER


@pytest.mark.parametrize("seat", [0, 1])
def test_who_has_one_seat_means_it_whoever_is_to_move(seat: Seat) -> None:
    kept = kept_table()
    assert kept.table.mover((seat,), parse_move("+S"), 2) == seat
    kept.play("+S")
    assert kept.table.mover((seat,), parse_move("+S"), 2) == seat


@pytest.mark.parametrize("again", ["+GS-LM", "+gs-lm", " + G S - L M "])
def test_the_same_move_for_the_same_version_is_played_once(again: str) -> None:
    kept = kept_table()
    kept.play("+GS-LM")
    assert repeated_version(kept, 0, again, 2) == 3


def test_a_move_is_known_again_after_the_others_reply() -> None:
    kept = kept_table()
    kept.play("+S", "+G")
    assert repeated_version(kept, 0, "+S", 2) == 3


def test_a_move_is_known_again_whichever_of_the_versions_it_could_be_chosen_at_is_named() -> None:
    kept = kept_table()
    kept.happen(kept.table.leave(1))
    kept.play("+S")
    assert [repeated_version(kept, 0, "+S", seen) for seen in (2, 3)] == [4, 4]
    assert refusal(kept.table.play, 0, "+S", 1).code == RefusalCode.NOT_YOUR_TURN
    assert refusal(kept.table.play, 0, "+S", 4).code == RefusalCode.NOT_YOUR_TURN


def test_a_move_is_known_again_when_the_game_is_over() -> None:
    kept = kept_table()
    kept.play("+S")
    kept.happen(kept.table.resign(1))
    assert repeated_version(kept, 0, "+S", 2) == 3


def test_the_last_move_of_a_round_is_known_again_after_the_next_deal() -> None:
    kept = kept_table()
    kept.finish_round()
    last = kept.journal[-1]
    assert isinstance(last.event, Played)
    kept.advance()
    assert kept.table.version == last.version + 1
    again = repeated_version(kept, last.event.seat, last.event.move, last.version - 1)
    assert again == last.version
    assert kept.table.game.running is not None


def test_a_move_chosen_between_two_rounds_is_stale() -> None:
    kept = kept_table()
    kept.finish_round()
    before = kept.table.version
    kept.advance()
    turn = kept.table.turn
    assert turn is not None
    assert refusal(kept.table.play, turn, "+M", before).code == RefusalCode.STALE


def test_another_move_for_an_old_version_is_refused() -> None:
    kept = kept_table()
    kept.play("+S")
    assert refusal(kept.table.play, 0, "+G", 2).code == RefusalCode.NOT_YOUR_TURN
    kept.play("+D")
    assert refusal(kept.table.play, 0, "+G", 2).code == RefusalCode.STALE


def test_the_same_move_for_a_later_version_is_a_move_of_its_own() -> None:
    kept = kept_table(deal=dealt("DDGLM CCPPL GG"))
    kept.play("+G", "+D")
    assert kept.table.play(0, "+G", 4) == [Played(0, "+G")]


def test_the_move_before_the_last_is_not_played_again_either() -> None:
    kept = kept_table(deal=dealt("DDGLM CCPPL GG"))
    kept.play("+G", "+D", "+G", "+D")
    assert refusal(kept.table.play, 0, "+G", 2).code == RefusalCode.STALE
    assert repeated_version(kept, 0, "+G", 4) == 5


def test_the_others_move_is_not_mistaken_for_ones_own() -> None:
    kept = kept_table(deal=dealt("DDGLM CCPPL GG"))
    kept.play("+G")
    assert refusal(kept.table.play, 1, "+G", 2).code == RefusalCode.STALE
