"""Deals and rounds that several browser tests use."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random

from jaipur.players import player_named
from jaipur.rules import Deal, new_round
from jaipur.table.events import AnyEvent, Chair, Dealt, Played
from jaipur.table.state import digest
from server.serving import Server, choose_move, store_events
from table.live_table import open_table as open_live_table
from tables import dealt, move
from web.board import new_table_id

DEAL = dealt("DDGSC LLPPC PL CP")
FULL_HAND = ("+P", "-L", "+L", "-L")
"""After these moves seat 0 has a full hand and is to move; the market has cloth, spice and three camels."""


def round_but_last_move(deal: Deal) -> tuple[list[str], str]:
    """The moves of a round without the last one, and the last one."""
    rng, moves, position = Random(0), list[str](), new_round(deal)
    while True:
        chosen = choose_move([str(legal) for legal in position.legal_moves()], rng)
        position.play(move(chosen))
        if position.ended:
            return moves, chosen
        moves.append(chosen)


def almost_finished_rounds(
    server: Server, secrets: tuple[str, str], seed: int
) -> list[tuple[str, str]]:
    """Tables of one game, each one move before the end of a round, with that move."""
    ann, bo = (digest(secret) for secret in secrets)
    chairs = (Chair("person", "Ann", ann), Chair("person", "Bo", bo))
    game = open_live_table(chairs, deal=None, seed=seed)
    game.play_moves([player_named("greedy"), player_named("random")])
    events = [entry.event for entry in game.entries]
    ends = [at - 1 for at, event in enumerate(events) if isinstance(event, Dealt) and at > 1]
    return [_store_without_last(server, events[: end + 1]) for end in (*ends, len(events) - 1)]


def _store_without_last(server: Server, events: Sequence[AnyEvent]) -> tuple[str, str]:
    table, last = new_table_id(), events[-1]
    assert isinstance(last, Played)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(store_events, server.database, table, events[:-1]).result()
    return table, last.move
