"""The settings of a server."""

from msgspec import Struct


class Settings(Struct, frozen=True):
    """The settings of a server. All processes of the server have the same settings."""

    database: str
    redis: str | None = None
    alone: bool = True
    """True if no other process writes to the same database."""
    keep_days: int = 0
    """A finished game is deleted after this many days. 0 means never."""
    thinkers: int | None = None
    """The number of worker processes that compute moves, at least 2. None means one per core."""
    think_seconds: float = 0.5
    """The time budget of a move of a computer player, in seconds."""
    requests_a_second: int = 50
    """The maximum number of requests per second and client address. 0 means no limit."""
    tables_a_minute: int = 60
    """The maximum number of new tables per minute and client address. 0 means no limit."""
    megabytes_a_day: int = 50
    """The maximum data that a client address can store per day. 0 means no limit."""
    unfinished_tables: int = 100
    """The maximum number of unfinished tables per visitor. A visitor is identified by a secret. 0 means no limit."""
    names: tuple[str, ...] = ()
    """The host names that requests may use.

    IP addresses, `localhost` and the name of the machine are always allowed.
    """
    metrics_token: str | None = None
    """The bearer token for `/metrics`. If it is not set, nobody can read the metrics."""
