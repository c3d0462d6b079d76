"""The layout on terminals of different sizes: the drawn table, its panel, and lists in pages."""

import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from jaipur.rules import Deal, Game
from jaipur.rules.cards import LETTERS, NO_CARD, letters_of, pile_of
from jaipur.terminal.renderer import PlainRenderer
from jaipur.terminal.screen import HEIGHT, WIDTH, Screen
from jaipur.terminal.table_drawing import draw_table
from jaipur.terminal.view_model import view_model_of
from jaipur.words import LANGUAGES, Language, Words
from terminal.driver import CTRL_C, PROMPT, Terminal, listed_moves, play_piped

MANY_MOVES = Path(__file__).parent.parent / "fixtures" / "terminal" / "many_moves.jsonl"
"""A save in which the player has 142 moves."""
ALL_MOVES = list(range(1, 143))


@pytest.fixture
def many_moves(tmp_path: Path) -> Path:
    shutil.copy(MANY_MOVES, tmp_path / "game.jaipur.jsonl")
    return tmp_path


def read_pages(terminal: Terminal, key: bytes) -> list[str]:
    """The pages of the list of moves, each opened with a key."""
    terminal.wait_for(PROMPT)
    terminal.type("moves")
    pages = []
    while terminal.wait_for("Page ", "Type a number") == "Page ":
        terminal.wait_for(PROMPT)
        pages.append(terminal.new)
        terminal.press(key)
    terminal.wait_for(PROMPT)
    return [*pages, terminal.new]


@pytest.mark.parametrize(
    ("arguments", "columns", "rows", "key"),
    [((), 80, 24, b" "), ((), 60, 20, b"\r"), (("--plain",), 80, 24, b" "), ((), 130, 24, b"\r")],
)
def test_a_list_of_moves_longer_than_the_screen_is_shown_in_pages(
    arguments: tuple[str, ...], columns: int, rows: int, key: bytes, many_moves: Path
) -> None:
    with Terminal(many_moves, "--resume", *arguments, rows=rows, columns=columns) as terminal:
        pages = read_pages(terminal, key)
        assert len(pages) > 1
        # The first line is the echo of what was typed.
        assert all(len(page.splitlines()[1:]) <= rows for page in pages)
        numbers = [number for page in pages for number, _ in listed_moves(page)]
        assert sorted(numbers) == ALL_MOVES
        terminal.type("142")
        terminal.wait_for("You sold 2 leather")


def test_q_leaves_the_pages_and_shows_the_table(many_moves: Path) -> None:
    with Terminal(many_moves, "--resume") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("moves")
        terminal.wait_for(PROMPT)
        terminal.type("q")
        terminal.wait_for("╭─ ")
        terminal.wait_for(PROMPT)
        terminal.type("+d")
        terminal.wait_for("You took 1 diamond")


def test_a_number_typed_on_a_page_plays_its_move(many_moves: Path) -> None:
    with Terminal(many_moves, "--resume") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("moves")
        terminal.wait_for("Page 1 of")
        terminal.wait_for(PROMPT)
        terminal.type("142")
        terminal.wait_for("You sold 2 leather")


def test_a_command_typed_on_a_page_is_obeyed(many_moves: Path) -> None:
    with Terminal(many_moves, "--resume") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("moves")
        terminal.wait_for("Page 1 of")
        terminal.wait_for(PROMPT)
        terminal.type("quit")
        assert terminal.end() == 0


def test_ctrl_c_on_a_page_leaves_the_game(many_moves: Path) -> None:
    with Terminal(many_moves, "--resume") as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("moves")
        terminal.wait_for("Page 1 of")
        terminal.press(CTRL_C)
        assert terminal.end() == 130
        assert "Traceback" not in terminal.text


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
def test_without_a_terminal_nothing_is_shown_in_pages(
    arguments: tuple[str, ...], many_moves: Path
) -> None:
    _, output, _ = play_piped(many_moves, b"moves\n142\n", "--resume", *arguments)
    numbers = [number for number, _ in listed_moves(output.partition("You sold")[0])]
    assert numbers == ALL_MOVES
    assert "Page" not in output


def test_a_wide_terminal_shows_history_and_moves_beside_the_table(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "5", rows=40, columns=120) as terminal:
        terminal.wait_for(PROMPT)
        assert "│ Log" in terminal.screen.splitlines()[0]
        terminal.type("+m")
        terminal.wait_for("  1 You took 3 camels.")
        terminal.wait_for(PROMPT)
        terminal.type("moves")
        terminal.wait_for(PROMPT)
        assert "│ Moves" in terminal.screen.splitlines()[0]
        assert "╭─ " in terminal.screen
        terminal.type("9999")
        terminal.wait_for(Words().say("no_such_number", n=31))
        terminal.wait_for(PROMPT)
        assert "exchanges" in terminal.screen
        assert all(len(line) <= 120 for line in terminal.screen.splitlines())
        terminal.type("")
        terminal.wait_for("│ Log")


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 80), (24, 119), (24, 120)])
def test_a_drawn_table_fits_on_the_terminal(rows: int, columns: int, tmp_path: Path) -> None:
    arguments = ("--new", "--seed", "1", "--lang", "fr")
    with Terminal(tmp_path, *arguments, rows=rows, columns=columns) as terminal:
        terminal.wait_for(PROMPT)
        lines = terminal.screen.splitlines()
        assert len(lines) <= rows
        assert all(len(line) <= (columns if columns == 120 else 80) for line in lines)
        for row in lines:
            assert row.count("╭") in (0, 2, 3, 4, 5)


def test_a_small_terminal_gets_sentences(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "1", rows=20, columns=60) as terminal:
        terminal.wait_for(PROMPT)
        assert "Market: " in terminal.screen
        assert "╭" not in terminal.screen


def test_no_color_is_honoured(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "1", NO_COLOR="1") as terminal:
        terminal.wait_for(PROMPT)
        assert "╭─ " in terminal.screen
        assert not re.search(r"\x1b\[[0-9;]*\b[349][0-9]\b[0-9;]*m", terminal.raw)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_fits_in_eighty_columns(
    language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    PlainRenderer(Screen(plain=True), Words(language), shared=False).help()
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > WIDTH] == []


@pytest.mark.parametrize("seed", range(5))
def test_market_cards_keep_their_slots(seed: int) -> None:
    rng = Random(seed)
    game = Game()
    played = game.start(Deal.shuffled(rng))
    before = view_model_of(game, 0, ("A", "B"), Words()).slots
    while played.result is None:
        move = rng.choice(game.legal_moves())
        camels = move.taken >> 24
        game.play(move)
        slots = view_model_of(game, 0, ("A", "B"), Words()).slots
        shown = pile_of(kind for kind in slots if kind != NO_CARD)
        assert letters_of(shown) == letters_of(played.position.market)
        unchanged = [slot for slot in range(5) if slots[slot] == before[slot]]
        taken = before.count(LETTERS.index("M")) if camels else len(letters_of(move.taken))
        assert len(unchanged) >= 5 - taken
        before = slots


def test_long_news_push_nothing_off_the_screen() -> None:
    game = Game()
    game.start(Deal.shuffled(Random(1)))
    model = view_model_of(game, 0, ("A", "B"), Words())
    model = replace(model, news=["old " * 30, "new " * 30])
    rows = draw_table(model, Words(), HEIGHT, "note " * 10)
    assert len(rows) < HEIGHT
    assert any("new" in row.plain for row in rows)
