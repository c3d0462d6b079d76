"""`python -m jaipur`."""

import os
import sys

# Several processes compute moves, and their matrices are small. More than one thread per process would slow them down.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def run() -> int:
    """Run the command and return its exit status. Ctrl-C prints no traceback, even during the imports."""
    try:
        from jaipur.cli import main  # noqa: PLC0415  # inside the try block, see above

        return main()
    except KeyboardInterrupt:
        return 130


if (
    __name__ == "__main__"
):  # worker processes import this file too, and they must not run the command
    sys.exit(run())
