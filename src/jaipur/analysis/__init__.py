"""Analysis of views and records: evaluation of moves, luck correction, calibration. Needs NumPy."""
