"""A connection that costs little and says plainly when an answer was lost, for traders in tests."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from random import Random
from typing import Self

HOST = "127.0.0.1"
ANSWER = 90.0
"""Seconds after which a request that is neither answered nor refused is a fault."""


class Lost(Exception):  # noqa: N818  # said of an answer
    """No answer came, or the server had none: nobody knows whether it was done."""


class Line:
    """One connection to any of the ports of a house, made anew when it is lost: a request at a time, or a stream."""

    def __init__(self, ports: Sequence[int], rng: Random) -> None:
        self.port = 0
        self._ports = ports
        self._rng = rng
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.hang_up()

    async def ask(
        self, method: str, path: str, secret: str, body: object = None
    ) -> tuple[int, bytes]:
        """Status and body of an answer, or `Lost`."""
        async with asyncio.timeout(ANSWER):
            try:
                reader, status, head = await self._send(method, path, secret, body)
                length = int(head.split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])
                answer = await reader.readexactly(length)
            except (ConnectionError, EOFError) as error:
                self.hang_up()
                raise Lost("no answer") from error
        if status >= 500:
            problem = json.loads(answer)
            assert problem["sentence"], problem
            raise Lost(f"{status} {problem['code']}")
        return status, answer

    async def lines(self, path: str, secret: str, header: str) -> AsyncGenerator[bytes]:
        """The whole lines of an answer that goes on, until it is lost."""
        try:
            async with asyncio.timeout(ANSWER):
                reader, status, _ = await self._send("GET", path, secret, None, header)
            assert status == 200 or status >= 500, f"GET {path}: {status}"
            rest = b""
            while status == 200 and (size := int(await reader.readline() or b"0", 16)):
                *lines, rest = (rest + (await reader.readexactly(size + 2))[:-2]).split(b"\n")
                for line in lines:
                    yield line
        except (ConnectionError, EOFError):
            pass
        finally:
            self.hang_up()

    def hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def _send(
        self, method: str, path: str, secret: str, body: object, header: str = ""
    ) -> tuple[asyncio.StreamReader, int, bytes]:
        if self._reader is None or self._writer is None:
            self.port = self._rng.choice(self._ports)
            self._reader, self._writer = await asyncio.open_connection(
                HOST, self.port, limit=1 << 20
            )
        sent = b"" if body is None else json.dumps(body).encode()
        self._writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {secret}\r\n{header}"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n".encode()
            + sent
        )
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        return self._reader, int(head.split(b" ", 2)[1]), head
