"""Jaipur for OpenSpiel: importing this registers the game `jaipur`, one round, worth 1 to its winner.

Chance decides when the traders see it: who starts, the hands, then each card that comes into the market and each bonus
token in its moment. So no search can look into the deck, and another world behind the same information state is another
hand of the other trader.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from jaipur.envs import extra
from jaipur.envs.actions import ACTIONS, Action, action_of, all_moves, move_of
from jaipur.rules import LETTERS, Position, deal_unseen
from jaipur.rules.cards import (
    CAMEL,
    DECK_SIZE,
    FULL_PACK,
    GOODS_MASK,
    KINDS,
    NO_CARD,
    ONE_CAMEL,
    Kind,
    PileCode,
    Seat,
    cards_in,
    count,
    pile_of,
    total,
)
from jaipur.rules.endings import RUNNING
from jaipur.rules.moves import MOVES, MoveCode
from jaipur.rules.setup import CAMELS_LAID_OUT, HAND_DEALT, MARKET_DEALT, lay_out
from jaipur.rules.tokens import BONUS_PILES, BONUS_ROW, BONUS_SIZES, BONUS_TOKENS, bonus_values
from jaipur.rules.turn import MOVE_LIMIT, abandon, carry_out, trade
from jaipur.simulation.errors import SimulationError
from jaipur.simulation.features import NO_PILE, WIDTH, observe

with extra("openspiel"):
    import pyspiel

LAID_OUT = 2 * HAND_DEALT + MARKET_DEALT
HIGHEST_BONUS = max(map(max, BONUS_TOKENS))
CHANCES = 1 + LAID_OUT + DECK_SIZE + sum(BONUS_SIZES)

TYPE = pyspiel.GameType(
    short_name="jaipur",
    long_name="Jaipur",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=HIGHEST_BONUS + 1,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=MOVE_LIMIT,
)


class JaipurGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """One round."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(TYPE, INFO, params or {})

    def new_initial_state(self) -> "JaipurState":
        return JaipurState(self)

    def max_chance_nodes_in_history(self) -> int:
        return CHANCES

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401  # OpenSpiel has no types
        params: dict[str, Any] | None = None,
    ) -> "JaipurObserver":
        return JaipurObserver(iig_obs_type, params)


