"""The available languages, the choice of one, and plural rules. A language is one JSON file in this folder."""

import re
from collections.abc import Mapping
from importlib.resources import files

Language = str
"""A two-letter code: the name of a file."""

LANGUAGES: tuple[Language, ...] = tuple(
    sorted(file.name[:-5] for file in files(__package__).iterdir() if file.name.endswith(".json"))
)
DEFAULT: Language = "en"

# The environment variables of a locale in the order of a C library; the first that is set counts.
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")

# One relation of a CLDR plural rule, for whole numbers: “i % 10 = 2..4,7”.
_RELATION = re.compile(r"[ni](?: % (\d+))? (!?)= ([\d.,]+)")


def language_for(requested: str | None, environment: Mapping[str, str]) -> Language:
    """The requested language, else the language of the locale, else English."""
    wanted = requested or next(filter(None, map(environment.get, _LOCALE)), DEFAULT)
    code = wanted.lower()[:2]
    # A country or an encoding may follow the code: “it_CH.UTF-8” is Italian, “italic” is not a language.
    return code if code in LANGUAGES and not wanted[2:3].isalpha() else DEFAULT


def plural_category(rules: str, n: int) -> str:
    """The CLDR category of a whole number. The rules are those of CLDR: “one: i = 1; few: i = 2..4”."""
    for rule in rules.split("; "):
        category, _, condition = rule.partition(": ")
        if any(
            all(_holds(part, abs(n)) for part in c.split(" and ")) for c in condition.split(" or ")
        ):
            return category
    return "other"


def _holds(relation: str, n: int) -> bool:
    match = _RELATION.fullmatch(relation)
    assert match is not None, f"not a plural rule for whole numbers: {relation}"
    divisor, negated, ranges = match.groups()
    value = n % int(divisor) if divisor else n
    bounds = [part.split("..") for part in ranges.split(",")]
    return any(int(b[0]) <= value <= int(b[-1]) for b in bounds) != bool(negated)
