"""Parse a drawing of the table into a position: the inverse of `str(position)`.

A drawing may omit lines and fields. By default all tokens are left, the hands are empty and the deck is empty. Cards
may be written with or without spaces (`D D G`, `DDG`). The mark `>` stands before the seat to move. Without a mark,
seat 0 is to move.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jaipur.notation.views import BONUS_NAMES
from jaipur.rules import NotationError
from jaipur.rules.cards import (
    CAMEL,
    CAMEL_SHIFT,
    COPIES,
    DECK_SIZE,
    GOODS,
    KINDS,
    LETTERS,
    NAMES,
    NO_CARD,
    Kind,
    Seat,
    pile_of,
)
from jaipur.rules.endings import ENDINGS
from jaipur.rules.moves import HAND_LIMIT, MARKET_PLACES
from jaipur.rules.position import Position
from jaipur.rules.tokens import BONUS_ROW, BONUS_SIZES, BONUS_TOKENS, GOODS_TOKENS, PILE_SIZES

UNNAMED = ""
SEAT_FIELDS = ("hand", "shown", "herd", "tokens", "rupees", "bonus")
FIELDS = {
    "round": ("moves", "starter", "ended"),
    "deck": (UNNAMED,),
    "market": (UNNAMED,),
    "discard": (UNNAMED, "top"),
    "tokens": tuple(LETTERS[good] for good in GOODS),
    "bonus": BONUS_NAMES,
    "seat 0": SEAT_FIELDS,
    "seat 1": SEAT_FIELDS,
}
"""The labels of the lines of a drawing, and the names of the fields of each line. Bars separate the fields."""


def read_drawing(text: str) -> Position:
    """Parse a drawing. Raise `NotationError` if the format is wrong or if no such position exists."""
    drawing = _Drawing()
    for line in text.splitlines():
        if line.strip():
            drawing.add(line)
    position = Position()
    _check_pack(drawing)
    _read_round(drawing, position)
    _read_middle(drawing, position)
    _read_tokens(drawing, position)
    for seat in (0, 1):
        _read_seat(drawing, position, seat)
    return position


def _read_round(drawing: "_Drawing", position: Position) -> None:
    position.turn = drawing.marked[0] if drawing.marked else 0
    position.moves_played = drawing.number("round", "moves", 0)
    # The traders alternate. Therefore the seat to move and the number of moves determine the starter.
    position.starter = drawing.number(
        "round", "starter", (position.turn + position.moves_played) % 2
    )
    if position.starter not in (0, 1):
        raise drawing.wrong("The starter is seat 0 or seat 1", "round", "starter")
    endings = ("no", *ENDINGS[1:])
    ended = drawing.text("round", "ended", "no")
    if ended not in endings:
        raise drawing.wrong(f"The end of a round is one of {_row(endings)}", "round", "ended")
    position.ended = endings.index(ended)


def _check_pack(drawing: "_Drawing") -> None:
    """Raise an error if the drawing has more cards of a kind than the pack."""
    everywhere = [
        *(card for line in ("deck", "market", "discard") for card in drawing.cards(line)),
        *(card for seat in (0, 1) for card in drawing.cards(f"seat {seat}", "hand")),
    ]
    herds = sum(drawing.number(f"seat {seat}", "herd", 0) for seat in (0, 1))
    for kind in KINDS:
        if everywhere.count(kind) + (herds if kind == CAMEL else 0) > COPIES[kind]:
            raise NotationError(f"The pack has only {COPIES[kind]} {NAMES[kind]}")


def _read_middle(drawing: "_Drawing", position: Position) -> None:
    """Read the deck, the market and the discard pile."""
    deck = drawing.cards("deck", most=DECK_SIZE)
    position.drawn = DECK_SIZE - len(deck)
    position.deck = [NO_CARD] * position.drawn + deck
    position.market = int(pile_of(drawing.cards("market", most=MARKET_PLACES)))
    discard = drawing.cards("discard")
    top = drawing.cards("discard", "top", most=1) or discard[-1:]
    if CAMEL in discard or _exceeds(top, discard):
        raise drawing.wrong(
            "The discard pile has only goods, and its top card is one of them", "discard"
        )
    position.discard = int(pile_of(discard))
    position.discard_top = top[0] if top else NO_CARD


def _read_tokens(drawing: "_Drawing", position: Position) -> None:
    """Read the remaining goods tokens and bonus tokens."""
    for good, tokens in enumerate(GOODS_TOKENS):
        left = drawing.numbers("tokens", LETTERS[good], tokens)
        position.tokens_taken[good] = taken = PILE_SIZES[good] - len(left)
        if left != list(tokens[max(taken, 0) :]):
            raise drawing.wrong("This is not the lower part of the pile", "tokens", LETTERS[good])
    for pile, (name, tokens) in enumerate(zip(BONUS_NAMES, BONUS_TOKENS, strict=True)):
        left = drawing.numbers("bonus", name, tokens)
        if _exceeds(left, tokens):
            raise drawing.wrong("This pile has other tokens", "bonus", name)
        position.bonus_taken[pile] = BONUS_SIZES[pile] - len(left)
        last = BONUS_ROW * pile + BONUS_SIZES[pile]
        position.bonus[last - len(left) : last] = left


def _read_seat(drawing: "_Drawing", position: Position, seat: Seat) -> None:
    line = f"seat {seat}"
    hand = drawing.cards(line, "hand", HAND_LIMIT)
    if CAMEL in hand:
        raise drawing.wrong("Camels are in the herd, never in the hand", line, "hand")
    shown = drawing.cards(line, "shown")
    if _exceeds(shown, hand):
        raise drawing.wrong("Only cards of the hand can be shown", line, "shown")
    tokens = drawing.cards(line, "tokens")
    if _exceeds(tokens, [good for good in GOODS for _ in range(PILE_SIZES[good])]):
        raise drawing.wrong("There are no such goods tokens", line, "tokens")
    bonuses = drawing.numbers(line, "bonus", ())
    if _exceeds(bonuses, [value for pile in BONUS_TOKENS for value in pile]):
        raise drawing.wrong("There are no such bonus tokens", line, "bonus")
    position.holdings[seat] = pile_of(hand) + (drawing.number(line, "herd", 0) << CAMEL_SHIFT)
    position.shown[seat] = int(pile_of(shown))
    position.goods_tokens[seat] = int(pile_of(tokens))
    position.rupees[seat] = drawing.number(line, "rupees", 0)
    position.bonuses[seat] = sum(1 << 4 * value for value in bonuses)


def _exceeds(items: Sequence[int], available: Iterable[int]) -> bool:
    """Return whether an item occurs more often in `items` than in `available`."""
    stock = list(available)
    return any(items.count(item) > stock.count(item) for item in items)


def _row(words: Iterable[object]) -> str:
    return ", ".join(str(word) or "cards" for word in words)


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of a line. Errors use `start` to point at the wrong part."""

    line: str
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.line[self.start : self.end]

    def find(self, pattern: str) -> list["_Span"]:
        found = re.finditer(pattern, self.text)
        return [_Span(self.line, self.start + m.start(), self.start + m.end()) for m in found]

    def wrong(self, message: str) -> NotationError:
        return NotationError(message, self.line, self.start)


