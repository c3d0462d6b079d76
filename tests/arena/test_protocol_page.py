"""The examples in docs/reference/bot-protocol.md are real."""

import json
import re
import sys
from pathlib import Path
from random import Random

from command import jaipur
from jaipur.players import NO_BUDGET
from jaipur.players.external.process import Bot
from jaipur.players.external.protocol import read_request, write_request

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "bot-protocol.md").read_text("utf-8")


def request_line() -> str:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    return json.dumps(json.loads(example), separators=(",", ":"))


def test_the_request_and_the_answer_are_real() -> None:
    (answer,) = re.findall(r"```\n([+-]\w+(?:-\w+)?)\n```", PAGE)
    line = request_line()
    assert write_request(read_request(line)) == line
    assert jaipur("player", "random", text=f"{line}\n").stdout == f"{answer}\n"


def test_the_bot_plays_and_is_the_one_in_examples(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert (ROOT / "examples" / "ten_line_bot.py").read_text("utf-8").endswith(program)
    file = tmp_path / "bot.py"
    file.write_text(program, "utf-8")
    request = read_request(request_line())
    player = Bot(f"{sys.executable} {file}")
    move = player.choose(request.view, request.moves, Random(1), NO_BUDGET)
    player.close()
    assert str(move) == "-SS"
