"""`python -m jaipur`."""

import os
import sys

# Players that compute do so with small matrices and in many processes: more threads would only get in each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def run() -> int:
    """The command; whoever interrupts while it is still loading gets no traceback either."""
    try:
        from jaipur.cli import main  # noqa: PLC0415  # so that an interrupt meanwhile is caught

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":  # worker processes import this file too
    sys.exit(run())
