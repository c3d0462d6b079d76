"""The settings of a server."""

from msgspec import Struct


class Settings(Struct, frozen=True):
    """The settings of one server; all of its processes have the same."""

    database: str
    redis: str | None = None
    alone: bool = True
    """Whether no other process writes to the same database."""
    thinkers: int | None = None
    """Worker processes for computer moves; one per core by default."""
    think_seconds: float = 0.5
    """Time budget of a computer move."""
    requests_a_second: int = 50
    """Limit per address; 0 means no limit."""
    tables_a_minute: int = 60
    """Limit of new tables per address; 0 means no limit."""
