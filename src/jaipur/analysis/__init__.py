"""Analysis of views and records: evaluation of moves, luck correction, calibration. This package needs NumPy."""
