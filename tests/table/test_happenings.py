"""What both players see when a move is played, and what only the owner of a bonus token sees."""

from jaipur.rules import Position, Seat
from jaipur.table.happenings import (
    AnyHappening,
    Gave,
    Refilled,
    RoundEnded,
    Sold,
    Took,
    TookBonus,
    happenings_of,
)
from tables import move, played, table

TABLE = table("""
      deck    S P
      market  D G L M M
      bonus   3: 2 1
      tokens  D - | G -
    > seat 0  hand C C C L | herd 1 | bonus 3
""")


def seen(position: Position, text: str, seat: Seat = 0) -> list[AnyHappening]:
    return happenings_of(position, move(text), played(position, text), seat)


def test_a_taken_good_and_its_replacement_are_seen() -> None:
    assert seen(TABLE, "+D") == [Took(0, "D"), Refilled("S")]


def test_all_camels_taken_are_seen() -> None:
    assert seen(TABLE, "+M") == [Took(0, "MM"), Refilled("SP")]


def test_both_sides_of_an_exchange_are_seen_without_a_refill() -> None:
    assert seen(TABLE, "+DG-CM") == [Took(0, "DG"), Gave(0, "CM")]


def test_sold_cards_and_their_tokens_are_seen() -> None:
    assert seen(TABLE, "-CC") == [Sold(0, "CC", (5, 3))]


def test_a_sale_takes_only_the_tokens_that_are_left() -> None:
    poor = table("""
          tokens  C 1
        > seat 0  hand C C
    """)
    assert seen(poor, "-CC") == [Sold(0, "CC", (1,))]


def test_only_its_owner_sees_the_value_of_a_bonus_token() -> None:
    sale = Sold(0, "CCC", (5, 3, 3))
    assert seen(TABLE, "-CCC", 0) == [sale, TookBonus(0, "3", 2)]
    assert seen(TABLE, "-CCC", 1) == [sale, TookBonus(0, "3", None)]


def test_an_empty_bonus_pile_gives_no_token() -> None:
    no_bonus = table("""
          bonus   3: -
        > seat 0  hand C C C
    """)
    assert seen(no_bonus, "-CCC") == [Sold(0, "CCC", (5, 3, 3))]


def test_the_end_of_the_round_reveals_the_bonus_token_and_the_result() -> None:
    last = table("""
          bonus   3: 2 1
          tokens  D - | G - | C 1 1
        > seat 0  hand C C C L | herd 1
    """)
    assert seen(last, "-CCC", 1) == [
        Sold(0, "CCC", (1, 1)),
        TookBonus(0, "3", 2),
        RoundEnded("goods", 0, (1 + 1 + 2 + 5, 0), 0),
    ]


def test_a_refill_that_does_not_fill_the_market_is_seen() -> None:
    last = table("""
          deck    S
          market  D G L M M
        > seat 1  hand C
    """)
    assert seen(last, "+M") == [
        Took(1, "MM"),
        Refilled("S"),
        RoundEnded("deck", 1, (0, 5), 1),
    ]


def test_nothing_is_refilled_from_an_empty_deck() -> None:
    last = table("""
          market  D G L M M
        > seat 0  hand C
    """)
    assert seen(last, "+D") == [
        Took(0, "D"),
        RoundEnded("deck", None, (0, 0), None),
    ]
