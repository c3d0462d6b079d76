"""Every rule that a move can break, with its sentence."""

import pytest

from jaipur.rules import Move, Pile, Rule
from tables import refused, table

TABLE = """
      deck    L L L
      market  D D G L M
    > seat 0  hand G S C L L | herd 1
"""
OVER = TABLE + "round ended deck"
WITHOUT_CAMELS = "market DDGGL"
FULL_HAND = """
      market  D D G L M
    > seat 0  hand G S C C P L L | herd 2
"""

WAY_OUT = "Sell first, or give goods instead of camels."
CASES = [
    (Rule.ROUND_OVER, OVER, "+D", "The round is over."),
    (Rule.EMPTY_MOVE, TABLE, "", "A turn takes cards or sells cards; this does neither."),
    (
        Rule.CAMELS_ALONE,
        TABLE,
        "+DM-CL",
        "Camels are taken on their own, never together with goods and never for cards.",
    ),
    (
        Rule.CAMELS_AS_ONE,
        TABLE,
        "+MM",
        "All camels of the market are taken at once; write +M, however many they are.",
    ),
    (Rule.NO_CAMELS_IN_MARKET, WITHOUT_CAMELS, "+M", "There is no camel in the market."),
    (Rule.NOT_IN_MARKET, TABLE, "+S", "The market has no silver."),
    (Rule.NOT_IN_MARKET, TABLE, "+DDD-CLL", "The market has 2 diamonds; you asked for 3."),
    (
        Rule.ONE_GOOD,
        TABLE,
        "+DDG",
        "Only one good is free; for 3, give 3 cards.",
    ),
    (
        Rule.ONE_FOR_ONE,
        TABLE,
        "+D-L",
        "One for one is not allowed. Take another good and give another card, or give nothing.",
    ),
    (
        Rule.UNEVEN_EXCHANGE,
        TABLE,
        "+DD-CLM",
        "You would take 2 and give 3; give as many cards as you take.",
    ),
    (
        Rule.SAME_KIND,
        TABLE,
        "+DG-GL",
        "You cannot take and give gold in one exchange; give another kind.",
    ),
    (
        Rule.CAMELS_NOT_SOLD,
        TABLE,
        "-M",
        "Camels are not sold; they pay in an exchange. Take two goods or more from the market for them.",
    ),
    (
        Rule.ONE_KIND_A_SALE,
        TABLE,
        "-CLL",
        (
            "A sale is of one kind, not cloth and leather. "
            "To exchange them, take as many goods from the market."
        ),
    ),
    (
        Rule.NOT_IN_HAND,
        TABLE,
        "-LLL",
        "Your hand has 2 leather; this would give 3.",
    ),
    (
        Rule.NOT_IN_HAND,
        TABLE,
        "+DD-PP",
        "You have no spice in your hand.",
    ),
    (Rule.NOT_IN_HERD, TABLE, "+DD-MM", "Camels in your herd: 1; you would give 2."),
    (
        Rule.TWO_PRECIOUS,
        TABLE,
        "-S",
        "Diamonds, gold and silver are sold two or more at a time; one alone can only pay in an exchange.",
    ),
    (Rule.HAND_LIMIT, FULL_HAND, "+D", f"You would hold 8 goods; the limit is 7. {WAY_OUT}"),
    (Rule.HAND_LIMIT, FULL_HAND, "+DD-MM", f"You would hold 9 goods; the limit is 7. {WAY_OUT}"),
]


@pytest.mark.parametrize(("rule", "drawing", "text", "sentence"), CASES)
def test_a_refusal_names_the_rule_and_the_cards(
    rule: Rule, drawing: str, text: str, sentence: str
) -> None:
    reason = refused(table(drawing), Move.parse(text) if text else Move(Pile(), Pile()))
    assert reason.rule == rule
    assert str(reason) == sentence


def test_every_rule_refuses_some_move() -> None:
    assert {rule for rule, *_ in CASES} == set(Rule)


def test_a_move_that_breaks_several_rules_is_refused_by_the_first() -> None:
    # Two silver are not in the market, the exchange is uneven, and the hand is full.
    assert refused(table(FULL_HAND), "+SS-M").rule == Rule.NOT_IN_MARKET
    assert refused(table(OVER), "-M").rule == Rule.ROUND_OVER


def test_wrong_cards_are_reported_before_a_wrong_number_of_cards() -> None:
    assert refused(table(TABLE), "+DG-G").rule == Rule.SAME_KIND
    assert refused(table(TABLE), "+L-L").rule == Rule.SAME_KIND
    assert refused(table(FULL_HAND), "+DD-M").rule == Rule.HAND_LIMIT
    assert refused(table(FULL_HAND), "+DD-C").rule == Rule.UNEVEN_EXCHANGE


def test_the_values_of_a_reason_are_numbers_and_letters_for_other_languages() -> None:
    reason = refused(table(TABLE), "-LLL")
    assert reason.values == {"kind": "L", "have": 2, "wanted": 3}
