"""What a batch does to its lanes, each a loop over them that is compiled as a whole, for CPU threads or as a kernel.

Nothing is checked here but what a batch asks to be checked. `first_lane` and `stride` are what devices differ in.
"""

from collections.abc import MutableSequence, Sequence

from jaipur.rules.cards import NOBODY, Kind, Seat
from jaipur.rules.game import SEALS_TO_WIN, starter_after
from jaipur.rules.listing import list_moves
from jaipur.rules.moves import Code
from jaipur.rules.position import ABANDONED, RUNNING
from jaipur.rules.scoring import round_winner, rupees
from jaipur.rules.setup import lay_out
from jaipur.rules.turn import MOVE_LIMIT, abandon, carry_out
from jaipur.simulation.features import NO_PILE, observe, observe_after
from jaipur.simulation.layout import Lane
from jaipur.simulation.rng import deal, draw, redeal, reshuffle, sow

Rows = Sequence[MutableSequence[int]]
"""Room for the moves of one position, a row a lane."""

BURST = 16
"""Random moves between looks at whether a round has ended: lanes of a GPU deal together."""

ROUNDS, GAMES = range(2)
"""What a batch plays."""


def first_lane(first: int) -> int:
    """The lane to begin with, of those that a device gave to one thread."""
    return first


def stride() -> int:
    """How far it is to the thread's next lane."""
    return 1


def start(first: int, last: int, lanes: Sequence[Lane], rows: Rows, seeds: Sequence[int]) -> None:
    """Begin anew from seeds."""
    for i in range(first_lane(first), last, stride()):
        lane = lanes[i]
        forget(lane)
        sow(lane, seeds[i])
        deal(lane, rows[i], draw(lane, 2))


def lay(
    first: int,
    last: int,
    lanes: Sequence[Lane],
    packs: Sequence[Sequence[Kind]],
    bonuses: Sequence[Sequence[int]],
    starts: Sequence[Seat],
) -> None:
    """Begin anew from given deals; what comes after them comes from the lane's generator."""
    for i in range(first_lane(first), last, stride()):
        forget(lanes[i])
        lay_out(lanes[i], packs[i], bonuses[i], starts[i])


def forget(lane: Lane) -> None:
    """Nothing has been played in this lane."""
    lane.seals[0] = lane.seals[1] = 0
    lane.round_ended = lane.game_ended = 0
    lane.winner = lane.game_winner = NOBODY
    lane.score[0] = lane.score[1] = 0
    lane.length = 0
    lane.ending = RUNNING
    lane.rounds = 0
    lane.moves = 0
    lane.checksum = 0


def list_all(
    first: int, last: int, lanes: Sequence[Lane], rows: Rows, counts: MutableSequence[int]
) -> None:
    """List the moves of every lane into its row."""
    for i in range(first_lane(first), last, stride()):
        counts[i] = list_moves(lanes[i], rows[i])


def gather(
    first: int,
    last: int,
    rows: Rows,
    offsets: Sequence[int],
    codes: MutableSequence[Code],
    owners: MutableSequence[int],
) -> None:
    """Put the rows behind one another, and beside every move its lane."""
    for i in range(first_lane(first), last, stride()):
        row = rows[i]
        for place in range(offsets[i], offsets[i + 1]):
            codes[place] = row[place - offsets[i]]
            owners[place] = i


def observe_all(
    first: int, last: int, lanes: Sequence[Lane], features: Sequence[MutableSequence[float]]
) -> None:
    """Write what every lane's seat to move knows."""
    for i in range(first_lane(first), last, stride()):
        observe(lanes[i], lanes[i].seals, lanes[i].turn, NO_PILE, features[i])


def observe_moves(
    first: int,
    last: int,
    lanes: Sequence[Lane],
    copies: Sequence[Lane],
    owners: Sequence[int],
    codes: Sequence[Code],
    features: Sequence[MutableSequence[float]],
) -> None:
    """Write what would be known after each move, which this loop goes over: all threads are busy on a GPU."""
    for move in range(first_lane(first), last, stride()):
        lane, copy = lanes[owners[move]], copies[first_lane(first)]
        observe_after(lane, lane.seals, codes[move], copy, features[move])


def redeal_all(
    first: int,
    last: int,
    lanes: Sequence[Lane],
    rows: Rows,
    seeds: Sequence[int],
    odds: Sequence[int],
) -> None:
    """From a seed a lane, deal anew what the seat to move has not seen."""
    for i in range(first_lane(first), last, stride()):
        sow(lanes[i], seeds[i])
        redeal(lanes[i], rows[i], lanes[i].turn, odds)


def reshuffle_all(first: int, last: int, lanes: Sequence[Lane], seeds: Sequence[int]) -> None:
    """From a seed a lane, shuffle what nobody has seen."""
    for i in range(first_lane(first), last, stride()):
        sow(lanes[i], seeds[i])
        reshuffle(lanes[i])


