"""Whether the store's server can take appends as declared, and what it is."""

from typing import Final, NamedTuple

import msgspec

from events.store.errors import StoreError, StoreRefused, StoreUnavailable
from events.store.event_store import EventStore, Installation
from events.store.partitions import partition_tag
from events.store.redis.client.cluster import RedisClusterConnection
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import information
from events.store.redis.functions import LIBRARY, StoreFunctions
from events.store.redis.keys import INSTALLATION
from events.store.redis.redis_store import require_redis
from events.store.waiting import waiting_at_most
from service.storage.durability import check_server
from service.storage.levels import Durability

FUNCTIONS: Final = LIBRARY
"""The name of the library of functions that this release has on the server."""
NEARLY_FULL: Final = 0.9
"""The part of the server's memory beyond which no new games are set up: the rest is for games that have begun."""
PROBE: Final = "{processes}:write-probe"
PROBE_SECONDS: Final = 60
PROBE_WAIT_SECONDS: Final = 0.5
"""How long the store is waited for in vain by a probe of all partitions."""


def find_unfitness(store: EventStore, durability: Durability, *, trust: bool) -> str:
    """What makes the server unfit for commands; empty where nothing does.

    Raises:
        StoreError
    """
    connection = require_redis(store).connection
    try:
        check_server(connection, durability, trust=trust)
        # Loads them where the server has lost them, and is refused where it does not let us.
        StoreFunctions(connection)
        # Whether it is full, its disk failed, or too few replicas are there: only a write tells. In a cluster that
        # differs from partition to partition: `find_waiting_partitions`.
        if not isinstance(connection, RedisClusterConnection):
            connection.command("SET", PROBE, 1, "EX", PROBE_SECONDS)
    except StoreRefused as error:
        return str(error)
    stored = connection.command("GET", INSTALLATION)
    if stored is None:
        return "The store has lost the installation that this process was started with: it is empty."
    found = msgspec.json.decode(stored, type=Installation)
    if found.installation_id != store.installation.installation_id:
        return "The store holds another installation than this process was started with: restart it."
    if found.format != store.installation.format:
        return "A backup is being restored into the store."
    return ""


def find_waiting_partitions(store: EventStore) -> list[int]:
    """The partitions that take no appends now while others may: away, or with too few replicas.

    Only in a cluster does it differ from partition to partition; one server is looked at as a whole, by a ping.

    Raises:
        StoreUnavailable: the one server cannot be reached.
    """
    connection = require_redis(store).connection
    if not isinstance(connection, RedisClusterConnection):
        connection.command("PING")
        return []
    tags = map(partition_tag, range(store.partitions))
    probes = [("SET", f"{tag}:write-probe", 1, "EX", PROBE_SECONDS) for tag in tags]
    try:
        with waiting_at_most(PROBE_WAIT_SECONDS):
            answers = connection.answered_commands(probes)
    except (StoreUnavailable, StoreRefused):
        return list(range(store.partitions))
    return [partition for partition, answer in enumerate(answers) if answer is None]


class MemoryUse(NamedTuple):
    """The memory of the store's server, in bytes."""

    used: int
    limit: int
    """`maxmemory`, beyond which nothing is written; 0 for no limit."""

    @property
    def filled(self) -> float:
        """The used part of the limit; 0 where there is none."""
        return self.used / self.limit if self.limit else 0.0


def memory_use(store: EventStore) -> MemoryUse:
    """Return the memory use of the server; of a cluster, that of its fullest primary.

    Raises:
        StoreError
    """
    servers = require_redis(store).connection.servers()
    return max(map(_memory_use, servers), key=lambda each: (each.filled, each.used))


def _memory_use(server: RedisConnection) -> MemoryUse:
    said = information(server)
    # The buffers of replicas and of the append-only file do not count for the server either.
    used = int(said.get("used_memory", 0)) - int(said.get("mem_not_counted_for_evict", 0))
    return MemoryUse(used, int(said.get("maxmemory", 0)))


def describe_server(store: EventStore) -> str:
    """The server's name and version, as it says."""
    try:
        found = information(require_redis(store).connection)
    except StoreError as error:
        return f"which does not say what it is ({error})"
    if "valkey_version" in found:
        return f"Valkey {found['valkey_version']}"
    return f"Redis {found.get('redis_version', '?')}"
