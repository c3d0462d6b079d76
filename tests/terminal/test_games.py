"""Whole games on a pseudo-terminal: drawn in three languages, and in plain sentences."""

import random
import re
from pathlib import Path

import pytest

from jaipur.notation import read_records
from jaipur.rules import Game
from jaipur.terminal.autosave import GAMES
from jaipur.terminal.screen import HEIGHT, WIDTH
from jaipur.words import Language, Words
from terminal.driver import CLEAR, PROMPT, Terminal, choose, listed_moves


def recorded(path: Path) -> list[Game]:
    with path.open("rb") as stream:
        return [Game.from_record(record) for record in read_records(stream)]


def scrambled(move: str, rng: random.Random) -> str:
    """The same move with its groups and letters in another order."""
    groups = re.findall(r"[+-]\w+", move)
    rng.shuffle(groups)
    typed = [sign + " ".join(rng.sample(letters, len(letters))) for sign, *letters in groups]
    return " ".join(typed).swapcase()


def play_to_the_end(terminal: Terminal, words: Words, moves_command: str) -> list[str]:
    """Play every turn, alternately by number and by notation; returns the output at the end of each round."""
    go_on, recorded_in = words.say("go_on"), words.say("recorded", path="")[:20]
    rng = random.Random(5)
    sheets: list[str] = []
    by_number = False
    while True:
        found = terminal.wait_for(PROMPT, go_on, recorded_in)
        if found == recorded_in:
            assert terminal.end() == 0
            return [*sheets, terminal.new]
        if found == go_on:
            sheets.append(terminal.new)
            terminal.type("")
            continue
        if CLEAR in terminal.raw:
            lines = terminal.screen.splitlines()
            assert len(lines) <= HEIGHT
            assert max(map(len, lines)) <= WIDTH
        terminal.type(moves_command)
        terminal.wait_for(PROMPT)
        number, move = choose(listed_moves(terminal.new))
        by_number = not by_number
        terminal.type(str(number) if by_number else scrambled(move, rng))


@pytest.mark.parametrize(
    ("language", "against", "moves_command"),
    [("en", "greedy", "moves"), ("fr", "random", "coups"), ("it", "greedy", "mosse")],
)
def test_a_game_is_played_to_its_end(
    language: Language, against: str, moves_command: str, tmp_path: Path
) -> None:
    words = Words(language)
    arguments = ("--lang", language, "--against", against, "--seed", f"whole {language}")
    with Terminal(tmp_path, *arguments) as terminal:
        sheets = play_to_the_end(terminal, words, moves_command)
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


@pytest.mark.parametrize(
    ("language", "commands"),
    [
        ("en", "moves, help or quit"),
        ("fr", "coups, aide ou quitter"),
        ("it", "mosse, aiuto o esci"),
    ],
)
def test_a_plain_game_names_its_commands(language: str, commands: str, tmp_path: Path) -> None:
    with Terminal(tmp_path, "--plain", "--lang", language, "--first") as terminal:
        terminal.wait_for(PROMPT)
        assert commands in terminal.text


def test_a_plain_game_has_no_drawing_and_no_colour(tmp_path: Path) -> None:
    file = tmp_path / "finished.jsonl"
    arguments = ("--plain", "--lang", "it", "--against", "random", "--seed", "3")
    with Terminal(tmp_path, *arguments, "--save", str(file)) as terminal:
        play_to_the_end(terminal, Words("it"), "mosse")
    assert recorded(file)[0].winner is not None
    assert not re.search(r"\x1b\[[0-9;]*[mJH]", terminal.raw)
    assert not re.search("[─-▟◆◇]", terminal.raw)
