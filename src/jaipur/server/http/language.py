"""Chooses the language of a response from the Accept-Language header."""

import re
from operator import itemgetter

from litestar import Request
from litestar.datastructures import State

from jaipur.words import DEFAULT, LANGUAGES, Language, Words

_RANGE = re.compile(r"\s*([a-z]{2})(?![a-z])[^;]*(?:;\s*q=(\d(?:\.\d*)?))?", re.IGNORECASE)
"""One part of the header: a two-letter language and a weight. Litestar's class `Accept` supports only media types."""
_MAX_LENGTH = 200
"""The rest of a longer header is ignored. Browsers send fewer characters, and 30,000 would need milliseconds."""


def words_for(request: Request[None, None, State]) -> Words:
    return Words(preferred_language(request.headers.get("accept-language", "")))


def preferred_language(accept_language: str) -> Language:
    """Return the language with the highest weight for which we have texts. If weights are equal, the first one wins."""
    ranges = filter(None, map(_RANGE.match, accept_language[:_MAX_LENGTH].split(",")))
    available = [
        (float(match[2] or 1), language)
        for match in ranges
        for language in LANGUAGES
        if match[1].lower() == language
    ]
    return max(available, key=itemgetter(0), default=(1, DEFAULT))[1]
