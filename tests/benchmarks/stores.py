"""The embedded store for measuring: the real server, in a folder of its own, gone when the measurement is."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from events.chain.hash_chain import GENESIS
from events.game.table import Table
from events.log.recorded import RecordedEvent
from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import SECRET
from service.startup.store_opening import open_store
from service.storage.levels import Durability
from service.storage.settings import StoreSettings
from tests.benchmarks.own_service import plain_environment, started

START_SECONDS = 60.0
AT_ONCE = 200
"""Entries appended together where a log is put into a store at once."""


@contextmanager
def measured_store(durability: Durability) -> Iterator[RedisEventStore]:
    """A fresh store at this level, which ends with this process, whatever happens to it.

    Raises:
        StoreUnavailable: it does not start.
    """
    with measured_installation(durability) as (store, _):
        yield store


@contextmanager
def measured_installation(durability: Durability) -> Iterator[tuple[RedisEventStore, Mapping[str, str]]]:
    """The same, with the environment in which other processes of the service find it.

    Raises:
        StoreUnavailable: it does not start.
    """
    with TemporaryDirectory(prefix="fieldbook-bench-") as name:
        folder = Path(name)
        environment = plain_environment(
            FIELDBOOK_DATA=str(folder / "data"),
            FIELDBOOK_PARENT=str(os.getpid()),
            FIELDBOOK_DURABILITY=durability.value,
        )
        command = [sys.executable, "-m", "service.embedded_store"]
        with started(command, environment, folder / "store.log"):
            store = open_store(StoreSettings.from_environment(environment), START_SECONDS)
            yield store, environment
            store.close()


def put(store: RedisEventStore, table: Table, log: Sequence[RecordedEvent]) -> None:
    """Put a game into a store, many entries in one append."""
    groups = (log[start : start + AT_ONCE] for start in range(0, len(log), AT_ONCE))
    _append_all(store, table, groups)


def put_as_played(store: RedisEventStore, table: Table, log: Sequence[RecordedEvent]) -> None:
    """Put a game into a store command by command, each append with the dealer's answers, as it is played."""
    begins = [place for place, entry in enumerate(log) if entry.command and entry.actor != "dealer"]
    ends = [*begins[1:], len(log)]
    _append_all(store, table, (log[start:end] for start, end in zip(begins, ends, strict=True)))


def _append_all(store: RedisEventStore, table: Table, groups: Iterator[Sequence[RecordedEvent]]) -> None:
    version, head = 0, GENESIS
    for group in groups:
        store.append(
            table.game,
            group,
            expected_version=version,
            expected_hash=head,
            command_id=f"{group[0].actor}:{version:032x}",
            fingerprint=group[0].hash,
            private={SECRET: table.secret} if version == 0 else {},
        )
        version, head = group[-1].version, group[-1].hash
