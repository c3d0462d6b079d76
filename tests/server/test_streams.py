"""Streams over real sockets: every message once and in order, also after reconnects and restarts."""

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

from jaipur.server.http import limits
from jaipur.server.live import scheduler, spectators, subscribers
from jaipur.server.live.server_clock import system_time
from jaipur.table.events import Chair, Opened
from jaipur.table.options import DAY, SECOND, TableOptions
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
    spectator,
    store_events,
    store_game,
    two_players,
    wait_for,
)
from tables import dealt

PACK = "DDLCC GGSPM LP"
SPECTATOR_DELAY = 300
"""Milliseconds, in these tests."""


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spectators, "DELAY", SPECTATOR_DELAY)
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


def read_until(client: Client, enough: Callable[[Json], bool], events: bool = False) -> list[bytes]:
    """The messages of a stream from the first one, until one is enough."""
    received = []
    with client.stream(after=0, events=events) as messages:
        for message in messages:
            received.append(message)
            if enough(decode(message)):
                break
    return received


def is_over(message: Json) -> bool:
    return bool(message["table"]["over"])


def versions(messages: list[bytes]) -> list[int]:
    return [decode(message)["version"] for message in messages]


# Whole games


def test_a_client_plays_a_computer_with_only_the_stream(http: httpx.Client) -> None:
    client, _ = open_table(http, "computer", level="random", name="Ann")
    rng, moves = Random(3), []
    with client.stream() as messages:
        for message in map(decode, messages):
            if is_over(message):
                break
            if message["table"]["moves"]:
                moves.append(choose_move(message["table"]["moves"], rng))
                client.play(moves[-1], message["version"]).raise_for_status()
    stored = [decode(message) for message in client.messages()]
    assert [message["version"] for message in stored] == list(range(1, len(stored) + 1))
    played = [each for each in stored if each["kind"] == "played" and each["seat"] == client.seat]
    assert [message["move"] for message in played] == moves
    assert max(stored[-1]["table"]["seals"]) == 2


def test_players_and_spectators_receive_a_whole_game_in_both_formats(
    http: httpx.Client, pool: ThreadPoolExecutor
) -> None:
    players = two_players(http, name="Ann")
    clients = [*players, spectator(players[0])]
    received: list[Future[list[bytes]]] = [
        pool.submit(read_until, client, is_over, events)
        for client in clients
        for events in (False, True)
    ]
    play_game(players, Random(4))
    for number, client in enumerate(clients):
        lines, events = received[2 * number].result(), received[2 * number + 1].result()
        assert versions(lines) == list(range(1, len(lines) + 1))
        assert lines == events
        assert {decode(line)["table"]["you"] for line in lines} == {client.seat}
    watched = [decode(line)["table"] for line in received[4].result()]
    assert all(table["view"] is None and table["moves"] == [] for table in watched)
    assert watched[-1]["public"]


def test_on_one_screen_each_seat_has_its_own_stream(http: httpx.Client) -> None:
    client, _ = open_table(http, "one_screen")
    play_game([client, client], Random(5), max_moves=6)
    for seat in (0, 1):
        stream = client.get("/events.ndjson", seat=seat, after=0, follow="false").content
        assert {decode(line)["table"]["you"] for line in stream.splitlines()} == {seat}


def test_stored_messages_are_compressed_if_the_client_accepts_it(http: httpx.Client) -> None:
    client = two_players(http)[0]
    client.post("/resign").raise_for_status()
    path, params = f"{client.path}/events.ndjson", {"after": 0, "follow": False}
    plain, compressed = (
        http.get(path, params=params, headers=client.headers | {"accept-encoding": encoding})
        for encoding in ("identity", "gzip")
    )
    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.content == plain.content
    assert compressed.num_bytes_downloaded < plain.num_bytes_downloaded / 2


# Spectators


