"""Bots as separate processes, and their line protocol."""
