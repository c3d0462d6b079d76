"""The API, request by request: what it does, and that whatever it does not do is one sentence and a code."""

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
    """Two traders before a deal we know; seat 0 is to move at version 2."""
    name = f"{Random(request.node.nodeid).getrandbits(64):016x}"
    return store_game(host.database, host.http, dealt(PACK), table=name)


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    """The problem an answer tells of: a code, and one sentence without anything of our insides."""
    problem: dict[str, object] = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), answer.text
    assert answer.headers["content-type"] == "application/json"
    sentence = str(problem["sentence"])
    assert sentence
    assert "\n" not in sentence
    assert not any(word in sentence for word in ("Traceback", "Error", "jaipur.", "litestar", "{"))
    return problem


# Games


def test_levels_are_told_in_the_readers_language(http: httpx.Client) -> None:
    told = {
        language: http.get("/api/levels", headers={"accept-language": f"{language}-CH,en"}).json()
        for language in LANGUAGES
    }
    for levels in told.values():
        assert [level["name"] for level in levels] == [level.name for level in LEVELS]
    lines = {tuple(level["line"] for level in levels) for levels in told.values()}
    assert len(lines) == len(LANGUAGES)


def test_the_record_is_what_was_played_and_keeps_every_promise(
    http: httpx.Client, tmp_path: Path
) -> None:
    traders = two_players(http, name="Ann", seat=0)
    moves = play_game(traders, Random(1))
    seen = traders[0].get_table()
    record = traders[1].get("/record").raise_for_status()
    assert record.text.count("\n") == 1
    told = json.loads(record.text)
    assert [move for played in told["rounds"] for move in played["moves"]] == moves
    assert told["winner"] == seen["over"]["winner"]
    file = tmp_path / "game.jsonl"
    file.write_text(record.text)
    noted = [played["commitment"] for played in seen["rounds"]]
    verified = jaipur("verify", file, "--commitment", *noted)
    assert (verified.returncode, verified.stderr) == (0, "")


def test_a_running_round_is_not_opened_in_the_record(seats: list[Client]) -> None:
    seats[0].play("+M", 2).raise_for_status()
    told = json.loads(seats[0].get("/record").text)
    assert told["rounds"] == []
    assert told["running"]["moves"] == ["+M"]
    assert "deal" not in told["running"]


def test_who_resigns_has_lost_and_the_deal_is_opened(seats: list[Client]) -> None:
    assert seats[0].post("/resign").json() == {"version": 3}
    seen = seats[1].get_table()
    assert (seen["phase"], seen["over"]) == ("over", {"by": "resignation", "winner": 1})
    assert seen["rounds"][0]["opened"]["deal"].startswith("DDLCCGGSPMLP")
    assert seats[0].post("/resign").json() == {"version": 3}, "sent again, it is done already"
    refused(seats[1].post("/resign"), 409, "game_over")
    refused(seats[1].play("+M", 3), 409, "game_over")


def test_a_rematch_is_on_when_both_have_asked_and_swaps_the_seats(seats: list[Client]) -> None:
    refused(seats[0].post("/rematch"), 409, "not_over")
    seats[0].post("/resign").raise_for_status()
    assert seats[0].post("/rematch").json() == {"version": 4, "next": None}
    assert seats[0].post("/rematch").json() == {"version": 4, "next": None}
    name = seats[1].post("/rematch").json()["next"]
    assert seats[0].get_table()["next"] == name
    for seat, trader in enumerate(seats):
        again = Client(trader.http, name, trader.secret, 1 - seat).get_table()
        assert (again["you"], again["previous"]) == (1 - seat, trader.table)


def test_two_who_ask_for_a_rematch_at_once_meet_at_one_table(seats: list[Client]) -> None:
    seats[1].post("/resign").raise_for_status()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: seats[n % 2].post("/rematch"), range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["next"] for answer in answers} - {None}) == 1
    kinds = [decode(line)["kind"] for line in seats[0].messages()]
    assert kinds.count("offered") == 2
    assert kinds.count("rematched") == 1


def test_a_computer_always_wants_a_rematch(http: httpx.Client) -> None:
    trader, _ = open_table(http, "computer", level="random")
    trader.post("/resign").raise_for_status()
    assert trader.post("/rematch").json()["next"]


