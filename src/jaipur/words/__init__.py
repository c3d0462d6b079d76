"""Texts for players, found by key. Each language has one JSON file in this folder.

A text that depends on a number has one key per plural category, such as `….one` and `….other`. The value `n` is the
number. The English sentences that explain illegal moves are in `rules.errors`. All other texts are in the JSON files.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from jaipur.rules import Reason
from jaipur.rules.cards import KINDS, LETTERS, Kind, PileCode, count
from jaipur.rules.errors import NONE_SENTENCES, SENTENCES

Language = str
"""A two-letter code, which is also the name of the JSON file."""

LANGUAGES: tuple[Language, ...] = tuple(
    sorted(file.name[:-5] for file in files(__package__).iterdir() if file.name.endswith(".json"))
)
DEFAULT: Language = "en"

# The environment variables that name the locale. Like the C library, we use the first variable that is set.
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")

# One relation of a CLDR plural rule, for whole numbers: “i % 10 = 2..4,7”.
_RELATION = re.compile(r"[ni](?: % (\d+))? (!?)= ([\d.,]+)")


def language_for(requested: str | None, environment: Mapping[str, str]) -> Language:
    """Return the requested language, or the language of the locale if `requested` is None.

    Return English if we have no texts in that language.
    """
    wanted = requested or next(filter(None, map(environment.get, _LOCALE)), DEFAULT)
    code = wanted.lower()[:2]
    # A country or an encoding may follow the code: “it_CH.UTF-8” is Italian, “italic” is not a language.
    return code if code in LANGUAGES and not wanted[2:3].isalpha() else DEFAULT


@cache
def texts_of(language: Language) -> Mapping[str, str]:
    """Return all texts of a language as a mapping from key to text."""
    text = files(__package__).joinpath(f"{language}.json").read_text("utf-8")
    texts: dict[str, str] = json.loads(text)
    if language == "en":
        texts |= {f"reason.{rule}": sentence for rule, sentence in SENTENCES.items()}
        texts |= {f"reason.{rule}.none": sentence for rule, sentence in NONE_SENTENCES.items()}
    return texts


class Words:
    """The texts of one language."""

    def __init__(self, language: Language = DEFAULT) -> None:
        self._texts = texts_of(language)

    def find(self, key: str) -> str | None:
        """Return the text of a key, with its placeholders, or None if the key does not exist."""
        return self._texts.get(key)

    def say(self, key: str, **values: object) -> str:
        """Return the text of a key and fill in the values. The value `n` selects the plural form."""
        n = values.get("n")
        if isinstance(n, int) and f"{key}.other" in self._texts:
            category = plural_category(self.find("language.plurals") or "", n)
            key = f"{key}.{category if f'{key}.{category}' in self._texts else 'other'}"
        return self._texts[key].format(**values)

    def by(self, name: str | None, key: str, **values: object) -> str:
        """Return the text about an action of a trader. If `name` is None, the text addresses the reader as “you”."""
        if name is None:
            return self.say(f"{key}.you", **values)
        return self.say(f"{key}.they", name=name, **values)

    def kind(self, kind: Kind) -> str:
        return self.say(f"kind.{LETTERS[kind]}")

    def card(self, kind: Kind) -> str:
        """Return the name of one card of a kind."""
        return self.say(f"card.{LETTERS[kind]}")

    def counted(self, kind: Kind, n: int) -> str:
        """Return a number of cards of one kind as text: “1 camel”."""
        return self.say(f"cards.{LETTERS[kind]}", n=n)

    def cards(self, pile: PileCode) -> str:
        """Return the cards of a pile as text: “2 gold and 1 camel”."""
        return self.listed([self.counted(kind, n) for kind in KINDS if (n := count(pile, kind))])

    def listed(self, items: Sequence[str]) -> str:
        """Join the items with commas, and with “and” before the last item."""
        if not items:
            return self.say("list.nothing")
        *others, last = items
        return self.say("list.and", others=", ".join(others), last=last) if others else last

    def reason(self, reason: Reason) -> str:
        named = {
            name: self.kind(LETTERS.index(value)) if isinstance(value, str) else value
            for name, value in reason.values.items()
        }
        if reason.none:
            return self.say(f"reason.{reason.rule}.none", **named)
        return self.say(f"reason.{reason.rule}", **named)

    def inside(self, name: str) -> str:
        """Return a trader's name for use inside a sentence, where “You” becomes “you”."""
        you = self.say("label.you")
        return you.lower() if name == you else name


def plural_category(rules: str, n: int) -> str:
    """Return the CLDR plural category of a whole number.

    `rules` has the syntax of CLDR, for example “one: i = 1; few: i = 2..4”.
    """
    for rule in rules.split("; "):
        category, _, condition = rule.partition(": ")
        for alternative in condition.split(" or "):
            if all(_holds(relation, abs(n)) for relation in alternative.split(" and ")):
                return category
    return "other"


def _holds(relation: str, n: int) -> bool:
    match = _RELATION.fullmatch(relation)
    assert match is not None, f"not a plural rule for whole numbers: {relation}"
    divisor, negated, ranges = match.groups()
    value = n % int(divisor) if divisor else n
    bounds = [part.split("..") for part in ranges.split(",")]
    return any(int(b[0]) <= value <= int(b[-1]) for b in bounds) != bool(negated)
