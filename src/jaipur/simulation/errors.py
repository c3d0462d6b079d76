"""What can go wrong in the lab: one sentence that says what to do."""


class SimulationError(ValueError):
    """The lab was asked for something that it cannot do so."""
