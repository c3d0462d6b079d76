"""Which language to speak: the one asked for, else the one of the locale, else English."""

from collections.abc import Mapping
from typing import Literal, cast, get_args

Language = Literal["en", "fr", "it"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

# As a C library looks for the language of messages; the first that is set decides.
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_for(asked: str | None, environment: Mapping[str, str]) -> Language:
    """The language asked for, or that of the locale."""
    wanted = asked or next(filter(None, map(environment.get, _LOCALE)), "en")
    code = wanted.lower()[:2]
    # What follows the code is a country or an encoding: “it_CH.UTF-8” is Italian, “italic” is nothing.
    known = code in LANGUAGES and not wanted[2:3].isalpha()
    return cast("Language", code) if known else "en"


def takes_the_singular(language: Language, n: int) -> bool:
    """Whether so many things are named in the singular; in French none are, too."""
    return abs(n) < 2 if language == "fr" else n == 1
