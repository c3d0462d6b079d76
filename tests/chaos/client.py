"""An HTTP/1.1 client on bare sockets, written from docs/reference/http-api.md. It shares no code with the server.

A client can have any loopback address (127.0.0.2, 127.0.0.3 …), so one machine plays several people.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any, NamedTuple, Self

HOST = "127.0.0.1"
TIMEOUT = 30.0
"""Seconds after which a request without a response counts as lost."""
TOO_MANY = 429


class ResponseLostError(Exception):
    """No response came, or a 5xx: the client does not know whether the request took effect."""


class Response(NamedTuple):
    """A complete response. Header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        decoded: dict[str, Any] = json.loads(self.body)
        return decoded


def head(method: str, path: str, port: int, headers: Mapping[str, str]) -> bytes:
    """The request line and the headers of a request."""
    fields = {"Host": f"{HOST}:{port}"} | dict(headers)
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status and the headers of a response."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    pairs = (line.split(":", 1) for line in lines if line)
    return int(first.split(" ")[1]), {name.lower(): value.strip() for name, value in pairs}


async def read_chunks(reader: asyncio.StreamReader) -> AsyncGenerator[bytes]:
    """The chunks of a chunked body."""
    while size := int(await reader.readline() or b"0", 16):
        yield (await reader.readexactly(size + 2))[:-2]
    await reader.readline()


async def read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if "chunked" in headers.get("transfer-encoding", ""):
        return b"".join([chunk async for chunk in read_chunks(reader)])
    return await reader.readexactly(int(headers.get("content-length", "0")))


class Client:
    """One person: a loopback address and a connection that is opened again when it breaks."""

    def __init__(self, port: int, address: str = HOST, forwarded: str | None = None) -> None:
        self.port = port
        self.address = address
        self.limited = 0
        """The number of responses with status 429. `call` waits and repeats such a request."""
        self._headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.close()

    async def send(
        self, method: str, path: str, body: object = None, secret: str | None = None
    ) -> asyncio.StreamReader:
        """Send a request; the caller reads the response."""
        if self._open is None:
            self._open = await asyncio.open_connection(
                HOST, self.port, local_addr=(self.address, 0), limit=1 << 22
            )
        content = b"" if body is None else json.dumps(body).encode()
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        if method != "GET":
            headers["Content-Length"] = str(len(content))
        if secret is not None:
            headers["Authorization"] = f"Bearer {secret}"
        reader, writer = self._open
        writer.write(head(method, path, self.port, headers) + content)
        return reader

    async def request(
        self, method: str, path: str, body: object = None, secret: str | None = None
    ) -> Response:
        """One request, sent once."""
        try:
            async with asyncio.timeout(TIMEOUT):
                reader = await self.send(method, path, body, secret)
                status, headers = await read_head(reader)
                content = await read_body(reader, headers)
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.close()
            raise ResponseLostError(f"no response: {type(error).__name__}") from error
        except asyncio.CancelledError:
            self.close()
            raise
        if headers.get("connection", "") == "close":
            self.close()
        if status >= 500:
            raise ResponseLostError(f"status {status}")
        return Response(status, headers, content)

    async def call(
        self, method: str, path: str, body: object = None, secret: str | None = None
    ) -> Response:
        """One request; while the server answers 429, wait and repeat it."""
        while (answer := await self.request(method, path, body, secret)).status == TOO_MANY:
            self.limited += 1
            await asyncio.sleep(min(2.0, float(answer.headers.get("ratelimit-reset", "1")) + 0.05))
        return answer

    async def lines(self, path: str, secret: str | None = None) -> AsyncGenerator[bytes]:
        """The lines of a streamed response until it ends. An error response has no lines."""
        try:
            reader = await self.send("GET", path, None, secret)
            status, _ = await read_head(reader)
            rest = b""
            if status == 200:
                async for chunk in read_chunks(reader):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        yield line
        except (OSError, EOFError, ValueError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        if self._open is not None:
            self._open[1].close()
        self._open = None
