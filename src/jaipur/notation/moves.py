"""Moves as text: `+G`, `+M`, `+DG-LM`, `-LLL`. A plus is what comes to the trader, a minus what goes."""

from jaipur.notation.errors import NotationError
from jaipur.rules.cards import COPIES, LETTERS, NAMES, Kind, Pile
from jaipur.rules.moves import Move

_LONGEST_MOVE = 200


def read_move(text: str) -> Move:
    """A move from its text, in either case and with any spaces; whether it is legal is not asked here."""
    piles: dict[str, Pile] = {"+": 0, "-": 0}
    sign, last = "", -1
    for place, written in enumerate(text[:_LONGEST_MOVE]):
        # Only what a keyboard for this notation has: some foreign letters become ours in upper case.
        letter = written.upper() if written.isascii() else written
        if letter == " ":
            continue
        if letter in piles:
            if sign == "-" or sign == letter:
                raise NotationError(f"A second “{letter}” cannot stand here", text, place)
            if sign and not piles[sign]:
                raise NotationError(f"No card follows “{sign}”", text, place)
            sign, last = letter, -1
            continue
        kind = LETTERS.find(letter)
        if kind < 0:
            raise NotationError(f"Cards are {LETTERS}, after “+” or “-”", text, place)
        if not sign:
            raise NotationError("A move begins with “+” or “-”", text, place)
        if kind < last:
            raise NotationError(f"Cards are written in the order {LETTERS}", text, place)
        piles[sign] = _with(piles[sign], kind, text, place)
        last = kind
    if not sign or not piles[sign] or len(text) > _LONGEST_MOVE:
        raise NotationError("A move reads like +G, +M, +DG-LM or -LLL", text or "nothing")
    return Move(piles["+"], piles["-"])


def _with(pile: Pile, kind: Kind, text: str, place: int) -> Pile:
    if pile >> 4 * kind == COPIES[kind]:
        raise NotationError(f"The pack has only {COPIES[kind]} {NAMES[kind]}", text, place)
    return pile + (1 << 4 * kind)
