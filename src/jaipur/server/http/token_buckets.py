"""Token buckets, one per client. They are in the memory of this process, or in Redis for all processes of a server.

A bucket holds at most `limit` tokens. It starts full and gets `limit` new tokens per period. It is stored as one
number, the time at which it will be full again (the generic cell rate algorithm). A full bucket is not stored.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from redis.asyncio import Redis

MAX_CLIENTS = 20_000
"""The memory has at most this many buckets per limit. If there are more, the least recently used bucket is dropped."""
RETRY_REDIS_AFTER = 1.0
"""After a failure of Redis, Redis is not used for this many seconds."""

log = logging.getLogger(__name__)


class Rate(Struct, frozen=True):
    """A limit: at most `limit` tokens per `seconds`. A client with a full bucket can take all tokens at once."""

    name: str
    limit: int
    seconds: float

    @property
    def interval(self) -> float:
        """The seconds between two new tokens of a bucket."""
        return self.seconds / self.limit


class TokenBuckets:
    """The buckets of one rate in the memory of this process."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._full_at: OrderedDict[str, float] = OrderedDict()
        """By client: the time at which the bucket is full. The least recently used bucket comes first."""

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, client: str, tokens: float, left: float, now: float) -> float:
        """If the bucket has at least `left` tokens, take `tokens` and return 0.

        Otherwise return the seconds to wait.
        """
        self._drop_full(now)
        full_at = max(now, self._full_at.get(client, now))
        wait = full_at - now - self.rate.seconds + left * self.rate.interval
        # Ignore a microsecond, because sums of intervals have rounding errors.
        if wait > 1e-6:
            return wait
        self._full_at[client] = full_at + tokens * self.rate.interval
        self._full_at.move_to_end(client)
        return 0.0

    def _drop_full(self, now: float) -> None:
        """Drop up to two full buckets. Each call adds at most one bucket, so full buckets disappear over time."""
        for _ in range(2):
            if self._full_at:
                client, full_at = self._full_at.popitem(last=False)
                if full_at > now and len(self._full_at) < MAX_CLIENTS:
                    self._full_at[client] = full_at
                    self._full_at.move_to_end(client, last=False)
                    return


class Charge(NamedTuple):
    """The tokens that a request takes from a bucket of the client."""

    buckets: TokenBuckets
    tokens: float = 1.0
    left: float = 1.0
    """The bucket must have at least this many tokens. If `left` is less than `tokens`, the client can owe tokens."""


_TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for number, key in ipairs(KEYS) do
    local full_at = math.max(now, tonumber(redis.call('GET', key) or now))
    local wait = full_at - now - tonumber(ARGV[2 * number])
    if wait > 0 then return wait end
    full_at = full_at + tonumber(ARGV[2 * number - 1])
    if full_at > now then
        redis.call('SET', key, string.format('%.0f', full_at), 'PX', math.ceil((full_at - now) / 1000))
    end
end
return 0
"""
"""The script does the same as `TokenBuckets.take` for several buckets, as one atomic step.

Times are in microseconds.
"""


class SharedTokenBuckets:
    """The buckets in Redis, which all processes share.

    If Redis does not answer, this process counts alone for a while.
    """

    def __init__(self, redis: "Redis") -> None:
        self._take = redis.register_script(_TAKE)
        self._resume_at = 0.0

    async def take(self, client: str, charges: Sequence[Charge]) -> float:
        """Like `TokenBuckets.take`, for the buckets of several rates. Return 0 if Redis does not answer."""
        from redis.exceptions import RedisError  # noqa: PLC0415  # an extra

        if time.monotonic() < self._resume_at:
            return 0.0
        keys = [f"jaipur.limit.{buckets.rate.name}.{client}" for buckets, _, _ in charges]
        microseconds = [
            round(number * buckets.rate.interval * 1_000_000)
            for buckets, tokens, left in charges
            for number in (tokens, buckets.rate.limit - left)
        ]
        try:
            wait = await self._take(keys=keys, args=microseconds)
        except (RedisError, OSError) as error:
            if time.monotonic() >= self._resume_at:
                log.warning("Redis cannot count requests (%s); this process counts alone.", error)
            self._resume_at = time.monotonic() + RETRY_REDIS_AFTER
            return 0.0
        return float(wait) / 1_000_000
