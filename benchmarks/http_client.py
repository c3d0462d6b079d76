"""A minimal HTTP/1.1 client. It uses so little CPU time that a benchmark measures the server and not the client."""

import asyncio
from collections.abc import AsyncIterator

_LINE_LIMIT = 1 << 20  # bytes


class ResponseError(Exception):
    """The server returned an error."""


class Connection:
    """A persistent connection. It carries one request at a time, or one stream.

    `client` is the loopback address of the client. The server counts requests and connections by this address.
    """

    def __init__(self, host: str, port: int, client: str = "127.0.0.1") -> None:
        self._address = (host, port)
        self._client = client
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def request(self, method: str, path: str, body: bytes = b"", secret: str = "") -> bytes:
        """Send a request and return the body of the response. Raise `ResponseError` for an error status."""
        reader = await self._send(method, path, body, secret)
        status, headers = await self._head(reader)
        response = await reader.readexactly(int(headers.get(b"content-length", b"0")))
        if status >= 400:
            raise ResponseError(f"{method} {path}: {status} {response[:200]!r}")
        return response

    async def stream(self, path: str, secret: str) -> AsyncIterator[bytes]:
        """Yield the chunks of a streamed response."""
        reader = await self._send("GET", path, b"", secret)
        status, _ = await self._head(reader)
        if status >= 400:
            raise ResponseError(f"GET {path}: {status}")
        while size := int(await reader.readline(), 16):
            yield (await reader.readexactly(size + 2))[:-2]

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

    async def _send(self, method: str, path: str, body: bytes, secret: str) -> asyncio.StreamReader:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(
                *self._address, limit=_LINE_LIMIT, local_addr=(self._client, 0)
            )
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n"
        )
        if secret:
            head += f"Authorization: Bearer {secret}\r\n"
        self._writer.write(head.encode() + b"\r\n" + body)
        return self._reader

    async def _head(self, reader: asyncio.StreamReader) -> tuple[int, dict[bytes, bytes]]:
        lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        headers = dict(line.lower().split(b": ", 1) for line in lines[1:] if line)
        return int(lines[0].split(b" ")[1]), headers
