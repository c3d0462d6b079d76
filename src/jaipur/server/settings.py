"""Server settings."""

from msgspec import Struct


class Settings(Struct, frozen=True):
    """The settings of a server. All its processes have the same settings."""

    database: str
    redis: str | None = None
    alone: bool = True
    """True if no other process writes to the same database."""
    keep_days: int = 0
    """The days after which a finished game is deleted; 0 means never."""
    thinkers: int | None = None
    """The number of worker processes that compute moves, at least 2; one per core by default."""
    think_seconds: float = 0.5
    """The time budget of a computer move."""
    requests_a_second: int = 50
    """The limit per client address; 0 means no limit."""
    tables_a_minute: int = 60
    """The limit of new tables per client address; 0 means no limit."""
    megabytes_a_day: int = 50
    """The limit of what a client address can store; 0 means no limit."""
    unfinished_tables: int = 100
    """The limit of unfinished tables per visitor, which is a secret; 0 means no limit."""
    names: tuple[str, ...] = ()
    """Host names that requests may use. IP addresses, `localhost` and the name of the machine are always allowed."""
    metrics_token: str | None = None
    """The bearer token for `/metrics`. Without it, nobody can read the metrics."""
