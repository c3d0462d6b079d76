"""Computer players: a view in, a move out. `registry` lists the levels."""

from jaipur.players.player import NO_BUDGET, Budget, Player
from jaipur.players.registry import LEVELS, Level, NoSuchPlayer, player_named

__all__ = ["LEVELS", "NO_BUDGET", "Budget", "Level", "NoSuchPlayer", "Player", "player_named"]