def test_one_screen_plays_both_seats_and_may_name_the_seat(http: httpx.Client) -> None:
    trader, answer = open_table(http, "one_screen", name="Ann", other_name="Bo", seat=0)
    assert answer["seat"] is None
    assert [seat["name"] for seat in trader.get_table()["seats"]] == ["Ann", "Bo"]
    turn = trader.get_table()["turn"]
    assert trader.get(seat=1 - turn).json()["moves"] == []
    move = trader.get(seat=turn).json()["moves"][0]
    refused(trader.play(move, 2, seat=1 - turn), 409, "not_your_turn")
    assert trader.play(move, 2, seat=turn).json() == {"version": 3}
    assert trader.get_table()["you"] == 1 - turn


def test_an_invitation_is_taken_once_and_answered_again_to_the_same_secret(
    http: httpx.Client,
) -> None:
    first, answer = open_table(http, "friend", seat=1)
    seat = {"invitation": answer["invitation"]}
    guest = {"authorization": "Bearer a-secret-of-the-guests-own"}
    for _ in range(2):
        taken = http.post(f"{first.path}/seat", json=seat, headers=guest)
        assert taken.json() == {"seat": 0, "secret": None, "version": 3}
    refused(http.post(f"{first.path}/seat", json=seat), 409, "seat_taken")
    assert first.post("/seat", seat).json()["seat"] == 1, "whoever sits here keeps their seat"


# Moves


def test_a_move_sent_twice_is_played_once(seats: list[Client]) -> None:
    assert seats[0].play("+M", 2).json() == {"version": 3}
    assert seats[0].play("+M", 2).json() == {"version": 3}
    seats[1].play("-GG", 3).raise_for_status()
    assert seats[0].play("+M", 2).json() == {"version": 3}, "the other's answer changes nothing"
    assert seats[0].get_table()["version"] == 4


def test_twenty_equal_requests_at_once_play_one_move(seats: list[Client]) -> None:
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: seats[0].play("+M", 2), range(20)))
    assert [answer.json() for answer in answers] == [{"version": 3}] * 20
    assert [decode(line)["kind"] for line in seats[0].messages(2)] == ["played"]


def test_of_twenty_different_moves_at_once_one_is_played(seats: list[Client]) -> None:
    moves = seats[0].get_table()["moves"] * 20
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda move: seats[0].play(move, 2), moves[:20]))
    played = [answer for answer in answers if answer.status_code == 200]
    assert {answer.json()["version"] for answer in played} == {3}
    for answer in answers:
        if answer not in played:
            refused(answer, 409, "not_your_turn")


def test_a_stale_click_is_told_so(seats: list[Client]) -> None:
    seats[0].play("+M", 2).raise_for_status()
    seats[1].play("-GG", 3).raise_for_status()
    problem = refused(seats[0].play("-DD", 2), 409, "stale")
    assert problem["values"] == {"seen": 2, "version": 4}
    problem = refused(seats[0].play("-DD", 5), 409, "ahead")
    assert problem["values"] == {"seen": 5, "version": 4}


def test_what_does_not_change_the_game_makes_no_move_stale(seats: list[Client]) -> None:
    assert seats[1].post("/leave").json() == {"version": 3}
    assert seats[0].play("+M", 2).json() == {"version": 4}


def test_it_is_not_your_turn_before_anything_is_said_of_the_move(seats: list[Client]) -> None:
    refused(seats[1].play("-GG", 2), 409, "not_your_turn")
    refused(seats[1].play("-DDDDDD", 2), 409, "not_your_turn")


def test_nobody_plays_before_both_are_seated(http: httpx.Client) -> None:
    trader, _ = open_table(http, "friend")
    refused(trader.play("+M", 1), 409, "not_started")
    refused(trader.post("/resign"), 409, "not_started")