def test_a_spectator_sees_a_move_only_after_the_delay(
    host: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = system_time()
    monkeypatch.setattr(host.tables, "now", lambda: now)
    players = two_players(host.http)
    watcher = spectator(players[0])
    players[players[0].get_table()["turn"]].play("+M", 3).raise_for_status()
    assert players[0].get_table()["version"] == 4
    assert watcher.get_table()["version"] == 1
    assert b'"+M"' not in watcher.get("/record").content
    assert versions(watcher.messages()) == [1]
    later = now + SPECTATOR_DELAY
    monkeypatch.setattr(host.tables, "now", lambda: later)
    assert watcher.get_table()["version"] == 4
    assert b'"+M"' in watcher.get("/record").content
    assert versions(watcher.messages()) == [1, 2, 3, 4]


def test_a_spectator_stream_sends_messages_after_the_delay(http: httpx.Client) -> None:
    players = two_players(http)
    with spectator(players[0]).stream() as messages:
        assert decode(next(messages))["kind"] == "opened"
        players[players[0].get_table()["turn"]].play("+M", 3).raise_for_status()
        for message in map(decode, messages):
            assert time.time() * 1000 >= message["at"] + SPECTATOR_DELAY
            if message["version"] == 4:
                break


def test_a_table_without_spectators_shows_them_nothing(http: httpx.Client) -> None:
    player = two_players(http, options={"watch": False})[0]
    for path in ("", "/record", "/events", "/events.ndjson", "/why?move=%2BM"):
        response = http.get(player.path + path)
        assert (response.status_code, response.json()["code"]) == (403, "no_watching")
    assert player.get_table()["version"] == 3


def test_the_stream_limit_of_spectators_does_not_affect_players(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_STREAMS", 2)
    players = two_players(http)
    watcher = spectator(players[0])
    with watcher.stream() as first, watcher.stream() as second:
        assert next(first) == next(second)
        response = watcher.get("/events")
        assert (response.status_code, response.json()["code"]) == (429, "too_many")
        for player in players:
            with player.stream() as messages:
                assert decode(next(messages))["version"] == 3


def test_one_address_cannot_use_up_the_streams_of_all_spectators(
    http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CLIENT_STREAMS", 2)
    watcher = spectator(two_players(http)[0])
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    with (
        watcher.stream() as first,
        watcher.stream() as second,
        httpx.Client(base_url=http.base_url, transport=elsewhere) as other,
    ):
        assert next(first) == next(second)
        assert watcher.get("/events").status_code == 429
        neighbour = Client(other, watcher.table, watcher.secret, None)
        with neighbour.stream() as messages:
            assert decode(next(messages))["version"] == 1


# Events without a request


def test_the_server_ends_a_game_when_time_is_up(
    host: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = system_time()
    monkeypatch.setattr(host.tables, "now", lambda: now)
    # Both have moved. After a deal the clock pauses for 15 seconds; then 10 seconds are left.
    clock = {"kind": "live", "seconds": 10}
    players = store_game(host.database, host.http, dealt(PACK), ["+M", "-GG"], clock=clock)
    with players[1].stream() as messages:
        first = decode(next(messages))
        time_is_up = first["at"] + 25 * SECOND
        monkeypatch.setattr(host.tables, "now", lambda: time_is_up)
        second = decode(next(messages))
    assert first["table"]["clock"]["left"] == [10_000, 10_000]
    assert (second["kind"], second["seat"]) == ("flagged", 0)
    assert second["table"]["over"] == {"by": "time", "winner": 1}
    assert second["at"] == time_is_up


def test_the_server_ends_an_abandoned_game(host: ThreadedServer) -> None:
    ago = ABANDONED_AFTER + DAY
    player = store_game(host.database, host.http, dealt(PACK), ago=ago)[0]
    last = decode(read_until(player, is_over)[-1])
    assert last["table"]["over"] == {"by": "abandonment", "winner": None}


def test_a_player_who_left_is_present_again_after_opening_a_stream_or_moving(
    http: httpx.Client,
) -> None:
    players = two_players(http)
    with players[0].stream() as messages:
        next(messages)
        players[1].post("/leave").raise_for_status()
        left = decode(next(messages))
        assert (left["kind"], left["seat"]) == ("left", 1)
        assert left["table"]["seats"][1]["away"]
        with players[1].stream():
            returned = decode(next(messages))
            assert (returned["kind"], returned["seat"]) == ("returned", 1)
        assert decode(next(messages))["kind"] == "left", "the last stream of the seat was closed"
        turn = players[0].get_table()["turn"]
        players[turn].play("+M", 6).raise_for_status()
        assert decode(next(messages))["table"]["seats"][turn]["away"] is False


# Interrupted streams


@pytest.mark.parametrize("events", [False, True], ids=["lines", "events"])
def test_an_interrupted_stream_resumes_without_gaps_or_duplicates(
    http: httpx.Client, pool: ThreadPoolExecutor, events: bool
) -> None:
    players = two_players(http)
    game = pool.submit(play_game, players, Random(6))
    rng, received, last = Random(7), list[bytes](), 0
    while not (received and is_over(decode(received[-1]))):
        with players[1].stream(after=last, events=events) as messages:
            for _ in range(rng.randrange(20)):
                received.append(next(messages))
                last = decode(received[-1])["version"]
                if is_over(decode(received[-1])):
                    break
    game.result()
    # A `returned` event can follow the end of the game.
    assert received == players[1].messages()[: len(received)]


def test_a_closed_stream_is_unsubscribed(host: ThreadedServer) -> None:
    client, _ = open_table(host.http, "one_screen")
    with client.stream() as messages:
        next(messages)
        assert len(host.tables.subscribers(client.table)) == 1
    wait_for(lambda: not host.tables.subscribers(client.table))


def test_a_slow_client_is_disconnected_and_can_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscribers, "QUEUE_LIMIT", 8)
    with run_in_thread(tmp_path, send_buffer=4096) as host, socket.socket() as slow:
        client, _ = open_table(host.http, "one_screen")
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(TIMEOUT)
        slow.connect(("127.0.0.1", host.port))
        request = [f"GET {client.path}/events.ndjson?after=0&seat=0 HTTP/1.1", "Host: localhost"]
        request += [f"Authorization: Bearer {client.secret}", "Connection: close", "", ""]
        slow.sendall("\r\n".join(request).encode())
        wait_for(lambda: host.tables.subscribers(client.table))
        play_game([client, client], Random(8), max_moves=80)
        response = b"".join(iter(lambda: slow.recv(65536), b""))
        chunks = [chunk for chunk in response.split(b"\r\n") if chunk.startswith(b"{")]
        received = [line for chunk in chunks for line in chunk.splitlines() if line.endswith(b"}}")]
        stored = client.get("/events.ndjson", after=0, seat=0, follow="false").content.splitlines()
        assert 0 < len(received) < len(stored)
        assert received == stored[: len(received)]
        rest = client.get("/events.ndjson", after=len(received), seat=0, follow="false").content
        assert received + rest.splitlines() == stored


# Stopped servers


def test_a_game_continues_after_the_server_was_killed_during_a_computers_turn(
    tmp_path: Path,
) -> None:
    secret = "the-secret-of-a-patient-person"
    chairs = (Chair("person", "Ann", digest(secret)), Chair("computer", "vizier"))
    with run_server(tmp_path, "--think", "60000") as server:
        with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
            client = Client(http, "0123456789abcdef", secret, 0)
            opening = (Opened(chairs, TableOptions()), deal_event(dealt(PACK)))
            store_events(server.database, client.table, opening)
            client.play("+M", 2).raise_for_status()
            before = client.messages()
            assert client.get_table()["turn"] == 1
            server.kill()
        server.arguments = ("--think", "10")
        server.start()
        with httpx.Client(base_url=server.address, timeout=TIMEOUT) as http:
            client = Client(http, client.table, secret, 0)
            with client.stream(after=3, events=True) as messages:
                reply = decode(next(messages))
            assert (reply["version"], reply["kind"], reply["seat"]) == (4, "played", 1)
            assert client.messages()[:3] == before
            assert client.play("+M", 2).json() == {"version": 3}, "the repeated move is recognised"
        assert server.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda each: each.name)
def test_a_stopping_server_closes_its_streams_cleanly(
    tmp_path: Path, number: signal.Signals
) -> None:
    with (
        run_server(tmp_path) as server,
        httpx.Client(base_url=server.address, timeout=TIMEOUT) as http,
    ):
        players = two_players(http)
        with ExitStack() as stack:
            opened = [
                stack.enter_context(client.stream(events=events))
                for client in (*players, spectator(players[0]))
                for events in (False, True)
            ]
            for messages in opened:
                next(messages)
            server.process.send_signal(number)
            for messages in opened:
                assert list(messages) == [], "an aborted stream would raise an error"
            assert server.process.wait(TIMEOUT) == 0
        assert_no_warnings(server)


def assert_no_warnings(server: Server) -> None:
    """The log has only the line about the address; uvicorn would log requests that it had to cancel."""
    assert server.log().count("\n") == 1, server.log()
