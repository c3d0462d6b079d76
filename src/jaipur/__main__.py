"""`python -m jaipur`."""

import os
import sys

# Players use small matrices in many processes, where more threads per process only slow each other down.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def run() -> int:
    """Run the command. An interrupt during the imports ends without a traceback too."""
    try:
        from jaipur.cli import main  # noqa: PLC0415  # inside the try block, see above

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":  # worker processes import this file too
    sys.exit(run())
