"""The parts of the text game on their own: what is typed, and where the cards of the market lie."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from jaipur.rules import LETTERS, Deal, Game, NotationError, letters_of, pile_of
from jaipur.rules.cards import NO_CARD
from jaipur.terminal.chronicle import chronicle
from jaipur.terminal.entry import Command, in_order, understand, yes_or_no
from jaipur.terminal.face import Plain
from jaipur.terminal.screen import HEIGHT, WIDTH, Screen
from jaipur.terminal.seating import LONGEST_THOUGHT, PERSON, Seating, seating_from
from jaipur.terminal.sight import sight_of
from jaipur.terminal.start import Options, play
from jaipur.terminal.store import Store
from jaipur.terminal.table import table_rows
from jaipur.words import LANGUAGES, Language, Words

FIRST_LOCK = "game.jaipur.lock"


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("+g", "+G"),
        (" + M ", "+M"),
        ("+gd-ml", "+DG-LM"),
        ("-ml +gd", "+DG-LM"),
        ("−lll", "-LLL"),
        ("–CC", "-CC"),
    ],
)
def test_moves_are_read_as_people_type_them(typed: str, move: str) -> None:
    assert str(understand(typed, Words())) == move


@pytest.mark.parametrize(
    "typed", ["", "+", "g", "+x", "+g+d", "-l-l", "+-", "12345678", "1.5", "++g"]
)
def test_what_is_no_move_is_not_read(typed: str) -> None:
    with pytest.raises(NotationError):
        understand(typed, Words())


def test_what_cannot_be_sorted_stays_as_it_was_typed() -> None:
    assert in_order("+ x g") == "+ x g"


def test_commands_are_understood_in_the_language_and_in_english() -> None:
    assert understand("Sauver  ma partie.jsonl ", Words("fr")) == Command("save", "ma partie.jsonl")
    assert understand("save x", Words("fr")) == Command("save", "x")
    assert understand("?", Words("it")) == Command("help")
    assert understand("12", Words("it")) == 12


def test_answers_are_understood_in_the_language_and_in_english() -> None:
    for usual in (True, False):
        answers = [yes_or_no(said, Words("fr"), usual) for said in ("O", "yes", "", "non", "quoi")]
        assert answers == [True, True, usual, False, None]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_fits_in_eighty_columns(
    language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    Plain(Screen(plain=True), Words(language), secret=False).help()
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > WIDTH] == []


@pytest.mark.parametrize("seed", range(5))
def test_cards_of_the_market_stay_in_their_places(seed: int) -> None:
    rng = Random(seed)
    game = Game()
    played = game.start(Deal.shuffled(rng))
    before = chronicle(played, 0).places
    while played.result is None:
        move = rng.choice(game.legal_moves())
        camels = move.taken >> 24
        game.play(move)
        now = chronicle(played, 0)
        assert letters_of(pile_of(kind for kind in now.places if kind != NO_CARD)) == letters_of(
            played.position.market
        )
        stayed = [place for place in range(5) if now.places[place] == before[place]]
        left = before.count(LETTERS.index("M")) if camels else len(letters_of(move.taken))
        assert len(stayed) >= 5 - left
        before = now.places


def test_news_too_long_for_the_table_push_nothing_off_the_screen() -> None:
    game = Game()
    game.start(Deal.shuffled(Random(1)))
    sight = replace(sight_of(game, 0, ("A", "B"), Words()), news=["old " * 30, "new " * 30])
    rows = table_rows(sight, Words(), HEIGHT, "note " * 10)
    assert len(rows) < HEIGHT
    assert any("new" in row.plain for row in rows)


def test_a_place_whose_lock_cannot_be_opened_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / FIRST_LOCK).mkdir()
    first = tmp_path / "game.jaipur.jsonl"
    first.write_text("kept")
    store = Store(tmp_path)
    store.claim()
    store.keep("new")
    store.release()
    assert store.kept != first
    assert first.read_text() == "kept"


def test_a_game_that_cannot_be_read_is_left_where_it_is(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.kept.mkdir()
    store.claim()
    with pytest.raises(OSError, match="directory"):
        store.load()
    store.pass_over()
    assert store.load() is None
    store.keep("new")
    store.release()
    assert store.kept == tmp_path / "game-2.jaipur.jsonl"


def test_where_no_place_can_be_claimed_no_game_is_written_over(tmp_path: Path) -> None:
    stores = [Store(tmp_path) for _ in range(98)]
    for store in stores:
        store.claim()
        store.kept.write_text("kept")
    late = Store(tmp_path)
    with pytest.raises(OSError, match="busy"):
        late.claim()
    with pytest.raises(OSError, match="busy"):
        late.keep("new")
    assert all(store.load() == b"kept" for store in stores)
    for store in stores:
        store.release()


@pytest.mark.parametrize(
    "wrong",
    [{"seed": "\udcff"}, {"milliseconds": 10**400}, {"milliseconds": 0}, {"first": 2}],
)
def test_a_seating_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    seating = Seating((PERSON, "greedy"), seed="é", milliseconds=LONGEST_THOUGHT)
    assert seating_from({"play": seating.as_data()}) == seating
    with pytest.raises(NotationError):
        seating_from({"play": seating.as_data() | wrong})


def test_without_an_input_nobody_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert play(Options(), {}) == 2
    assert capsys.readouterr().err == Words().say("closed") + "\n"
