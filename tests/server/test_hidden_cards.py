"""Hidden cards: responses to an audience are equal for deals that the audience cannot tell apart."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

import server.serving
from jaipur.rules import Deal, IllegalMove, Move, new_round
from jaipur.rules.cards import CAMEL, LETTERS
from jaipur.rules.setup import shuffle
from jaipur.server.live.server_clock import system_time
from jaipur.server.live.spectators import DELAY
from server.serving import UNKNOWN_SECRET, Client, ThreadedServer, decode, run_in_thread, store_game


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host")) as host:
        yield host


def same_view_deal(
    audience: int | None, deal: Deal, moves: Sequence[str], rng: Random
) -> Deal | None:
    """Another deal that looks the same to an audience during these moves, or None."""
    seen = [(pile, place) for turn, pile, place in _bonuses(deal, moves) if turn == audience]
    pack, drawn = list(deal.pack), 12 + _drawn(deal, moves)
    hidden = [place for place in range(10) if place // 5 != audience] + [*range(drawn, 52)]
    goods = [place for place in hidden if pack[place] != CAMEL]
    for place, card in zip(goods, shuffle([pack[place] for place in goods], rng), strict=True):
        pack[place] = card
    rest = [*range(drawn, 52)]
    for place, card in zip(rest, shuffle([pack[place] for place in rest], rng), strict=True):
        pack[place] = card
    bonus = []
    for number, pile in enumerate(deal.bonus):
        free = [place for place in range(len(pile)) if (number, place) not in seen]
        mixed = dict(zip(free, shuffle([pile[place] for place in free], rng), strict=True))
        bonus.append(tuple(mixed.get(place, value) for place, value in enumerate(pile)))
    other = Deal(tuple(pack), tuple(bonus), deal.starts)
    try:
        _drawn(other, moves)
    except IllegalMove:
        return None
    return other


def _drawn(deal: Deal, moves: Sequence[str]) -> int:
    """The number of cards drawn from the deck after these moves."""
    position = new_round(deal)
    for move in moves:
        position.play(Move.parse(move))
    return position.drawn


def _bonuses(deal: Deal, moves: Sequence[str]) -> list[tuple[int, int, int]]:
    """The bonus tokens taken: seat, pile, and index in the pile."""
    taken = list[tuple[int, int, int]]()
    for turn, move in _turns(deal, moves):
        if move.startswith("-") and len(move) > 3:
            pile = min(len(move) - 4, 2)
            place = sum(each == pile for _, each, _ in taken)
            taken.append((turn, pile, place))
    return taken


def responses_to(
    host: ThreadedServer,
    deal: Deal,
    moves: Sequence[str],
    audience: int | None,
    name: str,
    **options: str,
) -> list[bytes]:
    """All responses to an audience during a game, with the table id and the commitment replaced."""
    ago = 2 * DELAY if audience is None else 0
    clients = store_game(host.database, host.http, deal, table=name, ago=ago, **options)
    client = Client(host.http, name, UNKNOWN_SECRET, None)
    client = client if audience is None else clients[audience]
    responses = []
    for version, (turn, move) in enumerate(_turns(deal, moves), 2):
        responses += [client.get(), client.get("/record"), client.get("/events", follow="false")]
        # The responses must not reveal whether the other player could sell these.
        sales = [2 * LETTERS[(version + each) % 6] for each in range(3)]
        responses += [
            client.get("/why", move=text) for text in (move, "+MM", *(f"-{two}" for two in sales))
        ]
        refused = [f"-{two}" for two in sales if turn != audience] or ["-DDDDDD"]
        responses += [client.play(text, version) for text in refused]
        clients[turn].play(move, version).raise_for_status()
    if audience is None:
        now = host.tables.now
        host.tables.now = lambda: now() + 2 * DELAY
    responses += [
        client.get(),
        client.get("/record"),
        client.get("/events.ndjson", follow="false", after=0),
    ]
    responses += [client.get("/events", follow="false", after=0)]
    if audience is None:
        host.tables.now = now
    commitment = decode(clients[0].messages(1)[0])["table"]["rounds"][0]["commitment"]
    hidden = [(commitment.encode(), b"COMMITMENT"), (name.encode(), b"TABLE")]
    return [_without(hidden, b"%d %s" % (each.status_code, each.content)) for each in responses]


def _turns(deal: Deal, moves: Sequence[str]) -> list[tuple[int, str]]:
    return [((deal.starts + number) % 2, move) for number, move in enumerate(moves)]


def _without(hidden: list[tuple[bytes, bytes]], content: bytes) -> bytes:
    for old, new in hidden:
        content = content.replace(old, new)
    return content


@pytest.mark.parametrize("herds", ["open", "hidden"])
@pytest.mark.parametrize("audience", [0, 1, None], ids=["seat 0", "seat 1", "spectator"])
def test_responses_do_not_depend_on_hidden_cards(
    host: ThreadedServer, monkeypatch: pytest.MonkeyPatch, audience: int | None, herds: str
) -> None:
    rng = Random(f"{audience} {herds}")
    deal, moves, other = _indistinguishable_deals(audience, rng)
    now = system_time()
    monkeypatch.setattr(host.tables, "now", lambda: now)
    monkeypatch.setattr(server.serving, "system_time", lambda: now)
    names = [f"{rng.getrandbits(64):016x}" for _ in range(2)]
    first, second = (
        responses_to(host, each, moves, audience, name, herds=herds)
        for each, name in zip((deal, other), names, strict=True)
    )
    assert len(first) == len(second)
    for one, two in zip(first, second, strict=True):
        assert one == two
    assert any(b'"market"' in each for each in first)


def _indistinguishable_deals(audience: int | None, rng: Random) -> tuple[Deal, list[str], Deal]:
    """A deal, moves that do not end its round, and another deal that looks the same during them."""
    while True:
        deal, moves = Deal.shuffled(rng), list[str]()
        position = new_round(deal)
        while len(moves) < 14:
            legal = [str(move) for move in position.legal_moves()]
            sales = [move for move in legal if len(move) > 3 and move.startswith("-")]
            move = rng.choice(sales or legal)
            after = position.copy()
            after.play(Move.parse(move))
            if after.ended:
                break
            moves.append(move)
            position = after
        for _ in range(50):
            other = same_view_deal(audience, deal, moves, rng)
            if other is not None and _differ_enough(deal, other, moves, audience):
                return deal, moves, other


def _differ_enough(deal: Deal, other: Deal, moves: Sequence[str], audience: int | None) -> bool:
    """Whether hands, deck and a hidden bonus token differ."""
    tokens = [
        (deal.bonus[pile][place], other.bonus[pile][place])
        for turn, pile, place in _bonuses(deal, moves)
        if turn != audience
    ]
    hands = deal.pack[:10] != other.pack[:10]
    return hands and deal.pack[12:] != other.pack[12:] and any(one != two for one, two in tokens)
