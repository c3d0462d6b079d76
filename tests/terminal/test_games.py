"""Whole games at a pseudo-terminal, as a person plays them: drawn in three languages, and in plain sentences."""

import random
import re
from pathlib import Path

import pytest

from jaipur.notation import read_records
from jaipur.rules import Game
from jaipur.terminal.screen import HEIGHT, WIDTH
from jaipur.terminal.store import GAMES
from jaipur.words import Language, Words
from terminal.driver import CLEAR, PROMPT, Terminal, choose, listed_moves


def recorded(path: Path) -> list[Game]:
    """The games of a file, replayed."""
    with path.open("rb") as stream:
        return [Game.from_record(record) for record in read_records(stream)]


def mixed(move: str, rng: random.Random) -> str:
    """The same move as a careless person types it."""
    groups = re.findall(r"[+-]\w+", move)
    rng.shuffle(groups)
    typed = [sign + " ".join(rng.sample(letters, len(letters))) for sign, *letters in groups]
    return " ".join(typed).swapcase()


def play_to_the_end(terminal: Terminal, words: Words, lists: str) -> list[str]:
    """Play every turn, by number and by notation in turns; what was to be seen at the end of each round."""
    go_on, recorded_in = words.say("go_on"), words.say("recorded", path="")[:20]
    rng = random.Random(5)
    sheets: list[str] = []
    by_number = False
    while True:
        came = terminal.wait_for(PROMPT, go_on, recorded_in)
        if came == recorded_in:
            assert terminal.end() == 0
            return [*sheets, terminal.new]
        if came == go_on:
            sheets.append(terminal.new)
            terminal.type("")
            continue
        if CLEAR in terminal.raw:
            lines = terminal.screen.splitlines()
            assert len(lines) <= HEIGHT
            assert max(map(len, lines)) <= WIDTH
        terminal.type(lists)
        terminal.wait_for(PROMPT)
        number, move = choose(listed_moves(terminal.new))
        by_number = not by_number
        terminal.type(str(number) if by_number else mixed(move, rng))


@pytest.mark.parametrize(
    ("language", "against", "lists"),
    [("en", "greedy", "moves"), ("fr", "random", "coups"), ("it", "greedy", "mosse")],
)
def test_a_game_is_played_to_its_end(
    language: Language, against: str, lists: str, tmp_path: Path
) -> None:
    words = Words(language)
    asked = ("--lang", language, "--against", against, "--seed", f"whole {language}")
    with Terminal(tmp_path, *asked) as terminal:
        sheets = play_to_the_end(terminal, words, lists)
    (game,) = recorded(tmp_path / GAMES)
    assert game.winner is not None
    assert len(sheets) == len(game.rounds)
    for number, (sheet, played) in enumerate(zip(sheets, game.rounds, strict=True), 1):
        assert played.result is not None
        assert words.say("sheet.title", number=number) in sheet
        row = next(
            line for line in sheet.splitlines() if f"│  {words.say('sheet.rupees')} " in line
        )
        assert [int(rupees) for rupees in re.findall(r"\d+", row)] == list(played.result.rupees)
    seals = {"seals": 2, "other": game.seals[1 - game.winner]}
    against = words.say(f"level.name.{against}")
    assert words.by([None, against][game.winner], "won", **seals) in sheets[-1]
    assert not (tmp_path / "game.jaipur.jsonl").exists()
    assert "Traceback" not in terminal.text


def test_a_drawn_table_fits_on_the_smallest_terminal_and_a_large_one(tmp_path: Path) -> None:
    for rows in (24, 40):
        with Terminal(tmp_path, "--new", "--seed", "1", "--lang", "fr", rows=rows) as terminal:
            terminal.wait_for(PROMPT)
            lines = terminal.screen.splitlines()
            assert len(lines) <= rows
            assert all(len(line) <= 80 for line in lines)
            for row in terminal.screen.split("\n"):
                assert row.count("╭") in (0, 2, 3, 4, 5)


def test_a_plain_game_has_nothing_drawn_and_no_colour(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    asked = ("--plain", "--lang", "it", "--against", "random", "--seed", "3", "--save", str(file))
    with Terminal(tmp_path, *asked) as terminal:
        play_to_the_end(terminal, Words("it"), "mosse")
    assert recorded(file)[0].winner is not None
    assert not re.search(r"\x1b\[[0-9;]*[mJH]", terminal.raw)
    assert not re.search("[─-▟◆◇]", terminal.raw)


def test_no_colour_is_honoured(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--seed", "1", NO_COLOR="1") as terminal:
        terminal.wait_for(PROMPT)
        assert "╭─ " in terminal.screen
        assert not re.search(r"\x1b\[[0-9;]*\b[349][0-9]\b[0-9;]*m", terminal.raw)
