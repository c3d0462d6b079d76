"""The example turn in docs/reference/bot-protocol.md is a real one."""

import json
import re
from pathlib import Path

from command import jaipur
from jaipur.players.external.protocol import read_request, write_request

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "bot-protocol.md").read_text("utf-8")


def test_the_example_turn_is_what_is_sent_and_answered() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    (answer,) = re.findall(r"```\n([+-]\w+(?:-\w+)?)\n```", PAGE)
    line = json.dumps(json.loads(example), separators=(",", ":"))
    assert write_request(read_request(line)) == line
    assert jaipur("player", "random", text=f"{line}\n").stdout == f"{answer}\n"
