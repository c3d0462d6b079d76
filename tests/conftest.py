"""What holds for all tests."""

import os

# As for the command itself (jaipur/__main__.py), and before anybody loads NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
