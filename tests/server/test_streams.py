"""Whole games followed by stream, over real sockets: everything is told once, in order, whatever is cut in between."""

import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from jaipur.server.http import limits, streams
from jaipur.server.live import scheduler, spectators, subscribers
from jaipur.table.events import Chair, Opened
from jaipur.table.options import DAY, TableOptions
from jaipur.table.state import ABANDONED_AFTER, digest
from server.serving import (
    TIMEOUT,
    Client,
    Json,
    Server,
    ThreadedServer,
    choose_move,
    deal_event,
    decode,
    open_table,
    play_game,
    run_in_thread,
    run_server,
    store_events,
    store_game,
    two_players,
    wait_for,
)
from tables import dealt

PACK = "DDLCC GGSPM LP"
SOON = 300
"""Milliseconds after which those who watch are told, in these tests."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spectators, "DELAY", SOON)
        patch.setattr(streams, "DELAY", SOON)
        patch.setattr(scheduler, "AWAY_AFTER", 0.1)
        with run_in_thread(tmp_path_factory.mktemp("host")) as host:
            yield host


@pytest.fixture
def http(host: ThreadedServer) -> httpx.Client:
    return host.http


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def followed(trader: Client, until: Callable[[Json], bool], events: bool = False) -> list[bytes]:
    """Everything somebody is told from the first message on, until one is enough."""
    heard = []
    with trader.stream(after=0, events=events) as messages:
        for message in messages:
            heard.append(message)
            if until(decode(message)):
                break
    return heard


def over(message: Json) -> bool:
    return bool(message["table"]["over"])


def versions(heard: list[bytes]) -> list[int]:
    return [decode(message)["version"] for message in heard]


# Whole games


def test_a_person_plays_a_computer_by_nothing_but_the_stream(http: httpx.Client) -> None:
    trader, _ = open_table(http, "computer", level="random", name="Ann")
    rng, mine = Random(3), []
    with trader.stream() as messages:
        for message in map(decode, messages):
            if over(message):
                break
            if message["table"]["moves"]:
                mine.append(choose_move(message["table"]["moves"], rng))
                trader.play(mine[-1], message["version"]).raise_for_status()
    heard = [decode(message) for message in trader.messages()]
    assert [one["version"] for one in heard] == list(range(1, len(heard) + 1))
    played = [(one["seat"], one["move"]) for one in heard if one["kind"] == "played"]
    assert [move for seat, move in played if seat == trader.seat] == mine
    assert max(heard[-1]["table"]["seals"]) == 2


def test_both_seats_and_those_who_watch_follow_a_game_to_its_end(
    http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    traders = two_players(http, name="Ann")
    anybody = Client(http, traders[0].table, "nobody-has-this-secret-here", None)
    heard: list[Future[list[bytes]]] = [
        pool.submit(followed, who, over, events)
        for who in (*traders, anybody)
        for events in (False, True)
    ]
    play_game(traders, Random(4))
    for number, who in enumerate((*traders, anybody)):
        lines, events = heard[2 * number].result(), heard[2 * number + 1].result()
        assert versions(lines) == list(range(1, len(lines) + 1))
        assert lines == events
        assert {decode(line)["table"]["you"] for line in lines} == {who.seat}
    watched = [decode(line)["table"] for line in heard[4].result()]
    assert all(table["view"] is None and table["moves"] == [] for table in watched)
    assert watched[-1]["public"]


def test_one_screen_follows_each_seat_in_a_stream_of_its_own(http: httpx.Client) -> None:
    trader, _ = open_table(http, "one_screen")
    play_game([trader, trader], Random(5), max_moves=6)
    for seat in (0, 1):
        said = trader.get("/events.ndjson", seat=seat, after=0, follow="false").content
        assert {decode(line)["table"]["you"] for line in said.splitlines()} == {seat}


def test_what_was_told_so_far_comes_compressed_to_whoever_takes_it_so(http: httpx.Client) -> None:
    traders = two_players(http)
    play_game(traders, Random(6), max_moves=20)
    path, asked = f"{traders[0].path}/events.ndjson", {"after": 0, "follow": False}
    plain, compressed = (
        http.get(path, params=asked, headers=traders[0].headers | {"accept-encoding": coding})
        for coding in ("identity", "gzip")
    )
    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.content == plain.content
    assert compressed.num_bytes_downloaded < plain.num_bytes_downloaded / 5


# Those who watch


def test_who_watches_is_told_later_than_the_seats(http: httpx.Client) -> None:
    traders = two_players(http)
    path = traders[0].path
    with http.stream("GET", f"{path}/events.ndjson") as watching_:
        lines = watching_.iter_lines()
        assert decode(next(lines).encode())["kind"] == "opened"
        trader = traders[traders[0].get_table()["turn"]]
        trader.play("+M", 3).raise_for_status()
        assert http.get(path).json()["version"] < 4, "the seats know more already"
        assert b'"+M"' not in http.get(f"{path}/record").content
        assert not http.get(f"{path}/events.ndjson?after=3&follow=false").content
        for line in lines:
            message = decode(line.encode())
            assert time.time() * 1000 >= message["at"] + SOON
            if message["version"] == 4:
                break
    assert http.get(path).json()["version"] == 4
    assert b'"+M"' in http.get(f"{path}/record").content


def test_a_table_that_is_not_for_watching_shows_nobody_anything(http: httpx.Client) -> None:
    trader = two_players(http, options={"watch": False})[0]
    for what in ("", "/record", "/events", "/events.ndjson", "/why?move=%2BM"):
        answer = http.get(trader.path + what)
        assert (answer.status_code, answer.json()["code"]) == (403, "no_watching")
    assert trader.get_table()["version"] == 3


def test_however_many_watch_the_traders_have_their_streams(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_STREAMS", 2)
    traders = two_players(http)
    anybody = Client(http, traders[0].table, "nobody-has-this-secret-here", None)
    with anybody.stream() as first, anybody.stream() as second:
        assert next(first) == next(second)
        answer = anybody.get("/events")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        for trader in traders:
            with trader.stream() as messages:
                assert decode(next(messages))["version"] == 3


# What nobody asks for


def test_a_flag_falls_without_anybody_asking(host: ThreadedServer) -> None:
    clock = {"kind": "live", "seconds": 10}
    # Both have moved; 15 seconds of pause after the deal, then 10 on the clock: half a second is left.
    moves = ["+M", "-GG"]
    traders = store_game(host.database, host.http, dealt(PACK), moves, ago=24_500, clock=clock)
    with traders[1].stream() as messages:
        first, second = decode(next(messages)), decode(next(messages))
    assert first["table"]["clock"]["left"] == [10_000, 10_000]
    assert (second["kind"], second["seat"]) == ("flagged", 0)
    assert second["table"]["over"] == {"by": "time", "winner": 1}
    assert second["at"] >= first["at"] + 25_000


def test_a_game_nobody_comes_back_to_is_given_up(host: ThreadedServer) -> None:
    ago = ABANDONED_AFTER + DAY
    trader = store_game(host.database, host.http, dealt(PACK), ago=ago)[0]
    wait_for(lambda: over(decode(trader.messages()[-1])))
    assert trader.get_table()["over"] == {"by": "abandonment", "winner": None}


def test_who_leaves_is_seen_leaving_and_is_back_by_listening(http: httpx.Client) -> None:
    traders = two_players(http)
    with traders[0].stream() as messages:
        next(messages)
        traders[1].post("/leave").raise_for_status()
        left = decode(next(messages))
        assert (left["kind"], left["seat"]) == ("left", 1)
        assert left["table"]["seats"][1]["away"]
        with traders[1].stream():
            back = decode(next(messages))
            assert (back["kind"], back["seat"]) == ("returned", 1)
        assert decode(next(messages))["kind"] == "left", "who stops listening has left, a bit later"
        turn = traders[0].get_table()["turn"]
        traders[turn].play("+M", 6).raise_for_status()
        assert decode(next(messages))["table"]["seats"][turn]["away"] is False


# What is cut


@pytest.mark.parametrize("events", [False, True], ids=["lines", "events"])
def test_a_stream_cut_anywhere_goes_on_where_it_was(
    http: httpx.Client, pool: ThreadPoolExecutor, events: bool
) -> None:
    trader = two_players(http)
    playing = pool.submit(play_game, trader, Random(6))
    rng, heard, last = Random(7), list[bytes](), 0
    while not (heard and over(decode(heard[-1]))):
        with trader[1].stream(after=last, events=events) as messages:
            for _ in range(rng.randrange(20)):
                heard.append(next(messages))
                last = decode(heard[-1])["version"]
                if over(decode(heard[-1])):
                    break
    playing.result()
    # That somebody is back may come after the end.
    assert heard == trader[1].messages()[: len(heard)]


def test_a_stream_that_is_closed_is_forgotten(host: ThreadedServer) -> None:
    trader, _ = open_table(host.http, "one_screen")
    with trader.stream() as messages:
        next(messages)
        assert len(host.tables.loaded[trader.table].subscribers) == 1
    wait_for(lambda: not host.tables.loaded[trader.table].subscribers)


def test_a_reader_who_is_too_slow_is_cut_off_and_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscribers, "MOST_WAITING", 8)
    with run_in_thread(tmp_path, send_buffer=4096) as host, socket.socket() as slow:
        trader, _ = open_table(host.http, "one_screen")
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(TIMEOUT)
        slow.connect(("127.0.0.1", int(host.address.rsplit(":")[-1])))
        lines = [f"GET {trader.path}/events.ndjson?after=0&seat=0 HTTP/1.1", "Host: x"]
        lines += [f"Authorization: Bearer {trader.secret}", "Connection: close", "", ""]
        slow.sendall("\r\n".join(lines).encode())
        wait_for(lambda: host.tables.loaded[trader.table].subscribers)
        play_game([trader, trader], Random(8), max_moves=80)
        got = b"".join(iter(lambda: slow.recv(65536), b""))
        heard = [line for line in got.split(b"\r\n") if line.startswith(b"{")]
        heard = [line.removesuffix(b"\n") for line in heard if line.endswith(b"\n")]
        whole = trader.get("/events.ndjson", after=0, seat=0, follow="false").content.splitlines()
        assert 0 < len(heard) < len(whole)
        assert heard == whole[: len(heard)]
        rest = trader.get("/events.ndjson", after=len(heard), seat=0, follow="false").content
        assert heard + rest.splitlines() == whole


# What ends and starts again


def test_a_game_goes_on_where_it_was_when_the_server_is_killed_while_a_computer_thinks(
    tmp_path: Path,
) -> None:
    secret = "the-secret-of-a-patient-person"
    chairs = (Chair("person", "Ann", digest(secret)), Chair("computer", "vizier"))
    with run_server(tmp_path, "--think", "60000") as server:
        with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
            trader = Client(http, "0123456789abcdef", secret, 0)
            store_events(
                server.database,
                trader.table,
                [Opened(chairs, TableOptions()), deal_event(dealt(PACK))],
            )
            trader.play("+M", 2).raise_for_status()
            heard = trader.messages()
            assert trader.get_table()["turn"] == 1
            server.kill()
        server.arguments = ("--think", "10")
        server.start()
        with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
            trader = Client(http, trader.table, secret, 0)
            with trader.stream(after=3, events=True) as messages:
                answer = decode(next(messages))
            assert (answer["version"], answer["kind"], answer["seat"]) == (4, "played", 1)
            assert trader.messages()[:3] == heard
            assert trader.play("+M", 2).json() == {"version": 3}, "the move sent again is known"
        assert server.stop() == 0


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT], ids=lambda each: each.name)
def test_a_server_told_to_stop_ends_its_streams_and_stops_at_once(
    tmp_path: Path, asked: signal.Signals
) -> None:
    with (
        run_server(tmp_path) as server,
        httpx.Client(base_url=server.address, timeout=TIMEOUT) as http,
    ):
        traders = two_players(http)
        watcher = Client(http, traders[0].table, "nobody-has-this-secret-here", None)
        with ExitStack() as stack:
            followed = [
                stack.enter_context(each.stream(events=events))
                for each in (*traders, watcher)
                for events in (False, True)
            ]
            for messages in followed:
                next(messages)
            began = time.monotonic()
            server.process.send_signal(asked)
            for messages in followed:
                assert list(messages) == [], "it ends as a stream should"
            assert server.process.wait(TIMEOUT) == 0
            assert time.monotonic() - began < 3
        _said_nothing(server)


def _said_nothing(server: Server) -> None:
    assert server.log().count("\n") == 1, server.log()
