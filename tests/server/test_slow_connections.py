"""Connections that send or read too slowly, too much or too many. Each attack runs against both HTTP protocols."""

import asyncio
import gc
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from random import Random

import httpx
import pytest

from jaipur.server.http.connections import ConnectionLimits, ConnectionRegistry
from jaipur.server.http.h11_protocol import LimitedH11Protocol
from jaipur.server.http.httptools_protocol import LimitedHttpToolsProtocol
from jaipur.server.http.limits import MAX_BODY_BYTES
from server.serving import (
    TIMEOUT,
    Json,
    ThreadedServer,
    decode,
    open_table,
    play_game,
    run_in_thread,
    run_server,
    wait_for,
)

HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
QUICK = ConnectionLimits(
    per_address=0, head_seconds=0.6, body_seconds=0.6, unread_seconds=0.6, check_seconds=0.05
)
PROTOCOLS: dict[str, Callable[..., asyncio.Protocol]] = {
    "httptools": LimitedHttpToolsProtocol,
    "h11": LimitedH11Protocol,
}

TEN_MEGABYTES = 10_000_000

StartServer = Callable[[ConnectionLimits], ThreadedServer]


@pytest.fixture(params=PROTOCOLS)
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StartServer]:
    """Starts a server with one of the protocols and with these limits."""
    with ExitStack() as stack:

        def start(limits: ConnectionLimits) -> ThreadedServer:
            protocol = partial(PROTOCOLS[request.param], ConnectionRegistry(limits))
            return stack.enter_context(run_in_thread(tmp_path, protocol=protocol, send_buffer=4096))

        yield start


@contextmanager
def connect(port: int, sent: bytes = b"", source: str = "127.0.0.1") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), TIMEOUT, (source, 0)) as connection:
        connection.sendall(sent)
        yield connection


def read_to_end(connection: socket.socket) -> bytes:
    """Everything until the server closes the connection. Raises `TimeoutError` if it stays open."""
    received = b""
    try:
        while data := connection.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received


def read_response(connection: socket.socket) -> bytes:
    """The response to a request, without waiting for the end of the connection."""
    received = b""
    while b"\r\n\r\n" not in received or not received.endswith(b"}"):
        data = connection.recv(65536)
        assert data, received
        received += data
    return received


# Requests that never become complete


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\r\n",
        b"GET",
        HEAD,
        POST + b"Content-Length: 99\r\n\r\n",
        POST + b"Content-Length: 99\r\n\r\n{",
        CHUNKED,
        CHUNKED + b"1\r\n{",
        CHUNKED + b"1\r\n{\r\n0\r\n",
        CHUNKED + b"1\r\n{\r\n0\r\na: b\r\n",
    ],
    ids=lambda sent: repr(sent[-16:]),
)
def test_an_incomplete_request_is_disconnected(start: StartServer, sent: bytes) -> None:
    host = start(QUICK)
    with connect(host.port, sent) as connection:
        read_to_end(connection)


def test_a_request_that_arrives_byte_by_byte_is_disconnected(start: StartServer) -> None:
    host = start(QUICK)
    with connect(host.port, HEAD) as connection:
        connection.settimeout(0.05)
        for _ in range(1000):
            try:
                connection.sendall(b"a")
                if connection.recv(1000) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("the connection is still open")


def test_blank_lines_after_a_response_do_not_keep_a_connection_open(start: StartServer) -> None:
    host = start(QUICK)
    with connect(host.port, HEAD + b"\r\n") as connection:
        read_response(connection)
        connection.sendall(b"\r\n")
        read_to_end(connection)


def test_idle_connections_and_streams_outlive_the_time_of_a_request(start: StartServer) -> None:
    host = start(QUICK)
    client, _ = open_table(host.http, "one_screen")
    with connect(host.port, HEAD + b"\r\n") as idle, client.stream() as messages:
        next(messages)
        read_response(idle)
        with connect(host.port) as silent:
            read_to_end(silent)
        idle.sendall(HEAD + b"\r\n")
        assert b" 200 " in read_response(idle)
        move = client.get_table()["moves"][0]
        client.play(move, client.get_table()["version"], seat=client.get_table()["turn"])
        assert decode(next(messages))["kind"] == "played"


