"""`python -m jaipur`."""

import os
import sys

# Players multiply small matrices in many processes. More threads per process would make them slower.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def run() -> int:
    """Run the command. An interrupt ends without a traceback, even during the imports."""
    try:
        from jaipur.cli import main  # noqa: PLC0415  # inside the try block, see above

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":  # worker processes import this file too
    sys.exit(run())
