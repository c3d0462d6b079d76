"""The rulebook in bulk: what a seat knows as numbers, and the very same rules compiled, for many lanes at once.

Only `features` can be used without Numba, and nobody gets that without asking for it.
"""
