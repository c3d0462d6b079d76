"""Bots as separate processes, and the line protocol they speak."""