class JaipurState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A round as it stands, or a move in it whose cards chance has not laid yet."""

    def __init__(self, game: JaipurGame) -> None:
        super().__init__(game)
        self.position: Position | None = None
        """None until everything is dealt."""
        self.logs = ("", "")
        """By seat: all that it saw, in order."""
        self._dealt: list[int] = []
        self._pack: PileCode = FULL_PACK - CAMELS_LAID_OUT * ONE_CAMEL
        self._code: MoveCode = 0
        self._owed = 0
        """Cards that the market waits for; below zero, a token of the bonus pile `owed + BONUS_PILES`."""
        self._bonuses: list[tuple[int, Seat]] = []
        """Where in the history bonus tokens were turned up, and by whom."""

    def current_player(self) -> int:
        position = self.position
        if position is None or self._owed:
            return int(pyspiel.PlayerId.CHANCE)
        return position.turn if position.ended == RUNNING else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self.position is not None and self.position.ended != RUNNING

    def returns(self) -> list[float]:
        result = None if self.position is None else self.position.result()
        if result is None or result.seal is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if result.seal == 0 else [-1.0, 1.0]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if not self._dealt:
            return [(0, 0.5), (1, 0.5)]
        left = self._bonus_left() if self._owed < 0 else Counter(dict(self._kinds_left()))
        return [(what, copies / left.total()) for what, copies in sorted(left.items())]

    def _kinds_left(self) -> Iterator[tuple[Kind, int]]:
        return ((kind, copies) for kind in KINDS if (copies := count(self._pack, kind)))

    def _bonus_left(self) -> Counter[int]:
        assert self.position is not None
        pile = self._owed + BONUS_PILES
        gone = [value for seat in (0, 1) for value in bonus_values(self.position.bonuses[seat])]
        return Counter(BONUS_TOKENS[pile]) - Counter(gone)

    def _legal_actions(self, player: int) -> list[Action]:
        if player != self.current_player() or self.position is None:
            return []
        return sorted(map(action_of, self.position.legal_moves()))

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self._deal(action)
        elif self._owed:
            self._turn_up(action)
        else:
            self._move(all_moves()[action].code)

    def _deal(self, what: int) -> None:
        at = len(self._dealt) - 1
        self._dealt.append(what)
        if at < 0:
            self._note(f"{what}:")
            return
        self._pack -= 1 << 4 * what
        seat = at // HAND_DEALT
        letter, gap = LETTERS[what], " " * (at % HAND_DEALT == 0)
        if seat > 1 or what == CAMEL:
            self._note(gap + letter)
        else:
            self._note(gap + letter, gap + "?", seat)
        if len(self._dealt) == 1 + LAID_OUT:
            self.position = Position()
            starts, *cards = self._dealt
            bonus = [0] * (BONUS_ROW * BONUS_PILES)
            lay_out(self.position, cards + [NO_CARD] * DECK_SIZE, bonus, starts)

    def _move(self, code: MoveCode) -> None:
        position = self.position
        assert position is not None
        owed = trade(position.copy(), code)
        if owed > 0:
            self._owed = min(owed, DECK_SIZE - position.drawn)
        elif owed < 0 and _bonus_is_left(position, owed + BONUS_PILES):
            self._owed = owed
        self._code = code
        self._note(f" {MOVES[code]}")
        self._carry_out_when_ready()

    def _turn_up(self, what: int) -> None:
        position = self.position
        assert position is not None
        if self._owed > 0:
            place = DECK_SIZE - total(self._pack)
            position.deck[place] = what
            self._pack -= 1 << 4 * what
            self._owed -= 1
            self._note("/" + LETTERS[what])
        else:
            pile = self._owed + BONUS_PILES
            position.bonus[BONUS_ROW * pile + position.bonus_taken[pile]] = what
            self._owed = 0
            self._bonuses.append((len(self.history()), position.turn))
            self._note(f"*{what}", "*", position.turn)
        self._carry_out_when_ready()

    def _carry_out_when_ready(self) -> None:
        position = self.position
        assert position is not None
        if self._owed:
            return
        carry_out(position, self._code)
        if position.ended == RUNNING and position.moves_played == MOVE_LIMIT:
            abandon(position)

    def _note(self, seen: str, otherwise: str | None = None, by: Seat = 0) -> None:
        """Let both seats remember something, or one seat something else than the other."""
        logs = list(self.logs)
        for seat in (0, 1):
            logs[seat] += seen if otherwise is None or seat == by else otherwise
        self.logs = logs[0], logs[1]

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(move_of(action))
        if not self._dealt:
            return f"Seat {action} starts"
        return f"Bonus {action}" if self._owed < 0 else f"Card {LETTERS[action]}"

    def __str__(self) -> str:
        """Both logs say all that is known; what is in the deck nobody knows, not even this."""
        return "\n".join(self.logs)

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> "JaipurState":
        """The same history with other cards in the other hand and other bonus tokens, all as likely as they are."""
        position = self.position
        if position is None or self._owed:
            raise SimulationError("Only where somebody is to move can another world be dealt.")
        world = deal_unseen(position.view(player), Random(sampler()))
        other = 1 - player
        first = 1 + HAND_DEALT * other
        # What lies hidden in the hand now was dealt and never touched: nothing that happened depends on it.
        dealt = pile_of(self._dealt[first : first + HAND_DEALT])
        fresh = cards_in((dealt & GOODS_MASK) - position.hand(other) + world.hand(other))
        actions = self.history()
        for place in range(first, first + HAND_DEALT):
            if actions[place] != CAMEL:
                actions[place] = next(fresh)
        tokens = list(bonus_values(world.bonuses[other]))
        for place, seat in self._bonuses:
            if seat == other:
                pile = next(pile for pile in BONUS_TOKENS if actions[place] in pile)
                actions[place] = next(value for value in tokens if value in pile)
                tokens.remove(actions[place])
        twin = JaipurState(self.get_game())
        for action in actions:
            twin.apply_action(action)
        return twin


def _bonus_is_left(position: Position, pile: int) -> bool:
    return position.bonus_taken[pile] < BONUS_SIZES[pile]


class JaipurObserver:
    """What a seat knows: as a row of features, and as the table it sees or, with perfect recall, all that it saw."""

    def __init__(self, iig_obs_type: Any, params: dict[str, Any] | None) -> None:  # noqa: ANN401
        if params:
            raise SimulationError(f"There are no parameters to observing Jaipur, such as {params}.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise SimulationError(
                "Jaipur is observed from a seat: what lies open and its own cards."
            )
        self._recalls = kind.perfect_recall
        self.tensor = np.zeros(2 + WIDTH, np.float32)
        self.dict = {"seat": self.tensor[:2], "features": self.tensor[2:]}

    def set_from(self, state: JaipurState, player: Seat) -> None:
        self.tensor.fill(0)
        self.dict["seat"][player] = 1
        if state.position is not None:
            row = [0.0] * WIDTH
            observe(state.position, (0, 0), player, NO_PILE, row)
            self.dict["features"][:] = row

    def string_from(self, state: JaipurState, player: Seat) -> str:
        if self._recalls:
            return f"{player} {state.logs[player]}"
        if state.position is None:
            return f"{player} is dealt cards"
        return str(state.position.view(player))


pyspiel.register_game(TYPE, JaipurGame)
