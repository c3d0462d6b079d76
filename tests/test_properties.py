"""Laws for every position: no card is lost, `why_not` and the list of moves agree, and views hide hidden cards.

Rounds are played from drawn deals by moves picked at random; rich tables are laid out without having been played.
"""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from jaipur.notation import write_view
from jaipur.notation.drawing import read_drawing
from jaipur.rules import Deal, Game, Herds, Move, Pile, Position, Seat, deal_unseen, new_round
from jaipur.rules.cards import (
    CAMEL,
    CAMEL_SHIFT,
    COPIES,
    KINDS,
    LETTERS,
    Kind,
    PileCode,
    cards_in,
    pile_of,
    total,
)
from jaipur.rules.listing import MOST_MOVES
from jaipur.rules.moves import conceivable_moves
from jaipur.rules.setup import shuffle
from jaipur.rules.tokens import BONUS_ROW, BONUS_TOKENS, GOODS_TOKENS, bonus_values

CONCEIVABLE = list(conceivable_moves())
KINDS_OF_MOVES = ("good", "camels", "exchange", "sale")
LONGEST_ROUND = 120
"""The most moves of a generated round: exchanges could repeat without limit."""

seeds = st.integers(0, 2**32 - 1)
seats = st.sampled_from((0, 1))
herd_rules: st.SearchStrategy[Herds] = st.sampled_from(("open", "hidden"))


def examples(number: int) -> settings:
    """Settings for this many examples without a deadline, because the machine may be busy."""
    return settings(max_examples=number, deadline=None)


def round_of(seed: int, limit: int = LONGEST_ROUND) -> list[Position]:
    """The positions of a random round; sales, takes and exchanges are equally frequent."""
    rng = Random(seed)
    played = [new_round(Deal.shuffled(rng))]
    for _ in range(limit):
        moves = played[-1].legal_moves()
        if not moves:
            break
        kind = rng.choice(sorted({kind_of(move) for move in moves}))
        after = played[-1].copy()
        after.play(rng.choice([move for move in moves if kind_of(move) == kind]))
        played.append(after)
    return played


def kind_of(move: Move) -> str:
    if not move.taken:
        return "sale"
    if move.given:
        return "exchange"
    return "camels" if move.taken >> CAMEL_SHIFT else "good"


rounds = seeds.map(round_of)
positions = rounds.flatmap(st.sampled_from)


@st.composite
def rich_tables(draw_from: st.DrawFn) -> Position:
    """A table with a full hand and a herd, for the largest choice of moves; play may never reach it."""
    pack = (kind for kind in KINDS for _ in range(COPIES[kind]) if kind != CAMEL)
    goods = "".join(LETTERS[card] for card in shuffle(pack, Random(draw_from(seeds))))
    camels = draw_from(st.sampled_from((0, 0, 0, 1, 2)))
    return read_drawing(f"""
          deck    {goods[12:40]}
          market  {goods[: 5 - camels]} {"M" * camels}
        > seat 0  hand {goods[5 : draw_from(st.integers(9, 12))]} | herd {draw_from(st.integers(0, 6))}
    """)


any_table = st.one_of(positions, rich_tables())


def cards_of(position: Position) -> Counter[int]:
    piles = (position.market, position.discard, *position.holdings)
    return Counter(position.deck_left()) + Counter(c for pile in piles for c in cards_in(pile))


def tokens_of(position: Position) -> tuple[Counter[int], Counter[int]]:
    """All goods tokens by kind and all bonus tokens by value, in piles and with traders."""
    goods = Counter(
        {g: len(pile) - position.tokens_taken[g] for g, pile in enumerate(GOODS_TOKENS)}
    )
    bonuses = Counter(value for pile in range(3) for value in position.bonus_left(pile))
    for seat in (0, 1):
        goods += Counter(cards_in(position.goods_tokens[seat]))
        bonuses += Counter(bonus_values(position.bonuses[seat]))
    return goods, bonuses


