"""The kernels: loops over the entries of a batch. They are compiled for CPU threads or as CUDA kernels.

The first two parameters of every kernel are a range of indices, `start` and `stop`. On the CPU, each thread gets a part
of the range. On a GPU, all threads get the whole range, and `gpu.py` replaces `first_index` and `stride` so that each
thread works on one entry. Kernels do not validate their arguments. `Batch` validates them.
"""

from collections.abc import Sequence

from jaipur.rules.cards import NOBODY
from jaipur.rules.endings import ABANDONED, RUNNING
from jaipur.rules.game import SEALS_TO_WIN, starter_after
from jaipur.rules.listing import list_moves
from jaipur.rules.moves import MoveCode
from jaipur.rules.scoring import round_winner, rupees
from jaipur.rules.setup import lay_out
from jaipur.rules.turn import MOVE_LIMIT, abandon, carry_out
from jaipur.simulation.features import NO_PILE, observe, observe_afterstate
from jaipur.simulation.layout import Buffer, EnvState, Numbers, Rows, States
from jaipur.simulation.rng import deal_round, random_below, redeal, reshuffle, seed_rng

MoveBuffers = Sequence[Buffer]
"""One buffer per entry, with places for the legal moves of any position. Dealing uses it as a buffer for cards."""

BURST = 16
"""After this many random moves, ended rounds are dealt again. The threads of a GPU warp then deal at the same time."""

ROUNDS, GAMES = range(2)


def first_index(start: int) -> int:
    """Return the first index that this thread works on."""
    return start


def stride() -> int:
    """Return the distance between the indices that this thread works on."""
    return 1


def start_from_seeds(
    start: int, stop: int, states: States, buffers: MoveBuffers, seeds: Numbers
) -> None:
    """Reset each entry, seed its rng and deal its first round."""
    for i in range(first_index(start), stop, stride()):
        state = states[i]
        clear_results(state)
        seed_rng(state, seeds[i])
        deal_round(state, buffers[i], random_below(state, 2))


def start_from_deals(
    start: int,
    stop: int,
    states: States,
    packs: Sequence[Numbers],
    bonuses: Sequence[Numbers],
    starts: Numbers,
) -> None:
    """Reset each entry to a given deal. Later rounds are dealt with the rng of the entry."""
    for i in range(first_index(start), stop, stride()):
        clear_results(states[i])
        lay_out(states[i], packs[i], bonuses[i], starts[i])


def clear_results(state: EnvState) -> None:
    """Reset seals, results and totals."""
    state.seals[0] = state.seals[1] = 0
    state.round_ended = state.game_ended = 0
    state.winner = state.game_winner = NOBODY
    state.score[0] = state.score[1] = 0
    state.length = 0
    state.ending = RUNNING
    state.rounds = 0
    state.moves = 0
    state.checksum = 0


def list_all(start: int, stop: int, states: States, buffers: MoveBuffers, counts: Buffer) -> None:
    """List the legal moves of each entry into its buffer."""
    for i in range(first_index(start), stop, stride()):
        counts[i] = list_moves(states[i], buffers[i])


def gather(
    start: int, stop: int, buffers: MoveBuffers, offsets: Numbers, codes: Buffer, owners: Buffer
) -> None:
    """Copy the moves of all entries into the array `codes`, and the entry of each move into the array `owners`."""
    for i in range(first_index(start), stop, stride()):
        buffer = buffers[i]
        for place in range(offsets[i], offsets[i + 1]):
            codes[place] = buffer[place - offsets[i]]
            owners[place] = i


def observe_all(start: int, stop: int, states: States, features: Rows) -> None:
    """Write the features of the seat to move, for each entry."""
    for i in range(first_index(start), stop, stride()):
        observe(states[i], states[i].seals, states[i].turn, NO_PILE, features[i])


def observe_moves(
    start: int,
    stop: int,
    states: States,
    scratch: States,
    owners: Numbers,
    codes: Numbers,
    features: Rows,
) -> None:
    """Write the features of every afterstate. The range counts moves and not entries, to keep all GPU threads busy."""
    for move in range(first_index(start), stop, stride()):
        state, copy = states[owners[move]], scratch[first_index(start)]
        observe_afterstate(state, state.seals, codes[move], copy, features[move])


def redeal_all(
    start: int, stop: int, states: States, buffers: MoveBuffers, seeds: Numbers, odds: Numbers
) -> None:
    """In each entry, resample everything that the seat to move has not seen, with the seed of this entry."""
    for i in range(first_index(start), stop, stride()):
        seed_rng(states[i], seeds[i])
        redeal(states[i], buffers[i], states[i].turn, odds)


def reshuffle_all(start: int, stop: int, states: States, seeds: Numbers) -> None:
    """In each entry, shuffle the deck and the bonus tokens left in the piles, with the seed of this entry."""
    for i in range(first_index(start), stop, stride()):
        seed_rng(states[i], seeds[i])
        reshuffle(states[i])


