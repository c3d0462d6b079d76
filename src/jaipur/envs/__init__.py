"""Environments for PettingZoo, Gymnasium and OpenSpiel. Each module needs the extra of its name."""