def test_there_are_25499_conceivable_moves() -> None:
    assert len(set(CONCEIVABLE)) == len(CONCEIVABLE) == 25_499
    kinds = Counter(kind_of(move) for move in CONCEIVABLE)
    assert kinds == Counter(exchange=25_456, sale=36, good=6, camels=1)


def test_every_conceivable_move_has_its_own_code() -> None:
    assert [Move.from_code(move.code) for move in CONCEIVABLE] == CONCEIVABLE
    assert len({move.code for move in CONCEIVABLE}) == len(CONCEIVABLE)


@examples(200)
@given(rounds)
def test_all_55_cards_are_always_on_the_table(played: list[Position]) -> None:
    for position in played:
        assert cards_of(position) == Counter(dict(enumerate(COPIES)))


@examples(200)
@given(rounds)
def test_all_56_tokens_are_always_on_the_table(played: list[Position]) -> None:
    for position in played:
        goods, bonuses = tokens_of(position)
        assert goods == Counter({good: len(pile) for good, pile in enumerate(GOODS_TOKENS)})
        assert bonuses == Counter(value for pile in BONUS_TOKENS for value in pile)


@examples(200)
@given(rounds)
def test_goods_rupees_are_what_the_taken_tokens_pay(played: list[Position]) -> None:
    for position in played:
        taken = [pile[: position.tokens_taken[good]] for good, pile in enumerate(GOODS_TOKENS)]
        assert sum(position.rupees) == sum(map(sum, taken))


@examples(200)
@given(rounds)
def test_hands_hold_at_most_seven_goods_and_a_running_market_five_cards(
    played: list[Position],
) -> None:
    for position in played:
        for seat in (0, 1):
            hand = list(cards_in(position.hand(seat)))
            assert len(hand) <= 7
            assert Counter(cards_in(position.shown[seat])) <= Counter(hand)
        if not position.ended:
            assert len(list(cards_in(position.market))) == 5


@examples(200)
@given(rounds)
def test_there_is_always_a_legal_move_during_a_round(played: list[Position]) -> None:
    for position in played:
        assert bool(position.legal_moves()) == (not position.ended)


@examples(600)
@given(any_table)
def test_moves_are_listed_without_duplicates_in_a_fixed_order(position: Position) -> None:
    moves = position.legal_moves()
    assert len(moves) <= MOST_MOVES
    places = [place_in_list(move) for move in moves]
    assert places == sorted(set(places))


def place_in_list(move: Move) -> tuple[int, int, PileCode, int, PileCode]:
    """The sort key of the list: kind of move, size, cards taken, most camels first, cards given."""
    camels = move.given >> CAMEL_SHIFT
    return KINDS_OF_MOVES.index(kind_of(move)), total(move.taken), move.taken, -camels, move.given


@examples(100)
@given(any_table)
def test_a_conceivable_move_is_legal_exactly_when_it_is_listed(position: Position) -> None:
    legal = {move for move in CONCEIVABLE if position.why_not(move) is None}
    assert legal == set(position.legal_moves())


piles = st.lists(st.sampled_from(KINDS), max_size=6).map(pile_of)


@examples(1000)
@given(any_table, piles, piles)
def test_any_move_is_legal_exactly_when_it_is_listed(
    position: Position, taken: PileCode, given_up: PileCode
) -> None:
    move = Move(Pile(taken), Pile(given_up))
    assert (position.why_not(move) is None) == (move in position.legal_moves())


@examples(300)
@given(any_table, st.sampled_from(KINDS))
def test_a_legal_move_plus_one_card_is_legal_exactly_when_it_is_listed(
    position: Position, card: Kind
) -> None:
    legal = position.legal_moves()
    one = 1 << 4 * card
    for move in legal:
        taken, given_up = Pile(move.taken + one), Pile(move.given + one)
        for longer in (Move(taken, move.given), Move(move.taken, given_up)):
            assert (position.why_not(longer) is None) == (longer in legal)


