"""What can be watched of a running server, in the words of Prometheus. Numbers only: no table, name or secret."""

from collections.abc import Callable, Sequence
from functools import partial

from jaipur.table.events import LogEntry
from jaipur.table.table import Table


class _NoMetric:
    """Replaces a Prometheus metric where the extra `hosting` is not installed."""

    def __init__(self, *_arguments: object, **_options: object) -> None: ...
    def labels(self, *_values: str) -> "_NoMetric":
        return self

    def inc(self) -> None: ...
    def observe(self, _value: float) -> None: ...
    def set_function(self, _function: Callable[[], float]) -> None: ...


try:
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
except ImportError:
    CollectorRegistry = Counter = Gauge = Histogram = _NoMetric  # type: ignore[misc, assignment]

    def generate_latest(*_arguments: object) -> bytes:  # type: ignore[misc]
        return b"# Metrics need an extra: pip install 'jaipur[hosting]'.\n"


_QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_SIZES = (1, 2, 4, 8, 16, 32, 64)


class Metrics:
    """The figures of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        counter = partial(Counter, namespace="jaipur", registry=self._registry)
        histogram = partial(Histogram, namespace="jaipur", registry=self._registry)
        self.requests = counter("requests", "Requests answered", ["status"])
        self.refusals = counter("refusals", "What was refused, by code", ["code"])
        self.events = counter("events", "What happened at tables here", ["kind"])
        self.seconds = histogram("request_seconds", "Time until an answer begins", buckets=_QUICK)
        self.kept = histogram("append_seconds", "Time until events were durable", buckets=_QUICK)
        self.batches = histogram("append_batch", "Appends made durable at once", buckets=_SIZES)
        self.thoughts = histogram("thought_seconds", "Time a computer took to move", ["level"])

    def watch(self, name: str, about: str, value: Callable[[], float]) -> None:
        """A number that is looked up whenever somebody asks for it."""
        Gauge(name, about, namespace="jaipur", registry=self._registry).set_function(value)

    def happened(self, _table: Table, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            self.events.labels(entry.event.__struct_config__.tag).inc()

    def appended(self, seconds: float, batch: int) -> None:
        self.kept.observe(seconds)
        self.batches.observe(batch)

    def thought(self, level: str, seconds: float) -> None:
        self.thoughts.labels(level).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)
