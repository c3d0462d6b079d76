"""Settings of Python's cyclic garbage collector: a full collection stops the server for a third of a second.

Reference counting frees nearly all of our memory. So only young objects are collected automatically; full collections
run in the scheduler.
"""

import gc

_YOUNG, _MIDDLE, _OLD_NEVER = 10_000, 20, 1_000_000


def tune() -> None:
    """Exclude the objects that exist now from collection, and stop automatic full collections."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD_NEVER)
