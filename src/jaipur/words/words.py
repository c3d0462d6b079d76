"""Saying things in one language: texts by key, plurals, names of cards, reasons of refused moves.

A text that depends on a number has the keys `….one` and `….other`, and the number is its value `n`. The English reasons
are those of the rules; every other text stands in the language's file.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from jaipur.rules import LETTERS, Kind, PileCode, Reason, count
from jaipur.rules.cards import KINDS
from jaipur.rules.errors import SENTENCES
from jaipur.words.language import Language, takes_the_singular


@cache
def texts_of(language: Language) -> Mapping[str, str]:
    """Every text of a language by its key."""
    text = files("jaipur.words").joinpath(f"{language}.json").read_text("utf-8")
    texts: dict[str, str] = json.loads(text)
    if language == "en":
        texts |= {f"reason.{rule}": sentence for rule, sentence in SENTENCES.items()}
    return texts


class Words:
    """The words of one language."""

    def __init__(self, language: Language = "en") -> None:
        self.language: Language = language
        self._texts = texts_of(language)

    def find(self, key: str) -> str | None:
        """The text of a key as it stands, where there is one."""
        return self._texts.get(key)

    def say(self, key: str, **values: object) -> str:
        """The text of a key with its values filled in, in the singular or plural of the value `n`."""
        n = values.get("n")
        if isinstance(n, int) and f"{key}.other" in self._texts:
            key += ".one" if takes_the_singular(self.language, n) else ".other"
        return self._texts[key].format(**values)

    def by(self, name: str | None, key: str, **values: object) -> str:
        """What a trader did: said to them where there is no name, else of whoever has the name."""
        if name is None:
            return self.say(f"{key}.you", **values)
        return self.say(f"{key}.they", name=name, **values)

    def kind(self, kind: Kind) -> str:
        """The name of a kind as such."""
        return self.say(f"kind.{LETTERS[kind]}")

    def card(self, kind: Kind) -> str:
        """The name of one card of a kind."""
        return self.say(f"card.{LETTERS[kind]}")

    def counted(self, kind: Kind, n: int) -> str:
        """So many cards of a kind: “1 camel”."""
        return self.say(f"cards.{LETTERS[kind]}", n=n)

    def cards(self, pile: PileCode) -> str:
        """The cards of a pile, counted: “2 gold and 1 camel”."""
        return self.listed(
            [self.counted(kind, count(pile, kind)) for kind in KINDS if count(pile, kind)]
        )

    def listed(self, things: Sequence[str]) -> str:
        """Things in a row, the last after an “and”."""
        if not things:
            return self.say("list.nothing")
        *others, last = things
        return self.say("list.and", others=", ".join(others), last=last) if others else last

    def reason(self, reason: Reason) -> str:
        """Why a move is refused."""
        named = {
            name: self.kind(LETTERS.index(value)) if isinstance(value, str) else value
            for name, value in reason.values.items()
        }
        return self.say(f"reason.{reason.rule}", **named)

    def inside(self, name: str) -> str:
        """A trader's name where no sentence begins: “You” is none, and loses its capital."""
        you = self.say("label.you")
        return you.lower() if name == you else name
