"""Routes for information about the server: levels, health, readiness and metrics."""

import logging
from hmac import compare_digest

from litestar import Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.openapi.datastructures import ResponseSpec

from jaipur.players import LEVELS
from jaipur.server.http.identity import AppRequest
from jaipur.server.http.language import words_for
from jaipur.server.http.problems import RATE_LIMITED, error_responses
from jaipur.server.http.wire import Health, LevelInfo
from jaipur.server.store.event_store import StoreError

log = logging.getLogger(__name__)


@get(
    "/api/levels",
    summary="List the computer players",
    description="From the weakest to the strongest, described in the language of Accept-Language.",
    response_description="The levels.",
    tags=["server"],
    responses=error_responses(RATE_LIMITED),
)
async def list_levels(request: AppRequest) -> list[LevelInfo]:
    words = words_for(request)
    return [LevelInfo(level.name, words.say(f"level.{level.name}")) for level in LEVELS]


@get(
    "/health",
    summary="Check that the process runs",
    description="Always 200, with the version of the server.",
    response_description="The process runs.",
    tags=["server"],
)
async def get_health() -> Health:
    return Health("ok")


@get(
    "/ready",
    summary="Check that the server can work",
    description="200 if the database can be read and written, and Redis answers if it is configured; otherwise 503.",
    response_description="The server can work.",
    tags=["server"],
    responses={
        503: ResponseSpec(
            Health, generate_examples=False, description="The database or Redis does not work."
        )
    },
)
async def get_readiness(state: State) -> Response[Health]:
    try:
        await state.store.check_writable()
    except StoreError as error:
        log.error("not ready: %s", error)
        return Response(Health("the database cannot be used"), status_code=503)
    if state.notifier is not None and not state.notifier.healthy:
        return Response(Health("redis does not answer"), status_code=503)
    return Response(Health("ok"))


@get("/metrics", include_in_schema=False, media_type="text/plain; version=0.0.4")
async def get_metrics(request: AppRequest, state: State) -> bytes:
    """Return the metrics to clients with the token. All other clients get status 404."""
    sent = request.headers.get("authorization", "")
    if state.metrics_token is None or not compare_digest(
        sent.encode(), f"Bearer {state.metrics_token}".encode()
    ):
        raise NotFoundException
    text: bytes = state.metrics.text()
    return text


HANDLERS = [list_levels, get_health, get_readiness, get_metrics]
