"""Protection against cross-site request forgery: a guard that checks every write request."""

from collections.abc import Mapping

from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.exceptions import ClientException
from litestar.handlers import BaseRouteHandler

from jaipur.server.http.problems import RequestError


def is_cross_site(headers: Mapping[str, str]) -> bool:
    """Whether the headers of a request say that a page of another site sent it."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site not in ("same-origin", "none")
    # An origin is either a scheme and a host, without a path, or `null`.
    return origin is not None and origin.partition("://")[2] != headers.get("host")


async def forbid_cross_site_writes(
    connection: ASGIConnection[BaseRouteHandler, None, None, State], _handler: BaseRouteHandler
) -> None:
    """Refuse a write if its headers say that a page of another site sent it. Bots do not send these headers."""
    if connection.scope.get("method") in ("GET", "HEAD", "OPTIONS"):
        return
    headers = connection.headers
    if is_cross_site(headers):
        raise RequestError("cross_site")
    # An HTML form of another site can send some content types, but not JSON. Therefore accept only JSON.
    content_type = headers.get("content-type", "")
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    is_json = content_type.partition(";")[0].strip().lower() == "application/json"
    if (has_body or content_type) and not is_json:
        raise ClientException("the Content-Type is not application/json", status_code=415)
