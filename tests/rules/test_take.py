"""Taking one good from the market."""

from jaipur.rules import Card, Move, Pile, Rule
from jaipur.rules.cards import letters_of
from tables import allowed, played, refused, table

TABLE = table("""
      deck    S P
      market  D G L L M
    > seat 0  hand C L
      seat 1  hand P
""")


def test_one_good_goes_from_the_market_into_the_hand() -> None:
    after = played(TABLE, "+D")
    assert letters_of(after.hand(0)) == "DCL"
    assert "D" not in letters_of(after.market)


def test_the_top_card_of_the_deck_takes_the_place_of_the_good() -> None:
    after = played(TABLE, "+D")
    assert letters_of(after.market) == "GSLLM"
    assert after.deck_left() == [Card.SPICE]


def test_only_a_good_of_the_market_can_be_taken() -> None:
    assert refused(TABLE, "+S").rule == Rule.NOT_IN_MARKET
    takes = [text for text in ("+D", "+G", "+S", "+C", "+P", "+L") if allowed(TABLE, text)]
    assert takes == ["+D", "+G", "+L"]


def test_without_giving_cards_only_one_good_is_taken() -> None:
    assert refused(TABLE, "+LL").rule == Rule.ONE_GOOD
    assert refused(TABLE, "+DG").rule == Rule.ONE_GOOD


def test_a_turn_takes_or_sells_and_never_both() -> None:
    rich = table("""
          market  D G S L M
        > seat 0  hand C C C L
    """)
    assert refused(rich, "+D-CCC").rule == Rule.UNEVEN_EXCHANGE
    assert refused(rich, "+M-CCC").rule == Rule.CAMELS_ALONE
    for legal in rich.legal_moves():
        sold = not legal.taken
        assert sold == (played(rich, str(legal)).discard != rich.discard)


def test_passing_is_illegal() -> None:
    assert refused(TABLE, Move(Pile(), Pile())).rule == Rule.EMPTY_MOVE


def test_after_a_move_it_is_the_other_traders_turn() -> None:
    after = played(TABLE, "+D")
    assert (after.turn, after.moves_played) == (1, TABLE.moves_played + 1)
    again = played(after, "-P")
    assert (again.turn, again.moves_played) == (0, TABLE.moves_played + 2)
