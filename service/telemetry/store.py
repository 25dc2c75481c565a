"""From an append to those who follow the feeds: whose trace it is in, kept beside the log for some minutes.

{p07}:trace:<hash>   string: the `traceparent` of the append whose last event has this chain hash; expires

It is written before the append, so whoever is told of an entry finds it, and under the hash, so that of one who was
not the faster is nobody's. Log, feed and chain know nothing of it. Where it is lost, or too old, so is the
connection.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

from events.store.errors import StoreError
from events.store.event_store import EventStore, FeedEntry
from events.store.redis.keys import trace_key
from events.store.redis.redis_store import require_redis
from events.store.waiting import waiting_at_most
from service.telemetry.spans import GAME, VERSION, Kind, Span, follow, is_recording

EXPIRY_SECONDS: Final = 600
"""Whoever follows the feeds by more than that begins no spans."""
WAIT_SECONDS: Final = 0.2
"""How long the store is waited for in vain."""
_log = logging.getLogger("fieldbook.telemetry")

Spans = Mapping[tuple[str, int], Span]
"""What is recorded about entries of a feed, by game and last version; one that is not there is not recorded."""


class AppendTraces:
    """The traces of the appends of a store. What the store does not take, or say, is not known; nobody fails."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._store = store

    def note(self, game: str, chain_hash: str, traceparent: str) -> None:
        """Note the trace of an append that is about to be made."""
        key = trace_key(self._store.partition_of(game), chain_hash)
        try:
            with waiting_at_most(WAIT_SECONDS):
                require_redis(self._store).connection.command("SET", key, traceparent, "EX", EXPIRY_SECONDS)
        except StoreError as error:
            _log.debug("an append's trace is not noted: %s", error)

    def find(self, partition: int, hashes: Sequence[str]) -> dict[str, str]:
        """The traces of appends that ended with these chain hashes, as far as they are known."""
        if not (hashes and is_recording()):
            return {}
        keys = [trace_key(partition, each) for each in hashes]
        try:
            with waiting_at_most(WAIT_SECONDS):
                found = require_redis(self._store).connection.command("MGET", *keys)
        except StoreError as error:
            _log.debug("the traces of appends are not known: %s", error)
            return {}
        return {each: text.decode() for each, text in zip(hashes, found, strict=True) if text is not None}

    @contextmanager
    def following(
        self, name: str, partition: int, entries: Sequence[FeedEntry], kind: Kind = "consumer"
    ) -> Iterator[Spans]:
        """What is done within about these entries of a feed, recorded in the trace of each."""
        traces = self.find(partition, [each.hash for each in entries])
        spans: dict[tuple[str, int], Span] = {}
        with ExitStack() as ending:
            for entry in entries:
                if entry.hash in traces:
                    begun = spans[entry.game_id, entry.last_version] = follow(name, kind, traces[entry.hash])
                    begun.say({GAME: entry.game_id, VERSION: entry.last_version})
                    ending.push(partial(_end, begun))
            yield spans


def _end(found: Span, _kind: object, failure: BaseException | None, _trace: object) -> None:
    found.end(failure)
