"""The error of the simulation and of the environments built on it."""


class SimulationError(ValueError):
    """Invalid use of a batch, a device or an environment; the message says how to correct it."""