BROKEN = {
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
ELSEWHERE = {
    Rule.ROUND_OVER,  # the next round is dealt before anybody could ask
    Rule.EMPTY_MOVE,  # cannot be written
    Rule.NO_CAMELS_IN_MARKET,
    Rule.HAND_LIMIT,
}


@pytest.mark.parametrize("rule", [*BROKEN, Rule.NO_CAMELS_IN_MARKET, Rule.HAND_LIMIT])
def test_an_illegal_move_is_refused_with_the_rule_in_the_readers_language(
    seats: list[Client], rule: Rule
) -> None:
    trader, version, move = seats[0], 2, BROKEN.get(rule, "")
    if rule is Rule.NO_CAMELS_IN_MARKET:
        seats[0].play("+M", 2).raise_for_status()
        trader, version, move = seats[1], 3, "+M"
        if "M" in trader.get_table()["view"]["market"]:
            pytest.fail("the deck begins with goods")
    if rule is Rule.HAND_LIMIT:
        seats[0].play("+M", 2).raise_for_status()
        market = seats[1].get_table()["view"]["market"]
        seats[1].play(f"+{market[0]}", 3).raise_for_status()
        taken = "".join(sorted(seats[0].get_table()["view"]["market"][:3], key="DGSCPLM".index))
        version, move = 4, f"+{taken}-MMM"
    sentences = set()
    for language in LANGUAGES:
        body = {"move": move, "version": version}
        answer = trader.post("/play", body, **{"accept-language": language})
        problem = refused(answer, 422, "illegal")
        assert problem["rule"] == rule
        sentences.add(problem["sentence"])
    assert len(sentences) == len(LANGUAGES)
    assert trader.get_table()["version"] == version


def test_every_rule_is_among_those_tried_or_cannot_be_broken_here() -> None:
    assert BROKEN.keys() | ELSEWHERE == set(Rule)


def test_why_tells_what_speaks_against_a_move_and_plays_nothing(seats: list[Client]) -> None:
    assert seats[0].get("/why", move="+M").json() == {"legal": True, "problem": None}
    verdict = seats[0].get("/why", move="-D").json()
    assert (verdict["legal"], verdict["problem"]["rule"]) == (False, "two_precious")
    assert seats[0].get("/why", move="?").json()["problem"]["code"] == "unreadable"
    assert seats[1].get("/why", move="-GG").json()["problem"]["code"] == "not_your_turn"
    assert seats[0].get_table()["version"] == 2
    anybody = seats[0].http.get(f"{seats[0].path}/why", params={"move": "+M"})
    refused(anybody, 403, "not_seated")


# What cannot be understood


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
def test_a_body_that_makes_no_sense_is_refused(seats: list[Client], body: bytes) -> None:
    answer = seats[0].http.post(
        f"{seats[0].path}/play", content=body, headers=seats[0].headers | JSON
    )
    refused(answer, 400, "bad_request")
    assert seats[0].get_table()["version"] == 2


@pytest.mark.parametrize("move", ["", "M", "++M", "+", "-\x00", "+Ⅿ", "{0}", "%s", "🐫", "+M" * 99])
def test_a_move_that_cannot_be_read_is_refused(seats: list[Client], move: str) -> None:
    problem = seats[0].play(move, 2).json()
    assert problem["code"] == "unreadable"
    assert seats[0].get("/why", move=move).json()["problem"]["code"] == "unreadable"


@pytest.mark.parametrize(
    "wish",
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
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_refused(http: httpx.Client, wish: dict[str, object]) -> None:
    answer = http.post("/api/tables", json=wish)
    code = "no_such_level" if "level" in wish else "bad_request"
    refused(answer, 400, code)


@pytest.mark.parametrize(
    "name", ["Zoë", "Лев", "王", "אבא", "🐪" * 24, "'; DROP TABLE--", "<b>{x}"]
)
def test_names_are_told_as_they_were_given(http: httpx.Client, name: str) -> None:
    trader, _ = open_table(http, "friend", name=name, seat=0)
    assert trader.get_table()["seats"][0]["name"] == name
    assert json.loads(trader.get("/record").text)["players"][0] == name
    assert decode(trader.messages()[0])["table"]["seats"][0]["name"] == name


@pytest.mark.parametrize(
    "name",
    ["x", "0" * 15, "0" * 16, "0" * 17, "A" * 16, "%00", "%ff%fe", "..", "%2e%2e%2fx", "٠" * 16],
)
def test_a_table_that_is_not_there_is_told_so(http: httpx.Client, name: str) -> None:
    for what in ("", "/record", "/events", "/events.ndjson", "/why?move=%2BM"):
        problem = http.get(f"/api/tables/{name}{what}").json()
        assert problem["code"] in ("no_such_table", "no_such_page")
    for what, body in (("play", MOVE), ("seat", {"invitation": "x"}), ("resign", None)):
        answer = http.post(f"/api/tables/{name}/{what}", json=body)
        assert answer.status_code == 404


@pytest.mark.parametrize(
    "asked",
    ["?seat=2", "?seat=-1", "?seat=x", "/events.ndjson?after=-1", "/events.ndjson?after=x",
     "/events.ndjson?after=2147483648", "/events?follow=perhaps", "/why",
     "/why?move=" + "M" * 201],
)  # fmt: skip
def test_questions_out_of_range_are_refused(seats: list[Client], asked: str) -> None:
    answer = seats[0].http.get(seats[0].path + asked, headers=seats[0].headers)
    refused(answer, 400, "bad_request")


@pytest.mark.parametrize("last", ["", "x", "-1", "1.5", "9" * 20])
def test_a_last_event_that_never_was_gives_how_things_stand(seats: list[Client], last: str) -> None:
    headers = seats[0].headers | {"last-event-id": last}
    said = seats[0].http.get(f"{seats[0].path}/events?follow=false", headers=headers)
    assert said.content.startswith(b"id: 2\ndata: ")


def test_nothing_is_at_other_addresses_and_nothing_answers_other_verbs(http: httpx.Client) -> None:
    refused(http.get("/api/nothing"), 404, "no_such_page")
    refused(http.get("/etc/passwd"), 404, "no_such_page")
    refused(http.delete("/api/tables"), 405, "no_such_page")
    refused(http.put("/api/levels", json={}), 405, "no_such_page")


def test_sentences_are_in_the_readers_language(http: httpx.Client) -> None:
    for accepted, language in (
        ("fr-CH, en;q=0.5", "fr"),
        ("de, it", "it"),
        ("xx", "en"),
        ("", "en"),
    ):
        answer = http.get("/api/tables/none", headers={"accept-language": accepted})
        words = Words(language)  # type: ignore[arg-type]  # one of ours
        assert answer.json()["sentence"] == words.say("refused.no_such_table")


# How the server is


def test_health_readiness_and_figures(http: httpx.Client, seats: list[Client]) -> None:
    assert http.get("/health").json()["status"] == "ok"
    assert http.get("/ready").json()["status"] == "ok"
    seats[0].play("-D", 2)
    text = http.get("/metrics").text
    figures = {family.name: family for family in text_string_to_metric_families(text)}
    assert {"jaipur_requests", "jaipur_refusals", "jaipur_streams", "jaipur_tables"} <= set(figures)
    codes = {sample.labels.get("code") for sample in figures["jaipur_refusals"].samples}
    assert "illegal" in codes
    for private in (seats[0].table, seats[0].secret, "Ann"):
        assert private not in text


def test_a_server_whose_redis_is_gone_is_not_ready(tmp_path: Path, redis: Redis) -> None:
    with run_in_thread(tmp_path, redis=redis.url, alone=False) as host:
        assert host.http.get("/ready").status_code == 200
        trader, _ = open_table(host.http, "one_screen")
        redis.stop()
        try:
            unready = wait_for(lambda: _if_not_ready(host.http))
            assert unready.json()["status"] == "redis does not answer"
            move = trader.get_table()["moves"][0]
            assert trader.play(move, 2).json() == {"version": 3}, "games go on"
        finally:
            redis.start()
        wait_for(lambda: host.http.get("/ready").status_code == 200)


def _if_not_ready(http: httpx.Client) -> httpx.Response | None:
    answer = http.get("/ready")
    return answer if answer.status_code == 503 else None


# What cannot be started


@pytest.fixture
def _own_signals() -> Iterator[None]:
    """The command takes signals over; afterwards they are what they were."""
    before = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("_own_signals")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--workers", "2"], "--redis"),
        (["--database", "mysql://x/y"], "sqlite:///"),
        (["--database", "sqlite:///{folder}/none/t.sqlite"], "no folder"),
        (["--database", "sqlite:///{folder}/locked/t.sqlite"], "cannot be used"),
        (["--database", "sqlite:///{folder}/text"], "cannot be used"),
        (["--database", "postgresql://nobody:secret@127.0.0.1:1/none"], "cannot be used"),
        (["--redis", "redis://127.0.0.1:1"], "Redis cannot be reached"),
        (["--port", "{taken}"], "127.0.0.1:{taken}"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_server_that_cannot_start_says_so_in_one_sentence(
    host: ThreadedServer,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    said: str,
) -> None:
    (tmp_path / "text").write_text("This is no database, and it is longer than any header." * 9)
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked" / "t.sqlite").mkdir()
    named = {"folder": str(tmp_path), "taken": host.address.rsplit(":")[-1]}
    database = ["--database", f"sqlite:///{tmp_path}/t.sqlite"]
    status = main(["serve", *database, *(each.format(**named) for each in arguments)])
    told = capfd.readouterr()
    assert (status, told.out) == (2, "")
    assert told.err.startswith("jaipur: ")
    assert said.format(**named) in told.err
    assert told.err.count("\n") == 1
    assert "secret" not in told.err
