"""Prometheus metrics of a server process. They contain only numbers: no table ids, names or secrets."""

from collections.abc import Callable, Sequence
from functools import partial

from jaipur.table.events import LogEntry
from jaipur.table.table import Table


class _NoMetric:
    """Takes the place of a Prometheus metric if the extra `hosting` is not installed."""

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


_LATENCIES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        counter = partial(Counter, namespace="jaipur", registry=self._registry)
        histogram = partial(Histogram, namespace="jaipur", registry=self._registry)
        self.requests = counter("requests", "HTTP requests by status", ["status"])
        self.refusals = counter("refusals", "Refused commands by code", ["code"])
        self.events = counter("events", "Events stored by this process", ["kind"])
        latency = partial(histogram, buckets=_LATENCIES)
        self.seconds = latency("request_seconds", "Time until the response starts")
        self.append_seconds = latency("append_seconds", "Time until events are durable")
        self.append_batch = histogram(
            "append_batch", "Appends committed together", buckets=(1, 2, 4, 8, 16, 32, 64)
        )
        self.move_seconds = histogram("thought_seconds", "Time of a computer move", ["level"])

    def gauge(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a gauge. Prometheus reads its value from the function `value` at every scrape."""
        Gauge(name, description, namespace="jaipur", registry=self._registry).set_function(value)

    def count_events(self, _table: Table, entries: Sequence[LogEntry]) -> None:
        for entry in entries:
            self.events.labels(entry.event.__struct_config__.tag).inc()

    def observe_append(self, seconds: float, batch: int) -> None:
        self.append_seconds.observe(seconds)
        self.append_batch.observe(batch)

    def observe_move(self, level: str, seconds: float) -> None:
        self.move_seconds.labels(level).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)
