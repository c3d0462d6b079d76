"""Error responses: a stable code, one sentence in the client's language, and the values in the sentence.

`STATUSES` maps every code to its HTTP status. A route declares its possible codes with `error_responses`. The OpenAPI
document lists exactly these codes.
"""

import logging
from collections.abc import Mapping

import msgspec
from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

from jaipur.server.http.language import words_for
from jaipur.server.store.schema import StoreError
from jaipur.table.refusals import Refused
from jaipur.table.state import DamagedLog
from jaipur.words import Words

_CODES_BY_STATUS = {
    400: "bad_request bad_name no_such_level unreadable",  # bad_request: 415 if the body is not JSON
    401: "weak_secret",
    403: "not_seated not_invited no_watching cross_site",
    404: "no_such_table no_such_page",  # no_such_page: 405 if the path exists for another method
    409: "seat_taken not_started game_over not_over not_your_turn stale ahead "
    "no_commitment already_dealt already_contributed too_many_tables",
    413: "too_large",  # 431 for headers
    421: "wrong_host",
    422: "illegal",
    429: "too_many",
    500: "failed",
    503: "damaged unavailable",
}
STATUSES = {code: status for status, codes in _CODES_BY_STATUS.items() for code in codes.split()}

_CODE_OF_ERROR = {404: "no_such_page", 405: "no_such_page", 413: "too_large", 429: "too_many"}
"""The codes for errors that Litestar raises. All its other client errors get the code `bad_request`."""

# These codes are common to groups of routes.
RATE_LIMITED = "too_many"
WRITE = "cross_site not_json too_many"
BODY = "bad_request too_large"
STORED = "no_such_table damaged unavailable"
SEATED = "bad_request weak_secret not_seated no_watching"

log = logging.getLogger(__name__)


class Problem(Struct, frozen=True):
    """The body of every error response."""

    code: str
    """A stable code for programs."""
    sentence: str
    """A sentence for people, in the language of Accept-Language."""
    values: dict[str, int | str] = {}
    """The values in the sentence."""
    rule: str | None = None
    """The rule of the game that an illegal move breaks."""


class RequestError(Exception):
    """The request is refused before a command runs."""

    def __init__(
        self, code: str, headers: Mapping[str, str] | None = None, **values: int | str
    ) -> None:
        super().__init__(code)
        self.code = code
        self.headers = dict(headers or {})
        self.values = values
        """The values in the sentence."""


def error_responses(*codes: str) -> dict[int, ResponseSpec]:
    """Return the OpenAPI responses of a route for these codes. An argument may have several codes (`"a b"`)."""
    by_status: dict[int, list[str]] = {}
    for code in sorted(set(" ".join(codes).split())):
        # A wrong content type has its own status, but no code of its own.
        status, name = (415, "bad_request") if code == "not_json" else (STATUSES[code], code)
        by_status.setdefault(status, []).append(f"`{name}`")
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=", ".join(names))
        for status, names in sorted(by_status.items())
    }


def handle_error(request: Request[None, None, State], error: Exception) -> Response[Problem]:
    """Handle the exceptions of all routes. Unexpected errors are logged and hidden from the client."""
    problem, status, headers = _describe(error, words_for(request))
    request.app.state.metrics.refusals.labels(problem.code).inc()
    return Response(problem, status_code=status, headers=headers)


def problem_for(refused: Refused, words: Words) -> Problem:
    rule = None if refused.reason is None else refused.reason.rule.value
    return Problem(refused.code.value, refused.sentence(words), refused.values, rule)


def _describe(error: Exception, words: Words) -> tuple[Problem, int, dict[str, str]]:
    match error:
        case Refused():
            return problem_for(error, words), STATUSES[error.code], {}
        case StoreError():
            log.error("the event store failed: %s", error)
            return _problem("unavailable", words), 503, {"retry-after": "1"}
        case DamagedLog():
            log.error("%s Run jaipur doctor.", error)
            return _problem("damaged", words), 503, {}
        case RequestError():
            sentence = words.say(f"refused.{error.code}", **error.values)
            problem = Problem(error.code, sentence, error.values)
            return problem, STATUSES[error.code], error.headers
        case HTTPException(status_code=status) if status < 500:
            if _refuses_name(error):
                return _problem("bad_name", words), status, {}
            code = _CODE_OF_ERROR.get(status, "bad_request")
            return _problem(code, words, _detail(error)), status, dict(error.headers or {})
        case UnicodeDecodeError() | RecursionError():
            # Litestar does not catch these errors of its JSON decoder: invalid UTF-8 and deep nesting.
            return _problem("bad_request", words, "it is not JSON"), 400, {}
        case HTTPException(detail="client disconnected prematurely"):
            return _problem("bad_request", words, "it is not complete"), 400, {}
    log.error("unexpected error in a request", exc_info=error)
    return _problem("failed", words), 500, {}


def encoded_problem(code: str, words: Words) -> bytes:
    """Return the body of an error response that the connection sends before the application gets the request."""
    return msgspec.json.encode(_problem(code, words))


def _problem(code: str, words: Words, detail: str = "") -> Problem:
    sentence = words.say(f"refused.{code}", detail=detail)
    return Problem(code, sentence, {"detail": detail} if detail else {})


def _refuses_name(error: HTTPException) -> bool:
    """Return whether the name of a player has too many characters or a character that is not allowed."""
    fields = [each.get("key") for each in error.extra or [] if isinstance(each, dict)]
    return "name" in fields or "other_name" in fields


def _detail(error: HTTPException) -> str:
    """Return Litestar's explanation of an error, without any content of the request."""
    found = [str(each.get("message", "")) for each in error.extra or [] if isinstance(each, dict)]
    return "; ".join(filter(None, found))[:200] or error.detail.split(" for ")[0][:200]
