"""Draws docs/images/table.svg, a picture of the terminal game in the middle of a round."""

import re
from io import StringIO
from pathlib import Path
from random import Random

from rich.console import Console
from rich.text import Text

from jaipur.players import NO_BUDGET, player_named
from jaipur.rules import Deal, Game
from jaipur.terminal.screen import HEIGHT, WIDTH
from jaipur.terminal.table_drawing import draw_table
from jaipur.terminal.view_model import view_model_of
from jaipur.words import Words

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "table.svg"
MOVES = 18


def main() -> None:
    rng = Random(12)
    player = player_named("merchant")
    game = Game()
    game.start(Deal.shuffled(rng, 0))
    for move in range(MOVES):
        game.play(player.choose(game.view(move % 2), game.legal_moves(), rng, NO_BUDGET))
    words = Words("en")
    console = Console(record=True, width=WIDTH, file=StringIO())
    for row in draw_table(
        view_model_of(game, 0, ("You", words.say("level.name.merchant")), words), words, HEIGHT
    ):
        console.print(row)
    console.print(Text("> "))
    svg = console.export_svg(title="./jaipur")
    # Do not load a web font. Use the monospace font of the reader's system.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "ui-monospace").replace("<text ", '<text xml:space="preserve" ')
    PICTURE.write_text(
        svg.replace("<!-- Generated with Rich https://www.textualize.io -->", ""), "utf-8"
    )


if __name__ == "__main__":
    main()
