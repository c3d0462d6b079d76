"""Replaying a record: every move and every number in it is checked, and the first thing wrong is named."""

from jaipur.notation.errors import WrongRecord, within
from jaipur.notation.records import Record, RoundRecord
from jaipur.rules import (
    MOVE_LIMIT,
    Game,
    IllegalMove,
    Position,
    Result,
    WrongDeal,
    new_round,
    play,
)


def replay(record: Record) -> Game:
    """The game a record tells, or `WrongRecord`."""
    game = Game(record.herds)
    for number, played in enumerate(record.rounds, 1):
        with within(f"round {number}"):
            _replay_round(game, played)
    _compare("seals", record.seals, game.seals)
    _compare("winner", record.winner, game.winner)
    return game


def position_after(played: RoundRecord, moves: int) -> Position:
    """The position of a round after so many of its moves."""
    position = new_round(played.deal)
    for move in played.moves[:moves]:
        play(position, move)
    return position


def _replay_round(game: Game, played: RoundRecord) -> None:
    try:
        running = game.start(played.deal)
    except WrongDeal as error:
        raise WrongRecord(str(error)) from None
    for number, move in enumerate(played.moves, 1):
        try:
            game.play(move)
        except IllegalMove as error:
            wrong = WrongRecord(str(error.reason))
            wrong.where = [f"move {number} ({move})"]
            raise wrong from None
    if played.result is not None and played.result.ended == "abandoned":
        if len(played.moves) != MOVE_LIMIT:
            raise WrongRecord(
                f"A round is abandoned after {MOVE_LIMIT} moves, not before or later."
            )
        game.abandon()
    _compare_results(played.result, running.result)


def _compare_results(written: Result | None, played: Result | None) -> None:
    if written is None or played is None:
        _compare("ended", written and written.ended, played and played.ended)
        return
    _compare("ended", written.ended, played.ended)
    _compare("camel_token", written.camel_token, played.camel_token)
    _compare("rupees", written.rupees, played.rupees)
    _compare("seal", written.seal, played.seal)


def _compare(name: str, written: object, true: object) -> None:
    if written != true:
        raise WrongRecord(f"“{name}” is {_said(written)} in the record and {_said(true)} by play.")


def _said(value: object) -> str:
    return (
        "null"
        if value is None
        else ", ".join(map(str, value))
        if isinstance(value, tuple)
        else str(value)
    )
