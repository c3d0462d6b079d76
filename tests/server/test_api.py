"""The API request by request: responses, and errors with a code and one sentence."""

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from command import jaipur
from jaipur.cli import main
from jaipur.players import LEVELS
from jaipur.rules.errors import Rule
from jaipur.words import LANGUAGES, Words
from server.services import Redis
from server.serving import (
    Client,
    ThreadedServer,
    decode,
    open_table,
    play_game,
    run_in_thread,
    run_server,
    store_game,
    two_players,
    wait_for,
)
from tables import dealt

PACK = "DDLCC GGSPM LP"
"""Seat 0 holds DDLCC, seat 1 GGSP and a camel; the market is LPMMM."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with run_in_thread(tmp_path_factory.mktemp("host")) as host:
        yield host


@pytest.fixture
def http(host: ThreadedServer) -> httpx.Client:
    return host.http


@pytest.fixture
def seats(host: ThreadedServer, request: pytest.FixtureRequest) -> list[Client]:
    """Two players with a known deal; seat 0 is to move at version 2."""
    name = f"{Random(request.node.nodeid).getrandbits(64):016x}"
    return store_game(host.database, host.http, dealt(PACK), table=name)


def assert_problem(response: httpx.Response, status: int, code: str) -> dict[str, object]:
    """Check an error response: its code, and one sentence without internals. Returns the problem."""
    problem: dict[str, object] = response.json()
    assert (response.status_code, problem["code"]) == (status, code), response.text
    assert response.headers["content-type"] == "application/json"
    sentence = str(problem["sentence"])
    assert sentence
    assert "\n" not in sentence
    assert not any(word in sentence for word in ("Traceback", "Error", "jaipur.", "litestar", "{"))
    return problem


# Games


def test_levels_are_described_in_the_language_of_the_client(http: httpx.Client) -> None:
    by_language = {
        language: http.get("/api/levels", headers={"accept-language": f"{language}-CH,en"}).json()
        for language in LANGUAGES
    }
    for levels in by_language.values():
        assert [level["name"] for level in levels] == [level.name for level in LEVELS]
    lines = {tuple(level["line"] for level in levels) for levels in by_language.values()}
    assert len(lines) == len(LANGUAGES)


def test_the_record_contains_the_game_and_matches_the_commitments(
    http: httpx.Client, tmp_path: Path
) -> None:
    clients = two_players(http, name="Ann", seat=0)
    moves = play_game(clients, Random(1))
    table = clients[0].get_table()
    record = clients[1].get("/record").raise_for_status()
    assert record.text.count("\n") == 1
    game = json.loads(record.text)
    assert [move for played in game["rounds"] for move in played["moves"]] == moves
    assert game["winner"] == table["over"]["winner"]
    file = tmp_path / "game.jsonl"
    file.write_text(record.text)
    commitments = [played["commitment"] for played in table["rounds"]]
    verified = jaipur("verify", file, "--commitment", *commitments)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_the_record_does_not_reveal_the_deal_of_a_running_round(seats: list[Client]) -> None:
    seats[0].play("+M", 2).raise_for_status()
    game = json.loads(seats[0].get("/record").text)
    assert game["rounds"] == []
    assert game["running"]["moves"] == ["+M"]
    assert "deal" not in game["running"]


def test_resigning_loses_the_game_and_reveals_the_deal(seats: list[Client]) -> None:
    assert seats[0].post("/resign").json() == {"version": 3}
    table = seats[1].get_table()
    assert (table["phase"], table["over"]) == ("over", {"by": "resignation", "winner": 1})
    assert table["rounds"][0]["opened"]["deal"].startswith("DDLCCGGSPMLP")
    assert seats[0].post("/resign").json() == {"version": 3}, "a repeated request"
    assert_problem(seats[1].post("/resign"), 409, "game_over")
    assert_problem(seats[1].play("+M", 3), 409, "game_over")


def test_a_rematch_needs_both_offers_and_swaps_the_seats(seats: list[Client]) -> None:
    assert_problem(seats[0].post("/rematch"), 409, "not_over")
    seats[0].post("/resign").raise_for_status()
    assert seats[0].post("/rematch").json() == {"version": 4, "next": None}
    assert seats[0].post("/rematch").json() == {"version": 4, "next": None}
    name = seats[1].post("/rematch").json()["next"]
    assert seats[0].get_table()["next"] == name
    for seat, client in enumerate(seats):
        rematch = Client(client.http, name, client.secret, 1 - seat).get_table()
        assert (rematch["you"], rematch["previous"]) == (1 - seat, client.table)


def test_simultaneous_offers_lead_to_one_rematch(seats: list[Client]) -> None:
    seats[1].post("/resign").raise_for_status()
    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(lambda n: seats[n % 2].post("/rematch"), range(8)))
    assert {response.status_code for response in responses} == {200}
    assert len({response.json()["next"] for response in responses} - {None}) == 1
    kinds = [decode(line)["kind"] for line in seats[0].messages()]
    assert kinds.count("offered") == 2
    assert kinds.count("rematched") == 1


def test_a_computer_always_accepts_a_rematch(http: httpx.Client) -> None:
    client, _ = open_table(http, "computer", level="random")
    client.post("/resign").raise_for_status()
    assert client.post("/rematch").json()["next"]


def test_one_screen_plays_both_seats_and_can_name_the_seat(http: httpx.Client) -> None:
    client, response = open_table(http, "one_screen", name="Ann", other_name="Bo", seat=0)
    assert response["seat"] is None
    assert [seat["name"] for seat in client.get_table()["seats"]] == ["Ann", "Bo"]
    turn = client.get_table()["turn"]
    assert client.get(seat=1 - turn).json()["moves"] == []
    move = client.get(seat=turn).json()["moves"][0]
    assert_problem(client.play(move, 2, seat=1 - turn), 409, "not_your_turn")
    assert client.play(move, 2, seat=turn).json() == {"version": 3}
    assert client.get_table()["you"] == 1 - turn


def test_an_invitation_works_once_and_can_be_repeated_with_the_same_secret(
    http: httpx.Client,
) -> None:
    first, response = open_table(http, "friend", seat=1)
    seat = {"invitation": response["invitation"]}
    guest = {"authorization": "Bearer the-secret-of-the-guest"}
    for _ in range(2):
        taken = http.post(f"{first.path}/seat", json=seat, headers=guest)
        answer = taken.json()
        assert answer.pop("upcoming")["round"] == 2
        assert answer == {"seat": 0, "secret": None, "version": 3}
    assert_problem(http.post(f"{first.path}/seat", json=seat), 409, "seat_taken")
    assert first.post("/seat", seat).json()["seat"] == 1, "a seated client keeps its seat"


# Moves


def test_a_repeated_move_is_played_once(seats: list[Client]) -> None:
    assert seats[0].play("+M", 2).json() == {"version": 3}
    assert seats[0].play("+M", 2).json() == {"version": 3}
    seats[1].play("-GG", 3).raise_for_status()
    assert seats[0].play("+M", 2).json() == {"version": 3}, "also after the opponent's move"
    assert seats[0].get_table()["version"] == 4


def test_twenty_equal_concurrent_requests_play_one_move(seats: list[Client]) -> None:
    with ThreadPoolExecutor(20) as pool:
        responses = list(pool.map(lambda _: seats[0].play("+M", 2), range(20)))
    assert [response.json() for response in responses] == [{"version": 3}] * 20
    assert [decode(line)["kind"] for line in seats[0].messages(2)] == ["played"]


def test_of_twenty_different_concurrent_moves_one_is_played(seats: list[Client]) -> None:
    moves = seats[0].get_table()["moves"] * 20
    with ThreadPoolExecutor(20) as pool:
        responses = list(pool.map(lambda move: seats[0].play(move, 2), moves[:20]))
    played = [response for response in responses if response.status_code == 200]
    assert {response.json()["version"] for response in played} == {3}
    for response in responses:
        if response not in played:
            assert_problem(response, 409, "not_your_turn")


def test_a_move_for_an_old_or_future_version_is_refused(seats: list[Client]) -> None:
    seats[0].play("+M", 2).raise_for_status()
    seats[1].play("-GG", 3).raise_for_status()
    problem = assert_problem(seats[0].play("-DD", 2), 409, "stale")
    assert problem["values"] == {"seen": 2, "version": 4}
    problem = assert_problem(seats[0].play("-DD", 5), 409, "ahead")
    assert problem["values"] == {"seen": 5, "version": 4}


def test_leaving_does_not_make_a_move_stale(seats: list[Client]) -> None:
    assert seats[1].post("/leave").json() == {"version": 3}
    assert seats[0].play("+M", 2).json() == {"version": 4}


def test_the_turn_is_checked_before_the_move(seats: list[Client]) -> None:
    assert_problem(seats[1].play("-GG", 2), 409, "not_your_turn")
    assert_problem(seats[1].play("-DDDDDD", 2), 409, "not_your_turn")


def test_no_move_is_possible_before_both_seats_are_taken(http: httpx.Client) -> None:
    client, _ = open_table(http, "friend")
    assert_problem(client.play("+M", 1), 409, "not_started")
    assert_problem(client.post("/resign"), 409, "not_started")


ILLEGAL_MOVES = {
    Rule.CAMELS_ALONE: "+LM",
    Rule.CAMELS_AS_ONE: "+MM",
    Rule.NOT_IN_MARKET: "+D",
    Rule.ONE_GOOD: "+PL",
    Rule.ONE_FOR_ONE: "+P-D",
    Rule.UNEVEN_EXCHANGE: "+PL-D",
    Rule.SAME_KIND: "+PL-DL",
    Rule.CAMELS_NOT_SOLD: "-M",
    Rule.ONE_KIND_A_SALE: "-DC",
    Rule.NOT_IN_HAND: "-G",
    Rule.NOT_IN_HERD: "+PL-MM",
    Rule.TWO_PRECIOUS: "-D",
}
OTHER_RULES = {
    Rule.ROUND_OVER,  # the next round is dealt at once
    Rule.EMPTY_MOVE,  # the notation cannot express it
    Rule.NO_CAMELS_IN_MARKET,
    Rule.HAND_LIMIT,
}


@pytest.mark.parametrize("rule", [*ILLEGAL_MOVES, Rule.NO_CAMELS_IN_MARKET, Rule.HAND_LIMIT])
def test_an_illegal_move_is_refused_with_its_rule_in_the_language_of_the_client(
    seats: list[Client], rule: Rule
) -> None:
    client, version, move = seats[0], 2, ILLEGAL_MOVES.get(rule, "")
    if rule is Rule.NO_CAMELS_IN_MARKET:
        seats[0].play("+M", 2).raise_for_status()
        client, version, move = seats[1], 3, "+M"
        if "M" in client.get_table()["view"]["market"]:
            pytest.fail("the deck must start with goods")
    if rule is Rule.HAND_LIMIT:
        seats[0].play("+M", 2).raise_for_status()
        market = seats[1].get_table()["view"]["market"]
        seats[1].play(f"+{market[0]}", 3).raise_for_status()
        taken = "".join(sorted(seats[0].get_table()["view"]["market"][:3], key="DGSCPLM".index))
        version, move = 4, f"+{taken}-MMM"
    sentences = set()
    for language in LANGUAGES:
        body = {"move": move, "version": version}
        response = client.post("/play", body, **{"accept-language": language})
        problem = assert_problem(response, 422, "illegal")
        assert problem["rule"] == rule
        sentences.add(problem["sentence"])
    assert len(sentences) == len(LANGUAGES)
    assert client.get_table()["version"] == version


def test_every_rule_is_tested_or_cannot_be_broken_here() -> None:
    assert ILLEGAL_MOVES.keys() | OTHER_RULES == set(Rule)


def test_explain_move_names_the_problem_and_plays_nothing(seats: list[Client]) -> None:
    assert seats[0].get("/why", move="+M").json() == {"legal": True, "problem": None}
    check = seats[0].get("/why", move="-D").json()
    assert (check["legal"], check["problem"]["rule"]) == (False, "two_precious")
    assert seats[0].get("/why", move="?").json()["problem"]["code"] == "unreadable"
    assert seats[1].get("/why", move="-GG").json()["problem"]["code"] == "not_your_turn"
    assert seats[0].get_table()["version"] == 2
    response = seats[0].http.get(f"{seats[0].path}/why", params={"move": "+M"})
    assert_problem(response, 403, "not_seated")


# Malformed requests


MOVE = {"move": "+M", "version": 2}
JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"+M"',
        b"[" * 16_000,
        b'{"move": "+M", "version": 2',
        b'{"move": "+M", "version": 2}}',
        b'{"move": "\xed\xa0\x80", "version": 2}',
        b'{"move": "\xff", "version": 2}',
        b'{"move": "+M", "version": 2, "versoin": 3}',
        b'{"move": "+M"}',
        b'{"move": 7, "version": 2}',
        b'{"move": "+M", "version": "2"}',
        b'{"move": "+M", "version": true}',
        b'{"move": "+M", "version": 2, "seat": "0"}',
        b'{"move": "+M", "version": 2.5}',
        b'{"move": "+M", "version": -1}',
        b'{"move": "+M", "version": 2147483648}',
        b'{"move": "+M", "version": 1e400}',
        b'{"move": "+M", "version": ' + b"9" * 5000 + b"}",
        b'{"move": "+M", "version": 2, "seat": 2}',
        b'{"move": "' + b"+" * 201 + b'", "version": 2}',
    ],
    ids=lambda body: body[:30].decode("latin-1") or "nothing",
)
def test_a_malformed_body_is_refused(seats: list[Client], body: bytes) -> None:
    response = seats[0].http.post(
        f"{seats[0].path}/play", content=body, headers=seats[0].headers | JSON
    )
    assert_problem(response, 400, "bad_request")
    assert seats[0].get_table()["version"] == 2


@pytest.mark.parametrize("move", ["", "M", "++M", "+", "-\x00", "+Ⅿ", "{0}", "%s", "🐫", "+M" * 99])
def test_an_unreadable_move_is_refused(seats: list[Client], move: str) -> None:
    problem = seats[0].play(move, 2).json()
    assert problem["code"] == "unreadable"
    assert seats[0].get("/why", move=move).json()["problem"]["code"] == "unreadable"


@pytest.mark.parametrize(
    "body",
    [
        {"against": "two_players"},
        {"against": "computer", "level": "deep-blue"},
        {"against": "friend", "seat": 2},
        {"against": "friend", "seat": -1},
        {"against": "friend", "name": "x" * 25},
        {"against": "friend", "name": "Ann\n"},
        {"against": "friend", "name": "\x1b[31mAnn"},
        {"against": "friend", "name": "A\x00n"},
        {"against": "friend", "name": "Ann\u202e"},
        {"against": "friend", "options": {"herds": "lost"}},
        {"against": "friend", "options": {"clock": {"kind": "live", "seconds": 9}}},
        {"against": "friend", "options": {"clock": {"kind": "live", "seconds": 10, "left": 1}}},
        {"against": "friend", "options": {"clock": {"kind": "daily", "days": 15}}},
        {"against": "friend", "options": {"clock": {"kind": "lunar"}}},
        {"against": "friend", "cheat": True},
        {"against": "friend", "seat": "1"},
        {"against": "friend", "options": {"watch": "false"}},
        {"against": "friend", "options": {"clock": {"kind": "daily", "days": "2"}}},
    ],
    ids=str,
)
def test_invalid_fields_of_open_table_are_refused(
    http: httpx.Client, body: dict[str, object]
) -> None:
    response = http.post("/api/tables", json=body)
    code = {"level": "no_such_level", "name": "bad_name"}.get([*body][-1], "bad_request")
    assert_problem(response, 400, code)


@pytest.mark.parametrize(
    "name", ["Zoë", "Лев", "王", "אבא", "🐪" * 24, "'; DROP TABLE--", "<b>{x}"]
)
def test_names_are_returned_unchanged(http: httpx.Client, name: str) -> None:
    client, _ = open_table(http, "friend", name=name, seat=0)
    assert client.get_table()["seats"][0]["name"] == name
    assert json.loads(client.get("/record").text)["players"][0] == name
    assert decode(client.messages()[0])["table"]["seats"][0]["name"] == name


@pytest.mark.parametrize(
    "name",
    ["x", "0" * 15, "0" * 16, "0" * 17, "A" * 16, "%00", "%ff%fe", "..", "%2e%2e%2fx", "٠" * 16],
)
def test_an_unknown_table_is_not_found(http: httpx.Client, name: str) -> None:
    for what in ("", "/record", "/events", "/events.ndjson", "/why?move=%2BM"):
        problem = http.get(f"/api/tables/{name}{what}").json()
        assert problem["code"] in ("no_such_table", "no_such_page")
    for what, body in (("play", MOVE), ("seat", {"invitation": "x"}), ("resign", None)):
        response = http.post(f"/api/tables/{name}/{what}", json=body)
        assert response.status_code == 404


@pytest.mark.parametrize(
    "query",
    ["?seat=2", "?seat=-1", "?seat=x", "/events.ndjson?after=-1", "/events.ndjson?after=x",
     "/events.ndjson?after=2147483648", "/events?follow=perhaps", "/why",
     "/why?move=" + "M" * 201],
)  # fmt: skip
def test_query_parameters_out_of_range_are_refused(seats: list[Client], query: str) -> None:
    response = seats[0].http.get(seats[0].path + query, headers=seats[0].headers)
    assert_problem(response, 400, "bad_request")


@pytest.mark.parametrize("last", ["", "x", "-1", "1.5", "9" * 20])
def test_an_invalid_last_event_id_starts_with_the_current_state(
    seats: list[Client], last: str
) -> None:
    headers = seats[0].headers | {"last-event-id": last}
    stream = seats[0].http.get(f"{seats[0].path}/events?follow=false", headers=headers)
    assert stream.content.startswith(b"id: 2\ndata: ")


def test_other_paths_and_methods_are_not_found(http: httpx.Client) -> None:
    assert_problem(http.get("/api/nothing"), 404, "no_such_page")
    assert_problem(http.get("/etc/passwd"), 404, "no_such_page")
    assert_problem(http.delete("/api/tables"), 405, "no_such_page")
    assert_problem(http.put("/api/levels", json={}), 405, "no_such_page")


def test_sentences_are_in_the_language_of_the_client(http: httpx.Client) -> None:
    for accepted, language in (
        ("fr-CH, en;q=0.5", "fr"),
        ("xx, it", "it"),
        ("xx", "en"),
        ("", "en"),
    ):
        response = http.get("/api/tables/none", headers={"accept-language": accepted})
        words = Words(language)
        assert response.json()["sentence"] == words.say("refused.no_such_table")


@pytest.mark.parametrize(
    "path",
    ["/", "/rules", "/t/0123456789abcdef", "/icon.svg", "/health", "/ready", "/api/levels",
     "/api/schema/openapi.json", "{table}", "{table}/record", "{table}/why?move=%2BM",
     "{table}/events?follow=false", "{table}/events.ndjson?follow=false", "/nowhere"],
)  # fmt: skip
def test_head_answers_as_get_without_a_body(seats: list[Client], path: str) -> None:
    http, path = seats[0].http, path.format(table=seats[0].path)
    got = http.get(path, headers=seats[0].headers)
    head = http.head(path, headers=seats[0].headers)
    assert (head.status_code, head.content) == (got.status_code, b"")
    per_message = {"date", "transfer-encoding"}
    assert {name: value for name, value in head.headers.items() if name not in per_message} == {
        name: value for name, value in got.headers.items() if name not in per_message
    }


def test_head_of_a_stream_ends_at_once_and_leaves_no_subscriber(
    host: ThreadedServer, seats: list[Client]
) -> None:
    for path in ("/events", "/events.ndjson"):
        head = host.http.head(seats[0].path + path, headers=seats[0].headers)
        assert (head.status_code, head.content) == (200, b"")
    wait_for(lambda: not host.tables.subscribers(seats[0].table))


# Health


def test_health_readiness_and_metrics(
    host: ThreadedServer, http: httpx.Client, seats: list[Client]
) -> None:
    assert http.get("/health").json()["status"] == "ok"
    assert http.get("/ready").json()["status"] == "ok"
    seats[0].play("-D", 2)
    text = host.metrics()
    metrics = {family.name: family for family in text_string_to_metric_families(text)}
    assert {"jaipur_requests", "jaipur_refusals", "jaipur_streams", "jaipur_tables"} <= set(metrics)
    codes = {sample.labels.get("code") for sample in metrics["jaipur_refusals"].samples}
    assert "illegal" in codes
    for private in (seats[0].table, seats[0].secret, "Ann"):
        assert private not in text


def test_a_server_without_redis_is_not_ready_but_plays(tmp_path: Path, redis: Redis) -> None:
    with run_in_thread(tmp_path, redis=redis.url, alone=False) as host:
        assert host.http.get("/ready").status_code == 200
        client, _ = open_table(host.http, "one_screen")
        redis.stop()
        try:
            not_ready = wait_for(lambda: _not_ready_response(host.http))
            assert not_ready.json()["status"] == "redis does not answer"
            move = client.get_table()["moves"][0]
            assert client.play(move, 2).json() == {"version": 3}, "games continue"
        finally:
            redis.start()
        wait_for(lambda: host.http.get("/ready").status_code == 200)


def _not_ready_response(http: httpx.Client) -> httpx.Response | None:
    response = http.get("/ready")
    return response if response.status_code == 503 else None


# Startup errors


@pytest.fixture
def _restore_signals() -> Iterator[None]:
    """The command installs signal handlers."""
    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


def test_two_servers_on_one_file_need_redis(
    tmp_path: Path, redis: Redis, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without Redis, players on different servers would not see each other's moves."""
    link = tmp_path / "link.sqlite"
    link.symlink_to(tmp_path / "tables.sqlite")
    second = ["serve", "--port", "0", "--database", f"sqlite:///{link}"]
    sentence = f"jaipur: Another server uses {link}. Servers that share a database need --redis.\n"
    with run_server(tmp_path) as first:
        for arguments in (second, [*second, "--redis", redis.url]):
            assert main(arguments) == 2
            assert capfd.readouterr().err == sentence
        first.kill()
        with run_server(tmp_path, "--redis", redis.url) as alone:
            assert main(second) == 2
            assert capfd.readouterr().err == sentence
            with run_server(tmp_path, "--redis", redis.url) as other:
                assert other.address != alone.address
                assert httpx.get(f"{other.address}/ready").status_code == 200


