"""A cluster of three primaries, where asked for each with a replica, on loopback ports."""

import enum
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from events.store.partitions import partition_tag
from events.store.redis.keys import INSTALLATION
from service.storage.levels import Durability
from tests.support.nodes import Node, await_replica, free_port
from tests.support.servers import eventually

PRIMARIES: Final = 3
NODE_TIMEOUT: Final = 2000
"""Milliseconds after which a node that does not answer counts as failed."""
MOVED_AT_ONCE: Final = 5
"""Keys in one MIGRATE: few, so that games meet the slot half moved."""


class Failure(enum.Enum):
    """What makes a replica take over."""

    KILLED = "killed"
    PAUSED = "paused"
    HANDED_OVER = "handed over"


class Cluster:
    """Nodes that know each other."""

    def __init__(self, primaries: Sequence["ClusterNode"], replicas: Sequence["ClusterNode"]) -> None:
        """Join nodes that have just been started."""
        self.nodes = (*primaries, *replicas)
        self.url = "redis://" + ",".join(f"127.0.0.1:{node.port}" for node in primaries)
        self._ids: dict[bytes, Node] = {}
        share = REDIS_CLUSTER_HASH_SLOTS // len(primaries)
        for number, node in enumerate(self.nodes):
            node.await_answer()
            self._ids[node.connection.command("CLUSTER", "MYID")] = node
            node.connection.command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for number, node in enumerate(primaries):
            last = REDIS_CLUSTER_HASH_SLOTS - 1 if node is primaries[-1] else (number + 1) * share - 1
            node.connection.command("CLUSTER", "ADDSLOTSRANGE", number * share, last)
        for node in self.nodes[1:]:
            primaries[0].connection.command("CLUSTER", "MEET", "127.0.0.1", node.port, node.bus_port)
        self.await_state()
        for primary, replica in zip(primaries, replicas, strict=False):
            replica.connection.command("CLUSTER", "REPLICATE", primary.connection.command("CLUSTER", "MYID"))
        for replica in replicas:
            await_replica(replica)

    def await_state(self) -> None:
        """Wait until every node knows all others and says that every slot is served."""
        eventually(lambda: all(map(self._is_up, self.nodes)), seconds=60)

    def _is_up(self, node: Node) -> bool:
        said = node.connection.command("CLUSTER", "INFO").decode()
        return "cluster_state:ok" in said and f"cluster_known_nodes:{len(self.nodes)}\r" in said

    def primary_of(self, slot: int, seen_by: Node | None = None) -> Node:
        """Return the node that has a slot, as a node that is up sees it."""
        return self._ids[self._owner(slot, seen_by or next(node for node in self.nodes if node.answers()))]

    def _owner(self, slot: int, up: Node) -> bytes:
        for first, last, (_, _, name, *_), *_ in up.connection.command("CLUSTER", "SLOTS"):
            if first <= slot <= last:
                found: bytes = name
                return found
        raise AssertionError(f"nobody has slot {slot}")

    def move(self, slot: int, target: Node) -> int:
        """Move a slot with all its keys as an operator's tool does; returns how many keys that were."""
        source = self.primary_of(slot)
        if source is target:
            return 0
        self.begin_move(slot, target)
        return self.end_move(slot, target)

    def replica_of(self, primary: Node) -> Node:
        """Return the node that follows a primary."""
        return next(
            node
            for node in self.nodes
            if node is not primary and node.said().get("master_port") == str(primary.port)
        )

    def fail_over(self, slot: int, how: Failure) -> float:
        """Have the replica of a slot's primary take over, and bring the old primary back as its replica.

        Returns how many seconds the takeover took. When this ends the cluster is whole again.
        """
        victim = self.primary_of(slot)
        began = time.monotonic()
        match how:
            case Failure.KILLED:
                victim.kill()
            case Failure.PAUSED:
                victim.pause()
            case Failure.HANDED_OVER:
                self.replica_of(victim).connection.command("CLUSTER", "FAILOVER")
        eventually(lambda: self._other_owner(slot, victim), seconds=60)
        took = time.monotonic() - began
        if victim.paused:
            victim.resume()
        elif victim.process is None:
            victim.start()
            victim.await_answer()
        eventually(lambda: victim.said()["role"] == "slave", seconds=60)
        await_replica(victim)
        self.await_state()
        return took

    def _other_owner(self, slot: int, than: Node) -> bool:
        return all(self.primary_of(slot, seen_by=node) is not than for node in self.nodes if node.answers())

    def begin_move(self, slot: int, target: Node) -> None:
        """Let the slot's keys be moved one by one from now on."""
        source = self.primary_of(slot)
        target.connection.command("CLUSTER", "SETSLOT", slot, "IMPORTING", self._name(source))
        source.connection.command("CLUSTER", "SETSLOT", slot, "MIGRATING", self._name(target))

    def end_move(self, slot: int, target: Node) -> int:
        """Move what is not moved yet and give the slot to the node; returns how many keys were left."""
        source, moved = self.primary_of(slot), 0
        while keys := source.connection.command("CLUSTER", "GETKEYSINSLOT", slot, MOVED_AT_ONCE):
            source.connection.command("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
            moved += len(keys)
        # Who has not heard of the last move's epoch takes no higher one for this move; then two nodes may each end up
        # sure that the other one has the slot.
        eventually(self._is_one_epoch, seconds=60)
        for node in dict.fromkeys((target, source, *self.nodes)):
            if node.said()["role"] == "master":
                node.connection.command("CLUSTER", "SETSLOT", slot, "NODE", self._name(target))
        return moved

    def _is_one_epoch(self) -> bool:
        up = [node for node in self.nodes if node.answers()]
        return len({_said_of_cluster(node, b"cluster_current_epoch") for node in up}) == 1

    def join(self, node: "ClusterNode") -> None:
        """Take in one more primary, without any slot."""
        node.await_answer()
        self._ids[node.connection.command("CLUSTER", "MYID")] = node
        self.nodes = (*self.nodes, node)
        self.nodes[0].connection.command("CLUSTER", "MEET", "127.0.0.1", node.port, node.bus_port)
        self.await_state()

    def forget(self, node: Node) -> None:
        """Let a primary without any slot go."""
        name = self._name(node)
        self.nodes = tuple(each for each in self.nodes if each is not node)
        node.kill()
        for each in self.nodes:
            each.connection.command("CLUSTER", "FORGET", name)
        del self._ids[name]

    def _name(self, node: Node) -> bytes:
        return next(name for name, each in self._ids.items() if each is node)


def _said_of_cluster(node: Node, name: bytes) -> bytes:
    lines: list[bytes] = node.connection.command("CLUSTER", "INFO").split(b"\r\n")
    return dict(line.split(b":", 1) for line in lines if b":" in line)[name]


def slots_in_use(partitions: int) -> list[int]:
    """Return the slot of every partition, and that of the installation's key."""
    return [key_slot(tag.encode()) for tag in (*map(partition_tag, range(partitions)), INSTALLATION)]


@contextmanager
def running_cluster(
    folder: Path, durability: Durability = Durability.MEMORY, *, replicas: bool = False, **settings: object
) -> Iterator[Cluster]:
    """Run a cluster of `PRIMARIES`; settings are those of each server."""
    nodes = [
        ClusterNode(folder / f"node-{number}", durability, **settings)
        for number in range(PRIMARIES * (2 if replicas else 1))
    ]
    try:
        for node in nodes:
            node.start()
        yield Cluster(nodes[:PRIMARIES], nodes[PRIMARIES:])
    finally:
        for node in nodes:
            node.kill()


class ClusterNode(Node):
    """A node of a cluster, with the port on which it talks to the others."""

    def __init__(self, folder: Path, durability: Durability, **settings: object) -> None:
        """Prepare it; see `Node`."""
        self.bus_port = free_port()
        super().__init__(
            folder,
            durability,
            cluster_enabled="yes",
            cluster_port=self.bus_port,
            cluster_config_file="nodes.conf",
            cluster_node_timeout=NODE_TIMEOUT,
            cluster_replica_validity_factor=0,
            cluster_allow_replica_migration="no",
            **settings,
        )
