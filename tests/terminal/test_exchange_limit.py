"""Players who only exchange are warned and stopped on the terminal, and the saved game can be resumed."""

import re
from itertools import cycle, islice
from pathlib import Path

import pytest

from jaipur.notation import read_record, read_records
from jaipur.rules import Game
from jaipur.rules.game import EXCHANGE_LIMIT
from jaipur.table.events import Dealt
from jaipur.terminal.local_game import PERSON, GameSetup, LocalGame
from jaipur.words import LANGUAGES, Language, Words
from tables import dealt, move
from terminal.driver import PROMPT, Terminal

SAVE = "game.jaipur.jsonl"
EXCHANGES = [*islice(cycle(["+PL-DD", "+DD-GG", "+GG-PL"]), EXCHANGE_LIMIT)]


def game_after(exchanges: int) -> LocalGame:
    """Two people at one keyboard: seat 0 holds D D L C C, seat 1 G G S P and a camel; the market is L P M M M."""
    game = LocalGame(GameSetup((PERSON, PERSON), ("Ann", "Bo")))
    game._apply([Dealt.of(dealt("DDLCC GGSPM LP"), salt="")])
    for text in EXCHANGES[:exchanges]:
        game.play(move(text))
    return game


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plain", [(), ("--plain",)])
def test_players_who_only_exchange_are_warned_and_stopped(
    language: Language, plain: tuple[str, ...], tmp_path: Path
) -> None:
    words = Words(language)
    (tmp_path / SAVE).write_text(game_after(EXCHANGE_LIMIT - 2).record() + "\n")
    yes = words.say("answer.yes").split()[0]
    with Terminal(tmp_path, "--lang", language, *plain) as terminal:
        terminal.wait_for(f"[{yes.upper()}/")
        terminal.type(yes)
        for left, text in ((2, EXCHANGES[-2]), (1, EXCHANGES[-1])):
            terminal.wait_for(words.say("curtain.ready", name="Ann" if left == 2 else "Bo"))
            terminal.type("")
            terminal.wait_for(words.say("exchanges_left", n=left))
            terminal.wait_for(PROMPT)
            terminal.type(text)
        terminal.wait_for(words.say("ended.exchanges"))
        terminal.wait_for(words.by("Bo", "seal.rupees"))
        terminal.wait_for(words.say("go_on"))
        assert re.search(r"\b5\b", terminal.new), "the camel token"
        terminal.type("")
        terminal.wait_for(words.say("curtain.ready", name="Ann"))
    record = read_record((tmp_path / SAVE).read_text("utf-8"))
    assert Game.from_record(record).seals == (0, 1)
    resumed = LocalGame.restore(record)
    assert (resumed.table.game.seals, len(resumed.table.game.rounds)) == ((0, 1), 2)


def test_two_such_rounds_end_the_game(tmp_path: Path) -> None:
    game = game_after(EXCHANGE_LIMIT)
    game._apply([Dealt.of(dealt("DDLCC GGSPM LP"), salt="")])
    for text in EXCHANGES[:-1]:
        game.play(move(text))
    (tmp_path / SAVE).write_text(game.record() + "\n")
    with Terminal(tmp_path, "--plain") as terminal:
        terminal.wait_for("[Y/n]")
        terminal.type("y")
        terminal.wait_for("Bo: press Enter")
        terminal.type("")
        terminal.wait_for("One more exchange in a row ends the round.")
        terminal.wait_for(PROMPT)
        terminal.type(EXCHANGES[-1])
        terminal.wait_for("Bo wins the game, 2 to 0.")
        assert terminal.end() == 0
    with (tmp_path / "games.jaipur.jsonl").open("rb") as stream:
        (record,) = read_records(stream)
    assert [played.result.ended for played in record.rounds if played.result] == ["exchanges"] * 2


def test_a_save_with_more_exchanges_continues() -> None:
    """Versions without the limit saved games that have already exceeded it."""
    game = game_after(EXCHANGE_LIMIT - 1)
    for text in ("+DD-GG", "+GG-PL", "+PL-DD") * 20:
        game._play(move(text))
    resumed = LocalGame.restore(read_record(game.record()))
    assert resumed.table.turn is not None
    resumed.play(resumed.table.game.legal_moves()[0])
    assert resumed.table.turn is not None, "a take"
