"""The score sheet of a finished round: the tokens of both traders, who gets the seal, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import ROUNDED
from rich.table import Table
from rich.text import Text

from jaipur.rules import Card, Game, Result, Seat, Trader
from jaipur.rules.scoring import tokens_held
from jaipur.rules.tokens import CAMEL_TOKEN
from jaipur.terminal.card_drawing import COLOURS, FAINT
from jaipur.terminal.move_text import Subjects
from jaipur.words import Words


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The content of a score sheet. Each row has a label and one value per trader."""

    title: str
    names: tuple[str, str]
    rows: Sequence[tuple[str, ...]]
    verdict: Sequence[str]
    winner: Seat | None


def score_sheet_of(
    game: Game, names: tuple[str, str], subjects: Subjects, words: Words
) -> ScoreSheet:
    """Return the score sheet of the last round. The round has ended, so all cards and tokens are public."""
    view, result = game.view(0), game.rounds[-1].result
    assert result is not None
    traders, herds = (view.own, view.other), (view.herd, view.other_herd())
    camel = [str(CAMEL_TOKEN) if result.camel_token == seat else "–" for seat in (0, 1)]
    seals = [trader.seals + (result.seal == seat) for seat, trader in enumerate(traders)]
    rows = [
        (words.say("sheet.goods"), *(_goods(trader, words) for trader in traders)),
        (words.say("sheet.bonus"), *(_bonuses(trader) for trader in traders)),
        (words.say("sheet.herd"), *map(str, herds)),
        (words.say("sheet.camel"), *camel),
        (words.say("sheet.rupees"), *map(str, result.rupees)),
        (words.say("sheet.seals"), *map(str, seals)),
    ]
    verdict = [words.say(f"ended.{result.ended}"), _verdict(traders, result, subjects, words)]
    title = words.say("sheet.title", number=len(game.rounds))
    return ScoreSheet(title, names, rows, verdict, result.seal)


def _verdict(
    traders: tuple[Trader, Trader], result: Result, subjects: Subjects, words: Words
) -> str:
    if result.seal is None:
        return words.say("seal.nobody")
    bonuses = [len(trader.bonus_values or ()) for trader in traders]
    tie_break = "bonus" if bonuses[0] != bonuses[1] else "goods"
    by = tie_break if result.rupees[0] == result.rupees[1] else "rupees"
    return words.by(subjects[result.seal], f"seal.{by}")


def _goods(trader: Trader, words: Words) -> str:
    tokens = tokens_held(trader.goods_tokens)
    return words.say("sheet.tokens", n=tokens, total=trader.rupees) if tokens else "–"


def _bonuses(trader: Trader) -> str:
    values = trader.bonus_values or ()
    total = "+".join(map(str, values)) or "–"
    return f"{total} = {sum(values)}" if len(values) > 1 else total


def draw_score_sheet(sheet: ScoreSheet) -> Table:
    table = Table(
        title=sheet.title, box=ROUNDED, border_style=FAINT, title_style="bold", padding=(0, 2)
    )
    table.add_column()
    for seat, name in enumerate(sheet.names):
        style = f"bold {COLOURS[Card.GOLD]}" if seat == sheet.winner else "bold"
        table.add_column(Text(name, style), justify="right")
    total = len(sheet.rows) - 2
    for index, row in enumerate(sheet.rows):
        table.add_row(*row, style="bold" if index == total else "", end_section=index == total - 1)
    return table