# Requests that never end


def test_endless_trailers_are_disconnected(start: StartServer) -> None:
    host = start(ConnectionLimits(per_address=0))
    with connect(host.port, CHUNKED + b"2\r\n{}\r\n0\r\n") as connection:
        assert sent_until_disconnected(connection, b"a:b\r\n") < TEN_MEGABYTES


def test_endless_blank_lines_are_disconnected(start: StartServer) -> None:
    host = start(ConnectionLimits(per_address=0))
    with connect(host.port) as connection:
        assert sent_until_disconnected(connection, b"\r\n") < TEN_MEGABYTES


def sent_until_disconnected(connection: socket.socket, line: bytes) -> int:
    """Send a line again and again. Returns the number of bytes, at most ten megabytes."""
    lines = line * 1000
    for count in range(TEN_MEGABYTES // len(lines)):
        try:
            connection.sendall(lines)
        except ConnectionError:
            return count * len(lines)
    return TEN_MEGABYTES


def test_the_body_of_a_stream_request_is_ignored(
    start: StartServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Each piece of the body once used a level of the stack."""
    host = start(ConnectionLimits(per_address=0))
    client, _ = open_table(host.http, "one_screen")
    head = f"GET {client.path}/events.ndjson HTTP/1.1\r\nHost: localhost\r\n"
    head += f"Authorization: Bearer {client.secret}\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connect(host.port, head.encode()) as connection:
        wait_for(lambda: host.tables.subscribers(client.table))
        for _ in range(sys.getrecursionlimit()):
            connection.sendall(b"1\r\nx\r\n")
            host.http.get("/health")  # the server has received the piece
        assert len(host.tables.subscribers(client.table)) == 1
        assert not caplog.records


def test_head_has_no_body_and_keeps_the_connection(start: StartServer) -> None:
    host = start(ConnectionLimits(per_address=0))
    head = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connect(host.port, head + HEAD + b"\r\n") as connection:
        received = b""
        while not received.endswith(b"}"):
            received += connection.recv(65536)
    first, second = received.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert first.endswith(b"\r\n\r\n")
    assert b"content-length: " in first
    assert b'"status":"ok"' in second


@pytest.mark.parametrize("size", [MAX_BODY_BYTES + 1, 40_000, 1_000_000])
def test_a_large_body_is_answered_before_the_connection_ends(start: StartServer, size: int) -> None:
    host = start(ConnectionLimits(per_address=0))
    body = b"{" + b" " * (size - 2) + b"}"
    with connect(host.port, POST + b"Content-Length: %d\r\n\r\n" % size + body) as connection:
        response = read_response(connection)
        assert response.startswith(b"HTTP/1.1 413 ")
        assert b'"code":"too_large"' in response
    chunk = b"%x\r\n" % size + body + b"\r\n0\r\n\r\n"
    with connect(host.port, CHUNKED + chunk) as connection:
        assert read_response(connection).startswith(b"HTTP/1.1 413 ")
    sent = {"content": body, "headers": {"content-type": "application/json"}}
    assert host.http.post("/api/tables", **sent).status_code == 413  # type: ignore[arg-type]


def test_many_pipelined_requests_are_disconnected(tmp_path: Path) -> None:
    """The parser of httptools would start all of them. h11 stops to read."""
    with (
        run_in_thread(tmp_path) as host,
        connect(host.port, (HEAD + b"\r\n") * 5) as few,
        connect(host.port, (HEAD + b"\r\n") * 500) as many,
    ):
        while few.recv(65536).count(b" 200 ") < 1:
            pass
        assert read_to_end(many).count(b" 200 ") < 100


def test_large_requests_that_wait_behind_a_stream_are_disconnected(tmp_path: Path) -> None:
    """Each of them is below the limit of a head, but all of them stay in memory while the stream is open."""
    with run_in_thread(tmp_path) as host:
        client, _ = open_table(host.http, "friend")
        stream = HEAD.replace(b"/health", f"{client.path}/events".encode()) + b"\r\n"
        large = HEAD + b"a: " + b"a" * 15_000 + b"\r\n\r\n"
        with connect(host.port, stream + 3 * large) as connection:
            assert read_to_end(connection).count(b"HTTP/1.1") <= 1


# Too many connections


def test_connections_of_one_address_are_limited(start: StartServer) -> None:
    host = start(ConnectionLimits(per_address=3))
    with connect(host.port) as first, connect(host.port):  # the third one is that of `host.http`
        with connect(host.port, HEAD + b"\r\n") as refused:
            response = read_to_end(refused)
            assert response.startswith(b"HTTP/1.1 429 ")
            assert b'"code":"too_many"' in response
        with connect(host.port, HEAD + b"\r\n", source="127.0.0.2") as other:
            assert b" 200 " in read_response(other)
        first.close()

        def accepted() -> bool:
            with connect(host.port, HEAD + b"\r\n") as again:
                return b" 200 " in again.recv(1000)

        assert wait_for(accepted)


def test_a_proxy_may_open_connections_for_all_its_clients(start: StartServer) -> None:
    host = start(ConnectionLimits(per_address=1, proxies=[ip_network("127.0.0.0/29")]))
    with connect(host.port), connect(host.port, HEAD + b"\r\n") as connection:
        assert b" 200 " in read_response(connection)


def test_all_connections_together_are_limited(start: StartServer) -> None:
    host = start(ConnectionLimits(per_address=0, total=2))
    with connect(host.port), connect(host.port, HEAD + b"\r\n") as refused:
        response = read_to_end(refused)
        assert response.startswith(b"HTTP/1.1 503 ")
        assert b'"code":"unavailable"' in response
        assert host.http.get("/health").status_code == 200, "open connections go on"


# Responses that nobody reads


def test_streams_that_nobody_reads_are_disconnected_and_release_their_memory(
    start: StartServer,
) -> None:
    host = start(QUICK)
    client, _ = open_table(host.http, "one_screen")
    play_game([client, client], Random(8), max_moves=80)
    head = f"GET {client.path}/events.ndjson?after=0&seat=0 HTTP/1.1\r\nHost: localhost\r\n"
    head += f"Authorization: Bearer {client.secret}\r\n\r\n"
    with ExitStack() as stack:
        streams = [stack.enter_context(socket.socket()) for _ in range(10)]
        for stream in streams:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stream.connect(("127.0.0.1", host.port))
            stream.sendall(head.encode())
        wait_for(lambda: host.tables.subscribers(client.table))
        wait_for(lambda: not host.tables.subscribers(client.table))
        host.http.close()
        wait_for(lambda: not open_protocols())


def open_protocols() -> list[object]:
    gc.collect()
    return [each for each in gc.get_objects() if type(each) in PROTOCOLS.values()]


# File descriptors


def test_games_go_on_when_the_process_can_accept_no_more_connections(tmp_path: Path) -> None:
    with (
        run_server(tmp_path, descriptors=160) as server,
        httpx.Client(base_url=server.address, timeout=TIMEOUT) as http,
        ExitStack() as stack,
    ):
        client, _ = open_table(http, "computer", level="greedy", seat=0)
        messages = stack.enter_context(client.stream())
        client.get_table()
        port = httpx.URL(server.address).port
        assert port is not None
        for _ in range(300):
            stack.enter_context(connect(port))
        turn = next(table for table in tables_of(messages) if table["moves"])
        client.play(turn["moves"][0], turn["version"]).raise_for_status()
        assert next(table for table in tables_of(messages) if table["moves"])
        used = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        assert used < 160 - 50, "descriptors are left for the database and the workers"


def tables_of(messages: Iterator[bytes]) -> Iterator[Json]:
    return (decode(message)["table"] for message in messages)
