"""What a server is started with."""

from msgspec import Struct


class Settings(Struct, frozen=True):
    """The settings of one server, all of its processes alike."""

    database: str
    redis: str | None = None
    alone: bool = True
    """Whether no other process writes the same database."""
    thinkers: int | None = None
    think_seconds: float = 0.5
    requests_a_second: int = 50
    """How much one address may ask; 0 is without limit."""
    tables_a_minute: int = 60
    """How many tables one address may open; 0 is without limit."""
