"""Computer players. A player gets a view and returns a move. `registry` lists the levels."""

from jaipur.players.player import NO_BUDGET, Budget, Player
from jaipur.players.registry import LEVELS, Level, NoSuchPlayer, player_named

__all__ = ["LEVELS", "NO_BUDGET", "Budget", "Level", "NoSuchPlayer", "Player", "player_named"]
