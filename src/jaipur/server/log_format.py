"""The format of the server's log. No hidden card, salt or digest appears in it.

The message of an exception can contain any value, for example a deal that cannot be parsed. Therefore a traceback in
the log has the message only if the class of the exception allows it (`loggable = True`).
"""

import logging
import sys
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

log = logging.getLogger(__name__)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "safe": {
            "()": "jaipur.server.log_format.SafeFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "safe"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
"""The logging configuration of a server process."""


class SafeFormatter(logging.Formatter):
    """Formats tracebacks without the messages of exceptions that may contain secrets."""

    def formatException(  # noqa: N802  # a name of the standard library
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        return "" if ei[1] is None else "".join(_describe(ei[1])).rstrip()


def print_error(
    _kind: type[BaseException], error: BaseException, _traceback: TracebackType | None
) -> None:
    """Print an uncaught exception in the same format. This function replaces `sys.excepthook`."""
    sys.stderr.write("".join(_describe(error)))


def log_loop_error(_loop: "AbstractEventLoop", context: dict[str, object]) -> None:
    """Log an exception of the event loop. The standard handler would log the text of tasks and their exceptions."""
    error = context.get("exception")
    log.error("%s", context["message"], exc_info=error if isinstance(error, Exception) else None)


def message_of(error: BaseException) -> str:
    """Return the message of an exception if it may be logged, otherwise a text that replaces it."""
    loggable = getattr(error, "loggable", False) or isinstance(error, OSError)
    return str(error) if loggable else "(message not logged)"


def _describe(error: BaseException) -> Iterator[str]:
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if earlier is not None:
        yield from _describe(earlier)
        yield "which led to:\n"
    yield from traceback.format_tb(error.__traceback__)
    yield f"{type(error).__name__}: {message_of(error)}\n"
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _describe(each)
