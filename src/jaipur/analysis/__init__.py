"""Analysis of views and records: evaluation, luck correction, calibration. It computes from views only."""
