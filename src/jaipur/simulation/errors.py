"""The error that the simulation and the environments raise."""


class SimulationError(ValueError):
    """Invalid use of a batch, a device or an environment. The message says how to correct it."""
