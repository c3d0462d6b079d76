"""The time of a server process. It follows the system clock, but never jumps and never goes back.

The time advances with the steady clock of the machine. A difference from the system clock is corrected slowly.
Therefore a wrong or corrected system clock cannot end games (docs/decisions/0013).
"""

import logging
import time
from collections.abc import Callable

from jaipur.table.clock import NO_OUTAGE, Outage
from jaipur.table.options import DAY, Millis

Nanos = int

MILLI: Nanos = 1_000_000
LONG_OUTAGE: Millis = 3_600_000
"""If no server was running for longer than this, the time counts as an outage."""
FASTER, SLOWER = 10, 2
"""The largest corrections: time passes a tenth faster, or at half speed."""

log = logging.getLogger(__name__)


def system_time() -> Millis:
    return time.time_ns() // MILLI


def _steady() -> Nanos:
    # On Linux, this clock also counts the time while the machine sleeps.
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ServerClock:
    """The clock. It starts at the system time, or at the time of the last stored event if that is later."""

    def __init__(
        self,
        last_event: Millis | None,
        *,
        system: Callable[[], Millis] = system_time,
        steady: Callable[[], Nanos] = _steady,
    ) -> None:
        self._system, self._steady = system, steady
        self._read_at = steady()
        start = system()
        self.outage = NO_OUTAGE
        """The last period in which no server was running. The clocks of the players do not count it."""
        last = start if last_event is None else last_event
        self._now: Nanos = max(start, last) * MILLI
        if start - last > LONG_OUTAGE or last - start > DAY:
            self.outage = Outage(min(start, last), max(start, last))
        if last - start > LONG_OUTAGE:
            hours = (last - start) // LONG_OUTAGE
            log.warning("the system clock is %d hours behind the last stored event", hours)

    def now(self) -> Millis:
        read_at = self._steady()
        passed = max(0, read_at - self._read_at)
        before, self._read_at = self._now, read_at
        difference = self._system() * MILLI - (before + passed)
        self._now = before + passed + min(max(difference, -(passed // SLOWER)), passed // FASTER)
        if passed > LONG_OUTAGE * MILLI:  # the machine was asleep
            self.outage = Outage(before // MILLI, self._now // MILLI)
        return self._now // MILLI
