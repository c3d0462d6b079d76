"""The record of a table: the game in the notation of records, with the deal commitments and the times of the moves.

While a game is running, its record contains the finished rounds and only the public information about the current
round.
"""

from msgspec import to_builtins

from jaipur.rules.records import Extra, Record, RoundRecord
from jaipur.table.state import TableState


def table_record(table: TableState) -> Record:
    """Return the record that everybody may see now."""
    revealed = [
        number
        for number, played in enumerate(table.game.rounds)
        if played.result is not None or table.over is not None
    ]
    seats = [chair.player for chair in table.chairs]
    extra: Extra = {"table": table.id, "opened": table.opened, "seats": seats}
    if table.over is not None:
        extra["over"] = {"by": table.over.by, "winner": table.over.winner}
    elif len(revealed) < len(table.game.rounds):
        running, proof = table.game.rounds[-1], table.proofs[len(revealed)]
        extra["running"] = {
            "starts": running.deal.starts,
            "commitment": proof.commitment,
            "contributions": proof.contributions,
            "moves": [str(move) for move in running.moves],
        }
    options: Extra = to_builtins(table.options)
    del options["herds"]
    return Record(
        players=(table.chairs[0].name, table.chairs[1].name),
        rounds=[_round(table, number) for number in revealed],
        seals=table.game.seals,
        winner=table.game.winner,
        herds=table.options.herds,
        options_extra=options,
        extra=extra,
    )


def _round(table: TableState, number: int) -> RoundRecord:
    played = table.game.rounds[number]
    extra = table.proofs[number].record_extra(table.id, number + 1, played.deal)
    extra["times"] = list(table.times[number])
    return RoundRecord(played.deal, list(played.moves), played.result, extra)
