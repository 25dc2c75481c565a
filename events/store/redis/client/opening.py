"""From REDIS_URL to a connection: one server, or a cluster where what answers says that it is one."""

from collections.abc import Mapping

from events.store.errors import StoreRefused, StoreUnavailable
from events.store.redis.client.addresses import Addresses
from events.store.redis.client.cluster import RedisClusterConnection
from events.store.redis.client.connection import RedisConnection


def connect(url: str) -> RedisConnection:
    """Connect to the address; a cluster may be named by several of its servers, of which one must answer.

    Raises:
        StoreUnavailable: nothing answers there for now.
        StoreRefused: the address cannot be understood, or names several servers that are no cluster.
    """
    addresses = Addresses.parse(url)
    failure = StoreUnavailable("REDIS_URL names no server.")
    for each in addresses.each():
        connection = RedisConnection(each)
        try:
            in_cluster = is_in_cluster(connection)
        except StoreUnavailable as error:
            failure = error
            continue
        if not in_cluster and len(addresses.each()) == 1:
            return connection
        connection.close()
        if in_cluster:
            return RedisClusterConnection(addresses)
        message = "REDIS_URL names several servers, which are no cluster: name the primary alone."
        raise StoreRefused(message)
    raise failure


def is_in_cluster(connection: RedisConnection) -> bool:
    """Ask a server whether it is one of a cluster."""
    return server_mode(information(connection)) == "cluster"


def server_mode(said: Mapping[str, str]) -> str:
    """Return `standalone`, `sentinel` or `cluster`, from what a server says about itself."""
    return said.get("server_mode") or said.get("redis_mode", "")


def information(connection: RedisConnection) -> dict[str, str]:
    """Return what a server says about itself (INFO), section headings left out."""
    text: str = connection.command("INFO").decode().replace("\r\n", "\n")
    return dict(line.split(":", 1) for line in text.split("\n") if ":" in line and not line.startswith("#"))
