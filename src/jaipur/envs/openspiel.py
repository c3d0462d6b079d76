"""Jaipur for OpenSpiel. Importing this module registers the game `jaipur`: one round, with utility 1 for the winner.

Chance is drawn as late as possible: first the starting seat and the dealt cards, later each card that refills the
market and each bonus token. Each draw is a chance node. The state therefore contains no order of the deck that a search
could read. States with the same information state differ only in the opponent's hand and bonus tokens.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from jaipur.envs import extra
from jaipur.envs.actions import ACTIONS, Action, action_of, all_moves, move_of
from jaipur.rules import Position, deal_unseen
from jaipur.rules.cards import (
    CAMEL,
    DECK_SIZE,
    FULL_PACK,
    GOODS_MASK,
    LETTERS,
    NO_CARD,
    ONE_CAMEL,
    PileCode,
    Seat,
    cards_in,
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
CHANCE_NODES = 1 + LAID_OUT + DECK_SIZE + sum(BONUS_SIZES)

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
        return CHANCE_NODES

    def make_py_observer(
        self,
        iig_obs_type: Any = None,  # noqa: ANN401  # OpenSpiel has no types
        params: dict[str, Any] | None = None,
    ) -> "JaipurObserver":
        return JaipurObserver(iig_obs_type, params)


class JaipurState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of the round. At a chance node after a move, the move waits for the cards or the token to be drawn."""

    def __init__(self, game: JaipurGame) -> None:
        super().__init__(game)
        self.position: Position | None = None
        """The position, or None during the deal."""
        self.logs = ("", "")
        """By seat: a text with everything that the seat has observed, in order."""
        self._dealt: list[int] = []
        self._pack: PileCode = FULL_PACK - CAMELS_LAID_OUT * ONE_CAMEL
        self._code: MoveCode = 0
        self._owed = 0
        """The number of cards to draw for the market.

        If negative, a token of the bonus pile with the index `_owed + BONUS_PILES` must be drawn instead.
        """
        self._bonuses: list[tuple[int, Seat]] = []
        """For each bonus token drawn: its index in the history of actions, and the seat that got it."""

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
        left = self._bonus_left() if self._owed < 0 else Counter(cards_in(self._pack))
        return [(outcome, copies / left.total()) for outcome, copies in sorted(left.items())]

    def _bonus_left(self) -> Counter[int]:
        assert self.position is not None
        pile = self._owed + BONUS_PILES
        taken = [value for seat in (0, 1) for value in bonus_values(self.position.bonuses[seat])]
        return Counter(BONUS_TOKENS[pile]) - Counter(taken)

    def _legal_actions(self, player: int) -> list[Action]:
        if player != self.current_player() or self.position is None:
            return []
        return sorted(map(action_of, self.position.legal_moves()))

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self._deal(action)
        elif self._owed:
            self._draw(action)
        else:
            self._move(all_moves()[action].code)

    def _deal(self, outcome: int) -> None:
        at = len(self._dealt) - 1
        self._dealt.append(outcome)
        if at < 0:
            self._log(f"{outcome}:")
            return
        self._pack -= 1 << 4 * outcome
        seat = at // HAND_DEALT
        letter, gap = LETTERS[outcome], " " * (at % HAND_DEALT == 0)
        if seat > 1 or outcome == CAMEL:
            self._log(gap + letter)
        else:
            self._log(gap + letter, gap + "?", seat)
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
        elif owed < 0:
            pile = owed + BONUS_PILES
            self._owed = owed if position.bonus_taken[pile] < BONUS_SIZES[pile] else 0
        self._code = code
        self._log(f" {MOVES[code]}")
        self._carry_out_when_ready()

    def _draw(self, outcome: int) -> None:
        position = self.position
        assert position is not None
        if self._owed > 0:
            place = DECK_SIZE - total(self._pack)
            position.deck[place] = outcome
            self._pack -= 1 << 4 * outcome
            self._owed -= 1
            self._log("/" + LETTERS[outcome])
        else:
            pile = self._owed + BONUS_PILES
            position.bonus[BONUS_ROW * pile + position.bonus_taken[pile]] = outcome
            self._owed = 0
            self._bonuses.append((len(self.history()), position.turn))
            self._log(f"*{outcome}", "*", position.turn)
        self._carry_out_when_ready()

    def _carry_out_when_ready(self) -> None:
        position = self.position
        assert position is not None
        if self._owed:
            return
        carry_out(position, self._code)
        if position.ended == RUNNING and position.moves_played == MOVE_LIMIT:
            abandon(position)

    def _log(self, text: str, hidden: str | None = None, seat: Seat = 0) -> None:
        """Append a text to both logs.

        If `hidden` is given, only the log of `seat` gets `text`, the other gets `hidden`.
        """
        texts = [text if hidden is None or each == seat else hidden for each in (0, 1)]
        self.logs = self.logs[0] + texts[0], self.logs[1] + texts[1]

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(move_of(action))
        if not self._dealt:
            return f"Seat {action} starts"
        return f"Bonus {action}" if self._owed < 0 else f"Card {LETTERS[action]}"

    def __str__(self) -> str:
        """Return both logs. The deck is not shown, because it has no order yet."""
        return "\n".join(self.logs)

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> "JaipurState":
        """Sample a state with the same information state. The opponent gets other hidden cards and bonus tokens."""
        position = self.position
        if position is None or self._owed:
            raise SimulationError("Only decision nodes can be resampled, not chance nodes.")
        world = deal_unseen(position.view(player), Random(sampler()))
        other = 1 - player
        first = 1 + HAND_DEALT * other
        # The hidden cards were dealt at the start and not played since. Therefore no later event depends on them.
        dealt = pile_of(self._dealt[first : first + HAND_DEALT])
        hidden = cards_in((dealt & GOODS_MASK) - position.hand(other) + world.hand(other))
        actions = self.history()
        for place in range(first, first + HAND_DEALT):
            if actions[place] != CAMEL:
                actions[place] = next(hidden)
        tokens = list(bonus_values(world.bonuses[other]))
        for place, seat in self._bonuses:
            if seat == other:
                pile = next(pile for pile in BONUS_TOKENS if actions[place] in pile)
                actions[place] = next(value for value in tokens if value in pile)
                tokens.remove(actions[place])
        state = JaipurState(self.get_game())
        for action in actions:
            state.apply_action(action)
        return state


class JaipurObserver:
    """Observes a state for one seat. The tensor contains the features of the seat.

    The string is the view of the seat or, if perfect recall is requested, its log.
    """

    def __init__(self, iig_obs_type: Any, params: dict[str, Any] | None) -> None:  # noqa: ANN401
        if params:
            raise SimulationError(f"The observer has no parameters, but got {params}.")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise SimulationError(
                "Only observations of one seat with public information are supported."
            )
        self._perfect_recall = kind.perfect_recall
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
        if self._perfect_recall:
            return f"{player} {state.logs[player]}"
        if state.position is None:
            return f"{player} dealing"
        return str(state.position.view(player))


pyspiel.register_game(TYPE, JaipurGame)
