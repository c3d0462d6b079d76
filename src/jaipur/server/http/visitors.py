"""Cookies for browsers."""

from contextlib import suppress

from litestar import Response, post
from litestar.status_codes import HTTP_200_OK

from jaipur.server.http.identity import AppRequest, new_secret, secret_cookie, secret_of
from jaipur.server.http.problems import WRITE, RequestError, error_responses
from jaipur.server.http.wire import VisitorResponse


@post(
    "/api/visitor",
    operation_id="createVisitor",
    summary="Get a cookie",
    description="Sets a cookie with a secret that scripts cannot read, or renews it. For browsers; "
    "bots send a bearer token instead.",
    response_description="The cookie is set.",
    tags=["visitors"],
    status_code=HTTP_200_OK,
    responses=error_responses(*WRITE),
)
async def create_visitor(request: AppRequest) -> Response[VisitorResponse]:
    secret = None
    with suppress(RequestError):  # replace a malformed cookie
        secret = secret_of(request)
    cookie = secret_cookie(secret or new_secret(), request)
    return Response(VisitorResponse(known=secret is not None), cookies=[cookie])
