"""Nobody gets in: other people's seats, other sites, floods; and nobody sees a card that is not theirs to see."""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from http.cookies import SimpleCookie
from pathlib import Path
from random import Random

import httpx
import pytest

import server.serving
from jaipur.rules import LETTERS, Deal, IllegalMove, Move, new_round
from jaipur.rules.cards import CAMEL
from jaipur.rules.setup import shuffle
from jaipur.server.http.limits import MAX_BODY_BYTES
from jaipur.server.http.middleware import SECURITY_HEADERS
from jaipur.server.live.spectators import DELAY
from jaipur.server.live.tables import system_time
from server.serving import (
    TIMEOUT,
    Client,
    Server,
    ThreadedServer,
    decode,
    open_table,
    run_in_thread,
    run_server,
    store_game,
    two_players,
)

OTHER = "https://elsewhere.example"
JSON = b"Content-Type: application/json\r\n"
PREFIX = "/parlour"
SECRET = "this-is-a-secret-of-my-own"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host")) as host:
        yield host


@pytest.fixture
def http(host: ThreadedServer) -> Iterator[httpx.Client]:
    yield host.http
    host.http.cookies.clear()


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that believes the proxy before it, which shows it under a path."""
    folder = tmp_path_factory.mktemp("proxied")
    with run_server(folder, "--proxy", "127.0.0.1", "--prefix", f"{PREFIX}/") as server:
        yield server


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


# Seats


POSTS = {
    "play": {"move": "+M", "version": 3},
    "resign": None,
    "leave": None,
    "rematch": None,
}


@pytest.mark.parametrize(
    ("headers", "refusal"),
    [
        ({}, (403, "not_seated")),
        ({"authorization": f"Bearer {SECRET}"}, (403, "not_seated")),
        ({"authorization": "Basic YTpi"}, (403, "not_seated")),
        ({"authorization": "Bearer short"}, (401, "weak_secret")),
        ({"authorization": f"Bearer {'x' * 129}"}, (401, "weak_secret")),
        ({"authorization": f"Bearer {SECRET}' OR 1=1"}, (401, "weak_secret")),
        ({"cookie": "jaipur=short"}, (401, "weak_secret")),
        ({"cookie": f"jaipur={SECRET}"}, (403, "not_seated")),
    ],
    ids=str,
)
def test_without_the_secret_of_a_seat_nothing_is_done(
    http: httpx.Client, headers: dict[str, str], refusal: tuple[int, str]
) -> None:
    trader = two_players(http)[0]
    for what, body in POSTS.items():
        answer = http.post(f"{trader.path}/{what}", json=body, headers=headers)
        assert code_of(answer) == refusal
    assert trader.get_table()["version"] == 3


def test_a_secret_opens_its_own_seat_at_its_own_table_and_no_other(http: httpx.Client) -> None:
    first, second = two_players(http)
    elsewhere = two_players(http)[0]
    for trader, other in ((first, 1), (second, 0)):
        assert trader.get_table()["you"] == trader.seat
        for what in ("", "/events", "/events.ndjson", "/why?move=%2BM"):
            asked = f"{trader.path}{what}{'&' if '?' in what else '?'}seat={other}"
            assert code_of(http.get(asked, headers=trader.headers)) == (403, "not_seated")
        assert code_of(trader.play("+M", 3, seat=other)) == (403, "not_seated")
        assert code_of(trader.http.post(f"{trader.path}/resign", headers=elsewhere.headers)) == (
            403,
            "not_seated",
        )
        assert http.get(trader.path, headers=elsewhere.headers).json()["you"] is None


def test_only_the_invitation_of_a_table_opens_its_free_seat(http: httpx.Client) -> None:
    first, answer = open_table(http, "friend")
    _, other = open_table(http, "friend")
    for wrong in ("", "x", first.secret, other["invitation"], answer["invitation"] + "x"):
        sent = http.post(f"{first.path}/seat", json={"invitation": wrong})
        assert code_of(sent) == (403, "not_invited")
    with_it = Client(http, first.table, answer["invitation"], None)
    assert with_it.get_table()["you"] is None, "an invitation is no secret of a seat"
    assert code_of(with_it.post("/leave")) == (403, "not_seated")


def test_every_table_has_its_own_unguessable_secrets(http: httpx.Client) -> None:
    answers = [open_table(http, "friend")[1] for _ in range(5)]
    for name, least in (("secret", 32), ("invitation", 32), ("id", 16)):
        found = {answer[name] for answer in answers}
        assert len(found) == len(answers)
        assert min(map(len, found)) >= least


def test_who_brings_a_secret_is_not_told_it_again(http: httpx.Client) -> None:
    mine = {"authorization": f"Bearer {SECRET}"}
    answer = http.post("/api/tables", json={"against": "friend"}, headers=mine)
    assert answer.json()["secret"] is None
    assert SECRET not in answer.text
    assert http.get(f"/api/tables/{answer.json()['id']}", headers=mine).json()["you"] is not None


def test_secrets_are_in_the_answer_that_made_them_and_nowhere_else(proxied: Server) -> None:
    said: list[bytes] = []
    with httpx.Client(base_url=proxied.address.removesuffix(PREFIX), timeout=TIMEOUT) as http:
        traders = two_players(http, name="Ann")
        _, answer = open_table(http, "friend")
        cookie = http.post("/api/visitor").cookies["jaipur"]
        http.cookies.clear()
        http.event_hooks["response"].append(lambda got: said.append(b"%r" % dict(got.headers)))
        secrets = [traders[0].secret, traders[1].secret, answer["invitation"], cookie]
        for trader in traders:
            pages = ("", "/record", "/events?follow=false&after=0", "/why?move=%2BM")
            said += [http.get(trader.path + each, headers=trader.headers).content for each in pages]
            posts = {**POSTS, "seat": {"invitation": answer["invitation"]}}
            said += [trader.post(f"/{what}", body).content for what, body in posts.items()]
        pages = ("/metrics", "/health", "/ready", "/api/schema/openapi.json")
        said += [http.get(page, headers={"cookie": f"jaipur={cookie}"}).content for page in pages]
        wrong = {"authorization": f"Bearer {cookie}!"}
        said.append(http.get(traders[0].path, headers=wrong).content)
    kept = b"".join(file.read_bytes() for file in proxied.database.parent.iterdir())
    assert b'"kind":"opened"' in kept, "this is what is kept"
    for secret in map(str.encode, secrets):
        assert secret not in kept
        assert not any(secret in each for each in said)
        assert secret.decode() not in proxied.log()


# Cookies


def test_a_browser_keeps_its_secret_in_a_cookie_no_script_can_read(http: httpx.Client) -> None:
    answer = http.post("/api/visitor")
    assert answer.json() == {"known": False}
    morsel = SimpleCookie(answer.headers["set-cookie"])["jaipur"]
    assert morsel["httponly"]
    assert morsel["samesite"].lower() == "strict"
    assert (morsel["path"], morsel["secure"], morsel["domain"]) == ("/", "", "")
    assert len(morsel.value) >= 32
    again = http.post("/api/visitor")
    assert again.json() == {"known": True}
    assert again.cookies["jaipur"] == morsel.value
    table = http.post("/api/tables", json={"against": "one_screen"}).json()
    assert table["secret"] is None
    assert http.get(f"/api/tables/{table['id']}").json()["you"] is not None


def test_a_cookie_that_cannot_be_used_is_replaced(http: httpx.Client) -> None:
    answer = http.post("/api/visitor", headers={"cookie": "jaipur=broken"})
    assert answer.json() == {"known": False}
    assert len(answer.cookies["jaipur"]) >= 32


def test_behind_a_proxy_with_tls_the_cookie_is_secure_and_keeps_to_its_path(
    proxied: Server,
) -> None:
    assert proxied.address.endswith(PREFIX)
    address = proxied.address.removesuffix(PREFIX)
    for scheme, secure in (("https", True), ("http", "")):
        headers = {"x-forwarded-proto": scheme, "x-forwarded-for": "192.0.2.7"}
        answer = httpx.post(f"{address}/api/visitor", headers=headers)
        morsel = SimpleCookie(answer.headers["set-cookie"])["jaipur"]
        assert (morsel["secure"], morsel["path"]) == (secure, PREFIX)


def test_who_is_no_proxy_is_not_believed(http: httpx.Client) -> None:
    answer = http.post("/api/visitor", headers={"x-forwarded-proto": "https"})
    assert not SimpleCookie(answer.headers["set-cookie"])["jaipur"]["secure"]


# Other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": OTHER},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "x"},
        {"origin": "http://127.0.0.1"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "origin": "{own}"},
    ],
    ids=str,
)
def test_another_site_cannot_write(
    host: ThreadedServer, http: httpx.Client, headers: dict[str, str]
) -> None:
    trader = two_players(http)[0]
    sent = {name: value.format(own=host.address) for name, value in headers.items()}
    for what, body in POSTS.items():
        assert code_of(trader.post(f"/{what}", body, **sent)) == (403, "cross_site")
    for path in ("/api/visitor", "/api/tables"):
        answer = http.post(path, json={"against": "friend"}, headers=sent)
        assert code_of(answer) == (403, "cross_site")
        assert "set-cookie" not in answer.headers
    assert trader.get_table()["version"] == 3


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "{own}"},
        {"sec-fetch-site": "same-origin", "origin": "{own}"},
        {"sec-fetch-site": "same-origin", "origin": OTHER},
        {"origin": OTHER, "host": OTHER.removeprefix("https://")},
    ],
    ids=str,
)
def test_our_own_pages_can_write_also_behind_a_proxy(
    host: ThreadedServer, http: httpx.Client, headers: dict[str, str]
) -> None:
    sent = {name: value.format(own=host.address) for name, value in headers.items()}
    assert http.post("/api/visitor", headers=sent).status_code == 200


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", None],
)
def test_what_a_form_can_send_is_no_move(http: httpx.Client, kind: str | None) -> None:
    trader = two_players(http)[0]
    headers = trader.headers | ({} if kind is None else {"content-type": kind})
    for what, body in (*POSTS.items(), ("seat", {"invitation": "x"})):
        content = b"" if body is None else json.dumps(body).encode()
        if body is None and kind is None:
            continue
        answer = http.post(f"{trader.path}/{what}", content=content, headers=headers)
        assert code_of(answer) == (415, "bad_request")
    assert trader.get_table()["version"] == 3


def test_no_other_site_is_let_in_to_read(http: httpx.Client) -> None:
    trader = two_players(http)[0]
    for method in ("GET", "OPTIONS"):
        answer = http.request(method, trader.path, headers={"origin": OTHER})
        assert not [name for name in answer.headers if name.startswith("access-control")]


# Every answer


def test_every_kind_of_answer_has_the_strict_headers(http: httpx.Client) -> None:
    trader = two_players(http)[0]
    bad = {"content-type": "application/json"}
    answers = [
        http.get("/health"),
        http.get("/ready"),
        http.get("/metrics"),
        http.get("/api/schema/openapi.json"),
        http.get("/nothing"),
        http.delete("/api/tables"),
        http.options("/api/tables"),
        http.post("/api/visitor"),
        http.post("/api/visitor", headers={"origin": OTHER}),
        http.post("/api/tables", content=b"{", headers=bad),
        http.post("/api/tables", content=b" " * MAX_BODY_BYTES + b"{}", headers=bad),
        http.get(trader.path, headers={"authorization": "Bearer x"}),
        trader.get(),
        trader.get("/record"),
        trader.get("/events", follow="false"),
        trader.get("/events.ndjson", follow="false"),
        trader.play("-D", 3),
    ]
    statuses = {answer.status_code for answer in answers}
    assert {200, 204, 400, 401, 403, 404, 405, 413} <= statuses
    for answer in answers:
        for name, value in SECURITY_HEADERS:
            assert answer.headers[name.decode()] == value.decode(), answer.request.url
        assert "server" not in answer.headers


def test_what_goes_wrong_in_the_house_is_one_sentence(
    host: ThreadedServer, http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(name: str, after: int = 0) -> None:
        raise RuntimeError(f"the secret insides of {name} after {after}")

    monkeypatch.setattr(host.tables.store, "read", fail)
    answer = http.get("/api/tables/0123456789abcdef")
    assert code_of(answer) == (500, "failed")
    assert "insides" not in answer.text
    for name, value in SECURITY_HEADERS:
        assert answer.headers[name.decode()] == value.decode()


# Floods


def test_a_body_may_only_be_so_large(http: httpx.Client) -> None:
    headers = {"content-type": "application/json"}
    large = b'{"against": "friend"' + b" " * MAX_BODY_BYTES + b"}"
    assert code_of(http.post("/api/tables", content=large, headers=headers)) == (413, "too_large")
    chunks = (large[place : place + 1000] for place in range(0, len(large), 1000))
    assert code_of(http.post("/api/tables", content=chunks, headers=headers)) == (413, "too_large")
    fits = large[: 20 + MAX_BODY_BYTES // 2] + b"}"
    assert http.post("/api/tables", content=fits, headers=headers).status_code == 201


def test_who_asks_too_much_is_told_to_wait(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, tables_a_minute=3) as host:
        for path in ("/api/tables", "/api/tables/", "/api/tables"):
            assert host.http.post(path, json={"against": "friend"}).status_code == 201
        for path in ("/api/tables", "/api/tables/", "/api/tables//"):
            answer = host.http.post(path, json={"against": "friend"})
            assert code_of(answer) == (429, "too_many")
            assert answer.headers["x-content-type-options"] == "nosniff"
        forged = {"x-forwarded-for": "192.0.2.9"}
        answer = host.http.post("/api/tables", json={"against": "friend"}, headers=forged)
        assert code_of(answer) == (429, "too_many")
        assert host.http.post("/api/visitor").status_code == 200, "the rest goes on"


def test_what_is_asked_is_counted_by_the_second(tmp_path: Path) -> None:
    with run_in_thread(tmp_path, requests_a_second=5) as host:
        for ask in (partial(host.http.post, "/api/visitor"), partial(host.http.get, "/api/levels")):
            # Two seconds may begin while we ask, never three.
            codes = [ask().status_code for _ in range(16)]
            assert codes.count(429) >= 1
        assert {host.http.get("/health").status_code for _ in range(20)} == {200}


def test_a_head_without_end_is_hung_up_on(proxied: Server) -> None:
    url = httpx.URL(proxied.address)
    assert url.port is not None
    with (
        socket.create_connection((url.host, url.port), timeout=20) as line,
        suppress(ConnectionError),
    ):
        line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-Y: z\r\n" * 30_000)
        assert line.recv(1) == b"", "the rest is not waited for"


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /" + b"x" * 300_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET /api/tables/\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: \xff\xfe[\r\nAccept-Language: \xff\r\nCookie: jaipur=\xff\r\n\r\n",
        b"POST /api/visitor HTTP/1.1\r\nHost: [\r\nOrigin: \xff\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nContent-Length: 99999999999\r\n" + JSON + b"\r\n{",
        b"POST /api/tables HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"
        + JSON
        + b"\r\n0\r\n\r\n",
    ],
    ids=lambda sent: sent[:24].decode("latin-1"),
)
def test_what_no_client_sends_never_breaks_the_server(host: ThreadedServer, sent: bytes) -> None:
    port = int(host.address.rsplit(":")[-1])
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as wire:
        wire.sendall(sent)
        status = int(wire.recv(4096).split()[1])
    assert status in (200, 400, 403, 413)
    assert host.http.get("/health").status_code == 200


def test_who_goes_away_in_the_middle_of_a_request_leaves_no_trace(
    host: ThreadedServer, caplog: pytest.LogCaptureFixture
) -> None:
    port = int(host.address.rsplit(":")[-1])
    head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as wire:
        wire.sendall(head + JSON + b"\r\n{")
    for _ in range(20):
        host.http.get("/health").raise_for_status()
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


# Hidden cards


def same_to(audience: int | None, deal: Deal, moves: Sequence[str], rng: Random) -> Deal | None:
    """Another deal that looks the same to an audience while these moves are played, or None."""
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
    """How many cards have left the deck after these moves."""
    position = new_round(deal)
    for move in moves:
        position.play(Move.parse(move))
    return position.drawn


def _bonuses(deal: Deal, moves: Sequence[str]) -> list[tuple[int, int, int]]:
    """Who took which bonus token: the seat, the pile, and the place in it."""
    taken = list[tuple[int, int, int]]()
    for turn, move in _turns(deal, moves):
        if move.startswith("-") and len(move) > 3:
            pile = min(len(move) - 4, 2)
            place = sum(each == pile for _, each, _ in taken)
            taken.append((turn, pile, place))
    return taken


def walked(
    host: ThreadedServer,
    deal: Deal,
    moves: Sequence[str],
    audience: int | None,
    name: str,
    **options: str,
) -> list[bytes]:
    """Every byte an audience gets while moves are played, but for the name and the promise of the deal."""
    ago = 2 * DELAY if audience is None else 0
    traders = store_game(host.database, host.http, deal, table=name, ago=ago, **options)
    who = Client(host.http, name, "nobody-has-this-secret-here", None)
    who = who if audience is None else traders[audience]
    got: list[httpx.Response] = []
    for version, (turn, move) in enumerate(_turns(deal, moves), 2):
        got += [who.get(), who.get("/record"), who.get("/events", follow="false")]
        # Whether the other could sell these is for nobody else to know.
        sales = [2 * LETTERS[(version + each) % 6] for each in range(3)]
        got += [who.get("/why", move=text) for text in (move, "+MM", *(f"-{two}" for two in sales))]
        refused = [f"-{two}" for two in sales if turn != audience] or ["-DDDDDD"]
        got += [who.play(text, version) for text in refused]
        traders[turn].play(move, version).raise_for_status()
    if audience is None:
        now = host.tables.now
        host.tables.now = lambda: now() + 2 * DELAY
    got += [who.get(), who.get("/record"), who.get("/events.ndjson", follow="false", after=0)]
    got += [who.get("/events", follow="false", after=0)]
    if audience is None:
        host.tables.now = now
    promise = decode(traders[0].messages(1)[0])["table"]["rounds"][0]["commitment"]
    hidden = [(promise.encode(), b"PROMISE"), (name.encode(), b"NAME")]
    return [_without(hidden, b"%d %s" % (each.status_code, each.content)) for each in got]


def _turns(deal: Deal, moves: Sequence[str]) -> list[tuple[int, str]]:
    return [((deal.starts + number) % 2, move) for number, move in enumerate(moves)]


def _without(hidden: list[tuple[bytes, bytes]], said: bytes) -> bytes:
    for old, new in hidden:
        said = said.replace(old, new)
    return said


@pytest.mark.parametrize("herds", ["open", "hidden"])
@pytest.mark.parametrize("audience", [0, 1, None], ids=["seat 0", "seat 1", "watching"])
def test_nobody_gets_a_byte_that_depends_on_what_they_cannot_see(
    host: ThreadedServer, monkeypatch: pytest.MonkeyPatch, audience: int | None, herds: str
) -> None:
    rng = Random(f"{audience} {herds}")
    deal, moves, other = _pair(audience, rng)
    now = system_time()
    monkeypatch.setattr(host.tables, "now", lambda: now)
    monkeypatch.setattr(server.serving, "system_time", lambda: now)
    names = [f"{rng.getrandbits(64):016x}" for _ in range(2)]
    first, second = (
        walked(host, each, moves, audience, name, herds=herds)
        for each, name in zip((deal, other), names, strict=True)
    )
    assert len(first) == len(second)
    for one, two in zip(first, second, strict=True):
        assert one == two
    assert any(b'"market"' in each for each in first)


def _pair(audience: int | None, rng: Random) -> tuple[Deal, list[str], Deal]:
    """A deal, moves that do not end its round, and another deal that looks the same all the while."""
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
            other = same_to(audience, deal, moves, rng)
            if other is not None and _much_differs(deal, other, moves, audience):
                return deal, moves, other


def _much_differs(deal: Deal, other: Deal, moves: Sequence[str], audience: int | None) -> bool:
    """Whether hands, deck and a bonus token that somebody else has taken differ."""
    tokens = [
        (deal.bonus[pile][place], other.bonus[pile][place])
        for turn, pile, place in _bonuses(deal, moves)
        if turn != audience
    ]
    hands = deal.pack[:10] != other.pack[:10]
    return hands and deal.pack[12:] != other.pack[12:] and any(one != two for one, two in tokens)
