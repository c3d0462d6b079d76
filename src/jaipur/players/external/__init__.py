"""Bots: players that run as separate processes. They get and send lines of text."""