@dataclass(slots=True)
class _Drawing:
    """A drawing, split into fields and words. The keys are the label of the line and the name of the field."""

    marked: list[Seat] = field(default_factory=list)
    fields: dict[tuple[str, str], _Span] = field(default_factory=dict)
    words: dict[tuple[str, str], list[_Span]] = field(default_factory=dict)

    def add(self, line: str) -> None:
        label, *rest = _Span(line, 0, len(line)).find(r"seat +[01]\b|[^\s>|]+|\S")
        if label.text == ">":
            if self.marked or not rest or not rest[0].text.startswith("seat "):
                raise label.wrong("One “>” marks the seat that is to move")
            label = rest[0]
            self.marked.append(int(label.text[-1]))
        name = " ".join(label.text.split())
        if name not in FIELDS:
            raise label.wrong(f"A drawing has the lines {_row(FIELDS)}")
        self._add_fields(name, _Span(line, label.end, len(line)))

    def _add_fields(self, line: str, rest: _Span) -> None:
        for place, part in enumerate(rest.find(r"[^|]+")):
            words = part.find(r"[^\s:]+")
            start = words[0] if words else part
            unnamed = place == 0 and UNNAMED in FIELDS[line]
            name = UNNAMED if unnamed or not words else words.pop(0).text
            if name not in FIELDS[line] or (line, name) in self.fields:
                raise start.wrong(
                    f"A line “{line}” has these fields, each once: {_row(FIELDS[line])}"
                )
            self.fields[line, name] = start
            self.words[line, name] = words

    def wrong(self, message: str, line: str, name: str = UNNAMED) -> NotationError:
        return self.fields[line, name].wrong(message)

    def cards(self, line: str, name: str = UNNAMED, most: int = sum(COPIES)) -> list[Kind]:
        """Return the cards of a field in their order, or an empty list if the field is omitted."""
        words = self.words.get((line, name), [])
        letters = [letter for word in words for letter in word.find("[^-]")]
        for letter in letters:
            if letter.text not in LETTERS + LETTERS.lower():
                raise letter.wrong(f"Cards are {LETTERS}")
        if len(letters) > most:
            raise self.wrong(
                f"There is room for {most} cards here, not for {len(letters)}", line, name
            )
        return [LETTERS.index(letter.text.upper()) for letter in letters]

    def numbers(self, line: str, name: str, default: Iterable[int]) -> list[int]:
        """Return the numbers of a field, or the default if the field is omitted."""
        if (line, name) not in self.words:
            return list(default)
        words = [word for word in self.words[line, name] if word.text != "-"]
        for word in words:
            if not re.fullmatch(r"[0-9]{1,6}", word.text):
                raise word.wrong("This should be a number")
        return [int(word.text) for word in words]

    def number(self, line: str, name: str, default: int) -> int:
        numbers = self.numbers(line, name, (default,))
        if len(numbers) != 1:
            raise self.wrong("This should be one number", line, name)
        return numbers[0]

    def text(self, line: str, name: str, default: str) -> str:
        words = self.words.get((line, name))
        return default if words is None else " ".join(word.text for word in words)
