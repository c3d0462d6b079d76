"""Searches everything that the players received for cards, decks and salts that the rules hide at that moment.

The hidden cards of every moment follow from the record of the finished game and the naive engine of the tests.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chaos.client import Client
from chaos.comparison import replay
from chaos.referee import OK, Referee, Table
from naive import NaiveRound, ordered

RUN = 8
"""This many cards of the deck, in order and in one string, count as a leak of the deck."""
LONG_RUN = 14
"""The same for cards with other characters between them. Legal moves can repeat a short run by chance."""
LEAST_HAND = 3
"""A hand with fewer cards than this can appear elsewhere by chance."""
DOCUMENTED = {
    *("market", "market_places", "discard", "hand", "shown", "goods_tokens"),
    *("cards", "taken", "given"),
}
"""Fields that may contain cards. The text of moves is public or belongs to the receiver."""
MOVES = {"move", "moves", "sales"}


@dataclass
class Scan:
    """What was searched, and the sentences about what was found."""

    messages: int
    bytes: int
    found: list[str]


@dataclass
class Moment:
    """What is hidden after an event."""

    hands: list[list[str]]
    taken: list[Counter[str]]
    """The cards that each seat has taken from the market in this round. Only these can be known to the opponent."""
    decks: list[str]
    """What remains of the deck, for this round and every later one."""
    salts: list[str]
    running: bool = True
    """False between two rounds and after the game: the hands are open."""


async def search(referee: Referee) -> Scan:
    """End every game, read its record and search all messages of its streams."""
    scan = Scan(0, 0, [])
    async with Client(referee.port, "127.0.0.251") as client:
        for table in referee.tables:
            seat = min(table.people)
            await client.call("POST", f"{table.path}/resign", None, table.people[seat])
            answer = await client.call("GET", f"{table.path}/record", None, table.people[seat])
            assert answer.status == OK, answer
            moments = list(_moments(await replay(client, table, seat), answer.json()))
            _search(table, dict(moments), scan)
    return scan


def _moments(
    log: dict[int, dict[str, Any]], record: dict[str, Any]
) -> Iterator[tuple[int, Moment]]:
    rounds = record["rounds"]
    salts = [each.get("fair", {}).get("salt", "") for each in rounds]
    number, made, playing = -1, 0, None
    taken = [Counter[str](), Counter[str]()]
    for version, message in log.items():
        if message["kind"] == "dealt":
            number, made = number + 1, 0
            dealt = rounds[number]
            playing = NaiveRound(dealt["deal"], dealt["bonus"], dealt["starts"])
            taken = [Counter(), Counter()]
        elif message["kind"] == "played" and playing is not None:
            taken[message["seat"]].update(message["move"].partition("-")[0].strip("+"))
            playing.make(message["move"])
            made += 1
        if playing is None:
            continue
        ended = made == len(rounds[number]["moves"]) and rounds[number]["ended"] is not None
        over = message["table"]["phase"] == "over"
        first = number + 1 if ended or over else number
        decks = [each["deal"][12:] for each in rounds[first:]]
        if first == number:
            decks[0] = "".join(playing.deck)
        hands = [list(hand) for hand in playing.hands]
        shown = [Counter(each) for each in taken]
        yield version, Moment(hands, shown, decks, salts[first:], first == number)


def _search(table: Table, moments: dict[int, Moment], scan: Scan) -> None:
    for seat, received in table.received.items():
        for version, line in received.items():
            scan.messages += 1
            scan.bytes += len(line)
            if version in moments:
                for leak in leaks(line, seat, moments[version]):
                    scan.found.append(f"table {table.id}, seat {seat}, version {version}: {leak}")


def leaks(line: bytes, seat: int, moment: Moment) -> Iterator[str]:
    """What a message to a seat or a spectator tells although it is hidden."""
    text = line.decode()
    if any(salt and salt in text for salt in moment.salts):
        yield "a salt"
    for deck in moment.decks:
        yield from _deck_leaks(text, deck)
    if moment.running:
        message = json.loads(line)
        view = message["table"]["view"]
        if view is not None and view["ended"] is None:
            yield from _view_leaks(view, seat, moment)
        for other in {0, 1} - {seat}:
            yield from _hand_leaks(message, moment.hands[other])


def _deck_leaks(text: str, deck: str) -> Iterator[str]:
    squeezed = re.sub(r"[^DGSCPLM]", "", text)
    for start in range(len(deck) - RUN + 1):
        run, long = deck[start : start + RUN], deck[start : start + LONG_RUN]
        # A sorted run can be a group of other cards.
        if run != ordered(run) and run in text:
            yield f"{RUN} cards of the deck"
        if len(long) == LONG_RUN and long in squeezed:
            yield f"{LONG_RUN} cards of the deck"


def _view_leaks(view: dict[str, Any], seat: int, moment: Moment) -> Iterator[str]:
    if ordered(view["hand"]) != ordered(moment.hands[seat]):
        yield "a wrong hand"
    if Counter(view["other"]["shown"]) - moment.taken[1 - seat]:
        yield "cards of the opponent that nobody has seen"
    if view["other"]["bonus_values"] is not None:
        yield "the opponent's bonus tokens"


def _hand_leaks(message: dict[str, Any], hand: list[str]) -> Iterator[str]:
    if len(hand) < LEAST_HAND:
        return
    for path, value in _strings(message):
        documented = path[-1] in DOCUMENTED and path[-2:] != ("other", "hand")
        public = documented or MOVES.intersection(path)
        if not public and Counter(value) == Counter(hand):
            yield f"a hidden hand in {'.'.join(path)}"


def _strings(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every string in a JSON value, with the names of the fields around it. A list of cards counts as one string."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(inner, (*path, key))
    elif isinstance(value, list):
        if all(isinstance(each, str) for each in value):
            yield path, "".join(value)
        for inner in value:
            yield from _strings(inner, path)
