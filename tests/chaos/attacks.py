"""Attacks by one address that has no account and stays within the default limits.

Each function is one attack; its docstring says what is sent. It runs for `target.seconds` and returns counts.
"""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Awaitable
from contextlib import suppress

from chaos.client import HOST, Client, ResponseLostError, head, read_body, read_head
from chaos.target import PER_SECOND, Counts, Target, flood, move, open_table

JSON = {"Content-Type": "application/json"}
MEGABYTE = 1 << 20


async def nothing(target: Target) -> Counts:
    """nothing is sent. This row shows how much the numbers vary without an attack"""
    await asyncio.sleep(target.seconds)
    return {}


async def chunked_trailers(target: Target) -> Counts:
    """three chunked requests; after the last chunk a pause, then trailers `a:b` without end, up to 10 MB each"""
    sent = 0
    closed = 0

    async def trail() -> None:
        nonlocal sent, closed
        reader, writer = await asyncio.open_connection(HOST, target.port)
        headers = JSON | {"Transfer-Encoding": "chunked"}
        try:
            writer.write(head("POST", "/api/tables", target.port, headers) + b"2\r\n{}\r\n0\r\n")
            await writer.drain()
            await asyncio.sleep(0.5)
            for _ in range(10 * 16):
                writer.write(b"a:b\r\n" * (MEGABYTE // 16 // 5))
                await writer.drain()
                sent += MEGABYTE // 16
            await asyncio.wait_for(reader.read(), max(0.1, deadline - time.monotonic()))
        except (OSError, TimeoutError):
            pass
        closed += time.monotonic() < deadline
        writer.close()

    deadline = target.deadline()
    await asyncio.gather(*(trail() for _ in range(3)))
    await asyncio.sleep(max(0.0, deadline - time.monotonic()))
    return {"megabytes": round(sent / MEGABYTE, 1), "closed": closed}


async def replay_long(target: Target) -> Counts:
    """45 requests a second for `events.ndjson?after=0` of a table with 3,000 events"""
    table, secret = target.long
    return await flood(target, f"/api/tables/{table}/events.ndjson?after=0&follow=false", secret)


async def replay_finished(target: Target) -> Counts:
    """45 requests a second for `events.ndjson?after=0` of an ordinary finished game"""
    table, secret = target.finished
    return await flood(target, f"/api/tables/{table}/events.ndjson?after=0&follow=false", secret)


async def unread_streams(target: Target) -> Counts:
    """30 streams `events.ndjson?after=0` of a table with 3,000 events, never read"""
    table, secret = target.long
    opened = []
    for _ in range(30):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect((HOST, target.port))
        path = f"/api/tables/{table}/events.ndjson?after=0"
        headers = {"Authorization": f"Bearer {secret}"}
        sock.sendall(head("GET", path, target.port, headers))
        opened.append(sock)
        await asyncio.sleep(1 / 30)
    await asyncio.sleep(max(0.0, target.seconds - 1))
    for sock in opened:
        sock.close()
    return {"streams": len(opened)}


async def strong_computers(target: Target) -> Counts:
    """51 games against `grand-maharaja`; each client asks for its turn every 1.5 seconds and then moves"""
    counts: Counts = {"games": 0, "moves": 0}

    async def game() -> None:
        async with target.client() as client:
            path, secret = await open_table(client, against="computer", level="grand-maharaja")
            counts["games"] = int(counts["games"]) + 1
            while True:
                table = (await client.call("GET", path, None, secret)).json()
                if table["phase"] == "over":
                    return
                if table["moves"]:
                    body = {"move": table["moves"][0], "version": table["version"]}
                    await client.call("POST", f"{path}/play", body, secret)
                    counts["moves"] = int(counts["moves"]) + 1
                await asyncio.sleep(1.5)

    await _run_together(target, [game() for _ in range(51)])
    return counts


async def slow_connections(target: Target) -> Counts:
    """700 connections, more than the server has file descriptors: silent, with half a head, and with half a body"""
    counts: Counts = {"opened": 0, "still open": 0, "newcomers answered": "0 of 0"}
    start = head("POST", "/api/tables", target.port, JSON | {"Content-Length": "1000"})
    opened = []
    for number in range(700):
        try:
            sock = socket.create_connection((HOST, target.port), timeout=0.5)
            sock.sendall((b"", start[:20], start + b"{")[number % 3])
            opened.append(sock)
        except OSError:
            break
        if number % 50 == 49:
            await asyncio.sleep(0.05)
    counts["opened"] = len(opened)
    counts["newcomers answered"] = await _newcomers(target)
    for sock in opened:
        counts["still open"] = int(counts["still open"]) + _is_open(sock)
        sock.close()
    return counts


def _is_open(sock: socket.socket) -> bool:
    """Whether the server has kept a connection open. It may have sent an error before it closed the connection."""
    sock.setblocking(False)
    try:
        while sock.recv(4096):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


async def _newcomers(target: Target) -> str:
    """How many people with a new connection get an answer during the attack."""
    tried, answered = 0, 0
    deadline = target.deadline()
    while time.monotonic() < deadline:
        tried += 1
        async with target.client("127.0.0.77") as client:
            try:
                async with asyncio.timeout(2):
                    await client.request("GET", "/api/levels")
                answered += 1
            except (ResponseLostError, TimeoutError):
                pass
        await asyncio.sleep(0.5)
    return f"{answered} of {tried}"


async def rematches(target: Target) -> Counts:
    """resign, rematch, resign, rematch … as fast as the limits allow"""
    tables = 0
    async with target.client() as client:
        path, secret = await open_table(client, against="computer", level="random")
        deadline = target.deadline()
        while time.monotonic() < deadline:
            answer = await client.request("POST", f"{path}/resign", None, secret)
            if answer.status < 500:
                answer = await client.request("POST", f"{path}/rematch", None, secret)
                if answer.status == 200 and answer.json()["next"]:
                    path = f"/api/tables/{answer.json()['next']}"
                    tables += 1
            await asyncio.sleep(2 / PER_SECOND)
    return {"tables": tables}


async def raced_spectators(target: Target) -> Counts:
    """once a second, 45 spectator streams of one table are opened at the same moment, while a move is being stored"""
    statuses: Counter[int] = Counter()
    writers: list[asyncio.StreamWriter] = []

    async def watch(reader: asyncio.StreamReader) -> None:
        with suppress(OSError, EOFError):
            statuses[(await read_head(reader))[0]] += 1

    deadline = target.deadline()
    async with target.client() as player:
        path, secret = await open_table(player)
        request = head("GET", f"{path}/events.ndjson", target.port, {})
        while time.monotonic() < deadline:
            some = [await asyncio.open_connection(HOST, target.port) for _ in range(45)]
            moving = asyncio.create_task(move(player, path, secret))
            await asyncio.sleep(0)
            for _, writer in some:
                writer.write(request)
                writers.append(writer)
            await asyncio.gather(moving, *(watch(reader) for reader, _ in some))
            await asyncio.sleep(1)
    for writer in writers:
        writer.close()
    return {"opened": statuses[200], "refused": statuses[429]}


async def large_bodies(target: Target) -> Counts:
    """40 requests a second with a body of 64 KiB"""
    statuses: Counter[str] = Counter()
    body = b" " * (1 << 16)
    headers = JSON | {"Content-Length": str(len(body))}
    deadline = target.deadline()
    while time.monotonic() < deadline:
        try:
            reader, writer = await asyncio.open_connection(HOST, target.port)
            writer.write(head("POST", "/api/tables", target.port, headers) + body)
            status, received = await read_head(reader)
            await read_body(reader, received)
            statuses[str(status)] += 1
        except (OSError, EOFError):
            statuses["hung up"] += 1
        finally:
            writer.close()
        await asyncio.sleep(1 / 40)
    return dict(statuses)


async def one_network(target: Target) -> Counts:
    """16 IPv6 addresses of one /64 network each open a new table five times a second, through a trusted proxy"""
    statuses: Counter[int] = Counter()

    async def opener(number: int) -> None:
        async with Client(target.port, forwarded=f"2001:db8:1:2::{number + 1:x}") as client:
            while True:
                answer = await client.request("POST", "/api/tables", {"against": "friend"})
                statuses[answer.status] += 1
                await asyncio.sleep(0.2)

    await _run_together(target, [opener(number) for number in range(16)])
    return {"tables": statuses[201], "refused": statuses[429]}


async def foreign_host(target: Target) -> Counts:
    """requests with `Host: attacker.example`, as a browser sends them after DNS rebinding"""
    statuses: Counter[str] = Counter()
    deadline = target.deadline()
    while time.monotonic() < deadline:
        try:
            reader, writer = await asyncio.open_connection(HOST, target.port)
            writer.write(head("GET", "/api/levels", target.port, {"Host": "attacker.example"}))
            status, headers = await read_head(reader)
            await read_body(reader, headers)
            statuses[str(status)] += 1
        except (OSError, EOFError):
            statuses["hung up"] += 1
        finally:
            writer.close()
        await asyncio.sleep(0.1)
    return dict(statuses)


async def _run_together(target: Target, parts: list[Awaitable[None]]) -> None:
    """Run all parts until the time is over."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    await asyncio.wait(tasks, timeout=target.seconds)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception) and not isinstance(result, ResponseLostError):
            raise result
