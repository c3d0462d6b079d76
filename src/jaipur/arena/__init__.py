"""Many games between players: simulations, series, ratings, reports."""
