"""A cheap HTTP connection for simulated players; it reports when a response was lost."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from random import Random
from typing import Self

HOST = "127.0.0.1"
TIMEOUT = 90.0
"""Seconds after which a request without a response fails the test."""


class ResponseLost(Exception):  # noqa: N818  # describes the response
    """No response came, or a 5xx: it is unknown whether the request took effect."""


class Connection:
    """A connection to one of several ports, reopened when it is lost. One request at a time, or a stream."""

    def __init__(self, ports: Sequence[int], rng: Random) -> None:
        self.port = 0
        self._ports = ports
        self._rng = rng
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    async def request(
        self, method: str, path: str, secret: str, body: object = None
    ) -> tuple[int, bytes]:
        """Status and body of the response, or `ResponseLost`."""
        async with asyncio.timeout(TIMEOUT):
            try:
                reader, status, head = await self._send(method, path, secret, body)
                length = int(head.split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])
                response = await reader.readexactly(length)
            except (ConnectionError, EOFError) as error:
                self.close()
                raise ResponseLost("no response") from error
        if status >= 500:
            problem = json.loads(response)
            assert problem["sentence"], problem
            raise ResponseLost(f"{status} {problem['code']}")
        return status, response

    async def lines(self, path: str, secret: str, header: str) -> AsyncGenerator[bytes]:
        """The complete lines of a streamed response, until the connection is lost."""
        try:
            async with asyncio.timeout(TIMEOUT):
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
            self.close()

    def close(self) -> None:
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
        content = b"" if body is None else json.dumps(body).encode()
        self._writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {secret}\r\n{header}"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        return self._reader, int(head.split(b" ", 2)[1]), head