def best(
    first: int,
    last: int,
    offsets: Sequence[int],
    worths: Sequence[float],
    places: MutableSequence[int],
) -> None:
    """Find the place of every lane's move of the highest worth, the first of equals."""
    for i in range(first_lane(first), last, stride()):
        place = min(offsets[i], len(worths) - 1)
        for move in range(offsets[i] + 1, offsets[i + 1]):
            if worths[move] > worths[place]:
                place = move
        places[i] = place


def check(
    first: int,
    last: int,
    rows: Rows,
    counts: Sequence[int],
    chosen: Sequence[Code],
    noted: MutableSequence[int],
) -> None:
    """Note that some lane runs, and a lane (its number and one) whose chosen move is not on its list."""
    for i in range(first_lane(first), last, stride()):
        listed = False
        for move in range(counts[i]):
            if rows[i][move] == chosen[i]:
                listed = True
        if counts[i] > 0:
            noted[0] = 1
            if not listed:
                noted[1] = i + 1


def step(
    first: int,
    last: int,
    lanes: Sequence[Lane],
    rows: Rows,
    chosen: Sequence[Code],
    plays: int,
    goes_on: int,
) -> None:
    """Play a move in every lane that runs; where a round ends, deal the next if the batch goes on or the game does."""
    for i in range(first_lane(first), last, stride()):
        lane = lanes[i]
        lane.round_ended = lane.game_ended = 0
        if lane.ended == RUNNING:
            play(lane, chosen[i])
            if lane.ended != RUNNING:
                settle(lane, rows[i], plays, goes_on)


def play(lane: Lane, code: Code) -> None:
    """Carry out a move, and give the round up where it has lasted too long."""
    carry_out(lane, code)
    lane.moves += 1
    lane.checksum = (lane.checksum * 1000003 ^ code) & 0xFFFFFFFF
    if lane.ended == RUNNING and lane.moves_played >= MOVE_LIMIT:
        abandon(lane)


def settle(lane: Lane, cards: MutableSequence[int], plays: int, goes_on: int) -> None:
    """Close the round, and go on where there is more to play."""
    close(lane)
    if goes_on or (plays == GAMES and not lane.game_ended):
        advance(lane, cards, plays)


def close(lane: Lane) -> None:
    """Write down how the round ended, and give the seal."""
    winner = round_winner(lane)
    lane.round_ended = 1
    lane.winner = winner
    lane.ending = lane.ended
    lane.length = lane.moves_played
    lane.rounds += 1
    for seat in range(2):
        lane.score[seat] = rupees(lane, seat)
        lane.checksum = (lane.checksum * 1000003 ^ lane.score[seat]) & 0xFFFFFFFF
        if winner == seat:
            lane.seals[seat] += 1
            if lane.seals[seat] == SEALS_TO_WIN:
                lane.game_ended = 1
                lane.game_winner = seat
    if lane.ended == ABANDONED:
        # The same players would go on for ever.
        lane.game_ended = 1
        lane.game_winner = NOBODY


def advance(lane: Lane, cards: MutableSequence[int], plays: int) -> None:
    """Deal the next round: of the game that runs, or of a new one."""
    if plays == GAMES and not lane.game_ended:
        deal(lane, cards, starter_after(lane.starter, lane.winner))
    else:
        lane.seals[0] = lane.seals[1] = 0
        deal(lane, cards, draw(lane, 2))


def play_randomly(
    first: int,
    last: int,
    lanes: Sequence[Lane],
    rows: Rows,
    plays: int,
    goes_on: int,
    rounds: int,
) -> None:
    """Play on until every lane has ended so many rounds, each move picked evenly from the full list."""
    for i in range(first_lane(first), last, stride()):
        lane, codes = lanes[i], rows[i]
        goal = lane.rounds + rounds
        if rounds > 0 and lane.ended != RUNNING:
            advance(lane, codes, plays)
        while lane.rounds < goal:
            for _ in range(BURST):
                play(lane, codes[draw(lane, list_moves(lane, codes))])
                if lane.ended != RUNNING:
                    break
            if lane.ended != RUNNING:
                last_one = lane.rounds + 1 == goal
                settle(lane, codes, plays, goes_on if last_one else 1)


def play_drawn(
    first: int,
    last: int,
    lanes: Sequence[Lane],
    rows: Rows,
    draws: Sequence[float],
    played: MutableSequence[Code],
) -> None:
    """Play rounds to their end with numbers drawn beforehand, and write the moves down; as the player `random` does."""
    for i in range(first, last):
        lane, codes = lanes[i], rows[i]
        while lane.ended == RUNNING:
            code = codes[int(draws[lane.moves_played] * list_moves(lane, codes))]
            played[lane.moves_played] = code
            play(lane, code)
