"""What is said when something cannot be: one sentence in the reader's language, a stable code, and its values."""

import logging
import re
from collections.abc import Mapping
from typing import cast

from litestar import Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from msgspec import Struct

from jaipur.server.store.schema import StoreError
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.words import LANGUAGES, Language, Words

STATUS: Mapping[RefusalCode, int] = {
    RefusalCode.NO_SUCH_TABLE: 404,
    RefusalCode.NOT_SEATED: 403,
    RefusalCode.NOT_INVITED: 403,
    RefusalCode.NO_WATCHING: 403,
    RefusalCode.UNREADABLE: 400,
    RefusalCode.ILLEGAL: 422,
}
"""The others are about a table that is not in the state for it: 409."""

_BY_STATUS = {404: "no_such_page", 405: "no_such_page", 413: "too_large", 429: "too_many"}
"""What Litestar refuses by itself; the rest of it are bad requests."""

log = logging.getLogger(__name__)


class Problem(Struct, frozen=True):
    """Why something is not done."""

    code: str
    sentence: str
    values: dict[str, int | str] = {}
    rule: str | None = None
    """The rule of the game that a move breaks."""


class Unusable(Exception):  # noqa: N818  # said of a request
    """A request that cannot be taken, whatever the table says."""

    def __init__(self, code: str, status: int) -> None:
        super().__init__(code)
        self.code = code
        self.status = status


def answer(request: Request[None, None, State], error: Exception) -> Response[Problem]:
    """The answer to whatever went wrong; what we did not foresee is logged, and told in one sentence too."""
    problem, status, headers = _told(error, words_for(request))
    request.app.state.metrics.refusals.labels(problem.code).inc()
    return Response(problem, status_code=status, headers=headers)


def problem_of(refused: Refused, words: Words) -> Problem:
    rule = None if refused.reason is None else refused.reason.rule.value
    return Problem(refused.code.value, refused.sentence(words), refused.values, rule)


def _told(error: Exception, words: Words) -> tuple[Problem, int, dict[str, str]]:
    match error:
        case Refused():
            return problem_of(error, words), STATUS.get(error.code, 409), {}
        case StoreError():
            log.error("the storage failed: %s", error)
            return _problem("unavailable", words), 503, {"retry-after": "1"}
        case Unusable():
            return _problem(error.code, words), error.status, {}
        case HTTPException(status_code=status) if status < 500:
            code = _BY_STATUS.get(status, "bad_request")
            return _problem(code, words, _detail(error)), status, dict(error.headers or {})
        case UnicodeDecodeError() | RecursionError():
            # Litestar passes on what its JSON reader makes of broken UTF-8 and of very deep lists.
            return _problem("bad_request", words, "it is not JSON"), 400, {}
        case HTTPException(detail="client disconnected prematurely"):
            return _problem("bad_request", words, "it is not complete"), 400, {}
    log.error("a request failed", exc_info=error)
    return _problem("failed", words), 500, {}


def _problem(code: str, words: Words, detail: str = "") -> Problem:
    return Problem(
        code, words.say(f"refused.{code}", detail=detail), {"detail": detail} if detail else {}
    )


def _detail(error: HTTPException) -> str:
    """What Litestar found wrong with a request, without what was sent."""
    found = [str(each.get("message", "")) for each in error.extra or [] if isinstance(each, dict)]
    return "; ".join(filter(None, found))[:200] or error.detail.split(" for ")[0][:200]


def words_for(request: Request[None, None, State]) -> Words:
    return Words(language_of(request.headers.get("accept-language", "")))


def language_of(accepted: str) -> Language:
    """The one of our languages that a reader likes best."""
    wishes = re.findall(
        r"(?:^|,)\s*([a-z]{2})(?![a-z])[^,;]*(?:;\s*q=([0-9.]+))?", accepted.lower()
    )
    known = [(_liking(q), wish) for wish, q in wishes if wish in LANGUAGES]
    # Among equals the first one named; `max` keeps it.
    return cast("Language", max(known, key=lambda each: each[0])[1]) if known else "en"


def _liking(quality: str) -> float:
    try:
        return float(quality or 1)
    except ValueError:
        return 0.0