def argmax(
    start: int, stop: int, offsets: Numbers, values: Sequence[float], indices: Buffer
) -> None:
    """For each entry, find the index of the move with the highest value. If values are equal, take the first index."""
    for i in range(first_index(start), stop, stride()):
        best = min(offsets[i], len(values) - 1)
        for move in range(offsets[i] + 1, offsets[i + 1]):
            if values[move] > values[best]:
                best = move
        indices[i] = best


def check_legal(
    start: int, stop: int, buffers: MoveBuffers, counts: Numbers, chosen: Numbers, report: Buffer
) -> None:
    """Set `report[0]` to 1 if an entry is running.

    Set `report[1]` to 1 + the index of an entry with an illegal move.
    """
    for i in range(first_index(start), stop, stride()):
        legal = False
        for move in range(counts[i]):
            if buffers[i][move] == chosen[i]:
                legal = True
        if counts[i] > 0:
            report[0] = 1
            if not legal:
                report[1] = i + 1


def step(
    start: int,
    stop: int,
    states: States,
    buffers: MoveBuffers,
    chosen: Numbers,
    mode: int,
    auto_reset: int,
) -> None:
    """Play one move in each running entry. If this ends the round and another round follows, deal the next round."""
    for i in range(first_index(start), stop, stride()):
        state = states[i]
        state.round_ended = state.game_ended = 0
        if state.ended == RUNNING:
            play(state, chosen[i])
            if state.ended != RUNNING:
                finish_round(state, buffers[i], mode, auto_reset)


def play(state: EnvState, code: MoveCode) -> None:
    """Carry out a move. Abandon the round at the move limit."""
    carry_out(state, code)
    state.moves += 1
    state.checksum = (state.checksum * 1000003 ^ code) & 0xFFFFFFFF
    if state.ended == RUNNING and state.moves_played >= MOVE_LIMIT:
        abandon(state)


def finish_round(state: EnvState, cards: Buffer, mode: int, auto_reset: int) -> None:
    """Record the result. Then deal the next round of the game or, with `auto_reset`, the first round of a new game."""
    record_result(state)
    if auto_reset or (mode == GAMES and not state.game_ended):
        deal_next(state, cards, mode)


def record_result(state: EnvState) -> None:
    """Write the result of the round and award the seal."""
    winner = round_winner(state)
    state.round_ended = 1
    state.winner = winner
    state.ending = state.ended
    state.length = state.moves_played
    state.rounds += 1
    for seat in range(2):
        state.score[seat] = rupees(state, seat)
        state.checksum = (state.checksum * 1000003 ^ state.score[seat]) & 0xFFFFFFFF
        if winner == seat:
            state.seals[seat] += 1
            if state.seals[seat] == SEALS_TO_WIN:
                state.game_ended = 1
                state.game_winner = seat
    if state.ended == ABANDONED:
        # End the game, because deterministic players could reach the move limit in every later round too.
        state.game_ended = 1
        state.game_winner = NOBODY


def deal_next(state: EnvState, cards: Buffer, mode: int) -> None:
    """Deal the next round of the running game, or the first round of a new game."""
    if mode == GAMES and not state.game_ended:
        deal_round(state, cards, starter_after(state.starter, state.winner))
    else:
        state.seals[0] = state.seals[1] = 0
        deal_round(state, cards, random_below(state, 2))


def play_randomly(
    start: int,
    stop: int,
    states: States,
    buffers: MoveBuffers,
    mode: int,
    auto_reset: int,
    rounds: int,
) -> None:
    """Play `rounds` rounds to the end in each entry, with uniformly random legal moves."""
    for i in range(first_index(start), stop, stride()):
        state, codes = states[i], buffers[i]
        goal = state.rounds + rounds
        if rounds > 0 and state.ended != RUNNING:
            deal_next(state, codes, mode)
        while state.rounds < goal:
            for _ in range(BURST):
                play(state, codes[random_below(state, list_moves(state, codes))])
                if state.ended != RUNNING:
                    break
            if state.ended != RUNNING:
                is_last = state.rounds + 1 == goal
                finish_round(state, codes, mode, auto_reset if is_last else 1)


def play_with_draws(
    start: int,
    stop: int,
    states: States,
    buffers: MoveBuffers,
    draws: Sequence[float],
    played: Buffer,
) -> None:
    """Play rounds like the player `random`. Take the random numbers from `draws` and write the moves to `played`."""
    for i in range(start, stop):
        state, codes = states[i], buffers[i]
        while state.ended == RUNNING:
            code = codes[int(draws[state.moves_played] * list_moves(state, codes))]
            played[state.moves_played] = code
            play(state, code)