@pytest.mark.usefixtures("_restore_signals")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--workers", "2"], "--redis"),
        (["--database", "mysql://x/y"], "sqlite:///"),
        (["--database", "sqlite:///{folder}/none/t.sqlite"], "no folder"),
        (["--database", "sqlite:///{folder}/locked/t.sqlite"], "cannot be used"),
        (["--database", "sqlite:///{folder}/text"], "cannot be used"),
        (["--database", "sqlite:///{folder}/t.sqlite?timeout=x"], "no options"),
        (["--database", "postgresql://nobody:secret@127.0.0.1:1/none"], "cannot be used"),
        (["--redis", "redis://127.0.0.1:1"], "Redis cannot be reached"),
        (["--port", "{taken}"], "127.0.0.1:{taken}"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_startup_error_is_one_sentence(
    host: ThreadedServer,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    (tmp_path / "text").write_text("Not a database, and longer than the header of one." * 9)
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked" / "t.sqlite").mkdir()
    values = {"folder": str(tmp_path), "taken": host.address.rsplit(":")[-1]}
    database = ["--database", f"sqlite:///{tmp_path}/t.sqlite"]
    status = main(["serve", *database, *(each.format(**values) for each in arguments)])
    output = capfd.readouterr()
    assert (status, output.out) == (2, "")
    assert output.err.startswith("jaipur: ")
    assert message.format(**values) in output.err
    assert output.err.count("\n") == 1
    assert "secret" not in output.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--proxy", "not an address"], "“not an address” is not an IP address"),
        (["--proxy", "127.0.0.1,proxy.example"], "“proxy.example” is not an IP address"),
        (["--proxy", ""], "“” is not an IP address"),
        (["--proxy", "10.0.0.1/8"], "“10.0.0.1/8” is not an IP address"),
        (["--metrics-token", "short"], "it has fewer than 16 characters"),
        (["--name", "https://play.example"], "“https://play.example” is not a host name"),
        (["--name", "play.example:8080"], "“play.example:8080” is not a host name"),
        (["--connections", "-1"], "-1 is less than 0"),
    ],
    ids=str,
)
def test_an_argument_of_the_wrong_form_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["serve", *arguments])
    assert message in capsys.readouterr().err


def test_a_short_token_in_the_environment_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAIPUR_METRICS_TOKEN", "short")
    assert main(["serve", "--database", f"sqlite:///{tmp_path}/t.sqlite"]) == 2
    assert capsys.readouterr().err == (
        "jaipur: JAIPUR_METRICS_TOKEN: it has fewer than 16 characters.\n"
    )


def test_the_token_in_the_environment_opens_the_metrics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "a-token-of-the-environment"
    monkeypatch.setenv("JAIPUR_METRICS_TOKEN", token)
    monkeypatch.setattr("server.serving.TEST_OPTIONS", ("--thinkers", "1"))
    with run_server(tmp_path) as server:
        url = f"{server.address}/metrics"
        assert httpx.get(url).status_code == 404
        assert httpx.get(url, headers={"authorization": f"Bearer {token}"}).status_code == 200
