"""The past messages of tables, in pages. A message never changes, so pages are cached.

The cache has a limit in bytes and drops the least recently used pages.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence

from jaipur.server.live.replay import KeyedLocks, Replay, Turns
from jaipur.server.live.subscribers import EncodedMessage, encode_latest
from jaipur.server.store.event_store import EventStore
from jaipur.table.projection import Audience
from jaipur.table.refusals import RefusalCode, Refused
from jaipur.table.table import Table

PAGE = 50
"""The number of messages per page."""
CACHE_BYTES = 16 * 1024 * 1024

Page = tuple[EncodedMessage, ...]
PageKey = tuple[str, Audience, int]
"""The table, the audience, and the number of the page."""


class PageCache:
    """A cache of the most recently used pages."""

    def __init__(self) -> None:
        self.size = 0
        """The number of bytes of all messages."""
        self._pages: OrderedDict[PageKey, Page] = OrderedDict()

    def get(self, key: PageKey) -> Page:
        if key not in self._pages:
            return ()
        self._pages.move_to_end(key)
        return self._pages[key]

    def put(self, key: PageKey, page: Page) -> None:
        self.size += _size(page) - _size(self._pages.pop(key, ()))
        self._pages[key] = page
        while self.size > CACHE_BYTES:
            self.size -= _size(self._pages.popitem(last=False)[1])


def _size(page: Page) -> int:
    return sum(len(message.body) for message in page)


class History:
    """Reads the past messages of tables from the cache or from their event logs."""

    def __init__(self, store: EventStore, turns: Turns) -> None:
        self.cache = PageCache()
        self._store = store
        self._turns = turns
        self._creating = KeyedLocks()

    async def messages(
        self, table_id: str, audience: Audience, after: int, last: int
    ) -> AsyncIterator[Sequence[EncodedMessage]]:
        """Yield the messages with the versions `after + 1` to `last`. Pages are created when they are needed."""
        replay = Replay(self._store, self._turns, Table(table_id))
        while after < last:
            start = after // PAGE * PAGE
            end = min(last, start + PAGE)
            page = await self._page(replay, audience, start, end)
            await self._turns.wait()
            yield page[after - start : end - start]
            after = end

    async def _page(self, replay: Replay, audience: Audience, start: int, end: int) -> Page:
        """Return the page that begins after the version `start`. It contains at least the messages up to `end`."""
        key = (replay.table.id, audience, start)
        page = self.cache.get(key)
        if len(page) < end - start:
            # If several requests need the same page, the first one creates it and the others wait.
            async with self._creating[key]:
                page = self.cache.get(key)
                if len(page) < end - start:
                    page = await _extend(replay, audience, page, start, end)
                    self.cache.put(key, page)
        return page


async def _extend(replay: Replay, audience: Audience, page: Page, start: int, end: int) -> Page:
    """Return the page that begins after the version `start`, with the missing messages up to the version `end`."""
    messages = list(page)
    if not replay.table.version:
        await replay.skip(start + len(page))
    await replay.forward(start + len(page))
    await replay.forward(end, visit=lambda table: messages.append(encode_latest(table, audience)))
    if replay.table.version < end:  # the table was deleted in the meantime
        raise Refused(RefusalCode.NO_SUCH_TABLE)
    return tuple(messages)
