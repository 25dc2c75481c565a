"""The games in a service's store, read and nothing else: no function is loaded into it, and nothing is written.

So the store of another release keeps the functions of that release, also where ours have the same name.
"""

import time
from collections.abc import Mapping
from typing import Final, Protocol, Self

import msgspec

from events.log.recorded import RecordedEvent
from events.store.errors import StoreUnavailable
from events.store.event_store import Installation
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import connect
from events.store.redis.entries import events_from_entries
from events.store.redis.keys import INSTALLATION, GameKeys
from service.storage.settings import StoreSettings

START_SECONDS: Final = 30.0
PAUSE_SECONDS: Final = 0.1


class Games(Protocol):
    """Whatever has games: a store, or what only reads one."""

    def read(self, game_id: str) -> tuple[RecordedEvent, ...]: ...

    def private(self, game_id: str) -> dict[str, str]: ...


class StoredGames:
    """The games of a running store."""

    def __init__(self, connection: RedisConnection) -> None:
        """Read how many partitions it has.

        Raises:
            StoreUnavailable: it does not answer, or nobody has set it up yet.
        """
        self._connection = connection
        stored = connection.command("GET", INSTALLATION)
        if stored is None:
            raise StoreUnavailable("The store has not been set up yet.")
        self._partitions = msgspec.json.decode(stored, type=Installation).partitions

    @classmethod
    def opened(cls, environment: Mapping[str, str]) -> Self:
        """Those of the service with this environment, once its store answers.

        Raises:
            StoreUnavailable: it does not within half a minute.
        """
        settings = StoreSettings.from_environment(environment)
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                return cls(connect(settings.address()))
            except StoreUnavailable:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(PAUSE_SECONDS)

    def read(self, game_id: str) -> tuple[RecordedEvent, ...]:
        """The whole log of a game that is not archived; empty where there is no such game."""
        log = GameKeys(game_id, self._partitions).log
        return events_from_entries(game_id, self._connection.command("XRANGE", log, "-", "+"), after=0)

    def private(self, game_id: str) -> dict[str, str]:
        """Its private fields, among them its secret; empty where there is no such game."""
        found = self._connection.command("HGETALL", GameKeys(game_id, self._partitions).private)
        texts = map(bytes.decode, found)
        return dict(zip(texts, texts, strict=True))

    def version(self, game_id: str) -> int:
        """Its version; 0 where there is no such game."""
        return int(self._connection.command("HGET", GameKeys(game_id, self._partitions).head, "version") or 0)

    def functions(self) -> dict[str, bytes]:
        """The source of each library of functions in the store, by its name."""
        found = {}
        for library in self._connection.command("FUNCTION", "LIST", "WITHCODE"):
            fields = dict(zip(library[::2], library[1::2], strict=True))
            found[fields[b"library_name"].decode()] = fields[b"library_code"]
        return found

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