@examples(200)
@given(positions)
def test_a_drawing_is_read_back_as_the_same_position(position: Position) -> None:
    assert read_drawing(str(position)) == position


@examples(200)
@given(positions)
def test_playing_on_a_copy_does_not_change_the_position(position: Position) -> None:
    drawn = str(position)
    for move in position.legal_moves():
        position.copy().play(move)
    assert str(position) == drawn


@examples(150)
@given(seeds)
def test_the_same_moves_from_the_same_deal_reach_the_same_position(seed: int) -> None:
    deal = Deal.shuffled(Random(seed))
    first, again = Game(), Game()
    rng = Random(seed)
    running = first.start(deal)
    while len(running.moves) < LONGEST_ROUND and (moves := first.legal_moves()):
        first.play(rng.choice(moves))
    again.start(deal)
    for move in running.moves:
        again.play(move)
    assert again.rounds[0].position == running.position
    assert again.rounds[0].result == running.result


@examples(400)
@given(positions, seats, herd_rules, st.tuples(seats, seats), seeds)
def test_positions_that_differ_only_in_hidden_cards_have_equal_views(
    position: Position, seat: Seat, herds: Herds, seals: tuple[int, int], seed: int
) -> None:
    view = position.view(seat, herds, seals)
    secrets_changed = with_other_secrets(position, seat, Random(seed))
    seen_again = secrets_changed.view(seat, herds, seals)
    assert seen_again == view
    assert write_view(seen_again) == write_view(view)
    assert str(seen_again) == str(view)


def with_other_secrets(position: Position, seat: Seat, rng: Random) -> Position:
    """The same position with everything hidden from a seat shuffled, independently of `deal_unseen`."""
    other = 1 - seat
    text = str(position)
    mixed = read_drawing(text)
    hidden = list(mixed.hand(other).minus(mixed.shown[other]))
    unseen = shuffle(hidden + mixed.deck_left(), rng)
    # Goods first, so that no camel gets into the hand; the stable sort keeps the shuffled order.
    unseen.sort(key=lambda card: card == CAMEL)
    mixed.holdings[other] += pile_of(unseen[: len(hidden)]) - pile_of(hidden)
    mixed.deck[mixed.drawn :] = shuffle(unseen[len(hidden) :], rng)
    for pile, tokens in enumerate(BONUS_TOKENS):
        held = [value for value in bonus_values(mixed.bonuses[other]) if value in tokens]
        # After the round the tokens of the other trader are known.
        theirs = [] if mixed.ended else held
        left = shuffle(theirs + mixed.bonus_left(pile), rng)
        last = BONUS_ROW * pile + len(tokens)
        mixed.bonus[last - len(left) + len(theirs) : last] = left[len(theirs) :]
        mixed.bonuses[other] += sum(1 << 4 * value for value in left[: len(theirs)])
        mixed.bonuses[other] -= sum(1 << 4 * value for value in theirs)
    return mixed


@examples(400)
@given(positions, seats, herd_rules, st.tuples(seats, seats), seeds)
def test_determinizations_have_the_same_view(
    position: Position, seat: Seat, herds: Herds, seals: tuple[int, int], seed: int
) -> None:
    view = position.view(seat, herds, seals)
    rng = Random(seed)
    for again in (deal_unseen(view, rng), deal_unseen(view, rng)):
        seen_again = again.view(seat, herds, seals)
        assert seen_again == view
        assert write_view(seen_again) == write_view(view)
        assert cards_of(again) == cards_of(position)
        assert tokens_of(again) == tokens_of(position)
        if position.turn == seat:
            assert again.legal_moves() == position.legal_moves()


@examples(100)
@given(seeds, seats)
def test_two_determinizations_differ(seed: int, seat: Seat) -> None:
    view = round_of(seed, 1)[0].view(seat)
    rng = Random(seed)
    assert deal_unseen(view, rng) != deal_unseen(view, rng)
