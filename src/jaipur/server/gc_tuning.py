"""Python's collector of circles in memory, made calm: a look at everything stops the server for a third of a second.

Nearly all of our memory is freed without it. So it looks at young objects as they come, and at all of them only every
now and then, when `sweep` is called.
"""

import gc

_YOUNG, _GROWN, _NEVER = 10_000, 20, 1_000_000


def calm() -> None:
    """From now on, leave old objects alone; those that are there already are there to stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _GROWN, _NEVER)


def sweep() -> None:
    """Look at everything once."""
    gc.collect()
