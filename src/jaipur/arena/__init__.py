"""Matches between players: simulations, tournaments, ratings and reports."""
