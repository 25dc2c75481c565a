"""The check that a server's real settings reach the declared level of durability."""

from collections.abc import Iterator, Mapping
from typing import Final

from events.store.errors import StoreMisconfigured, StoreRefused
from events.store.event_store import EventStore
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import information, server_mode
from events.store.redis.redis_store import require_redis
from service.storage.levels import Durability

OLDEST_VERSION = (7, 0)
"""Redis 7.0 has functions. Valkey counts on from Redis 7.2 and says so in the same field."""

UNKNOWN: Final = "unknown"
"""The level that holds where the server does not show its settings."""
SETTINGS = ("appendonly", "appendfsync", "maxmemory-policy", "min-replicas-to-write")


def check_server(connection: RedisConnection, durability: Durability, *, trust: bool) -> None:
    """Compare the server with the declared level; of a cluster, every primary.

    With `trust` a server that hides its settings is believed.

    Raises:
        StoreMisconfigured: each thing that is too weak, and what to set.
        StoreUnavailable: a server cannot be reached or is still loading.
    """
    servers = connection.servers()
    findings = [
        finding if len(servers) == 1 else f"{server.name}: {finding}"
        for server in servers
        for finding in _findings(server, durability, trust=trust)
    ]
    if findings:
        raise StoreMisconfigured("The store cannot be used as it is: " + "; ".join(findings) + ".")


def _findings(server: RedisConnection, durability: Durability, *, trust: bool) -> Iterator[str]:
    """Say everything that stands against one server."""
    said = information(server)
    yield from _unsuitable(said)
    settings = _settings(server)
    if settings is None:
        if not trust:
            yield (
                "the server does not show its settings (CONFIG GET is forbidden), so nobody can tell whether "
                f"it keeps what FIELDBOOK_DURABILITY={durability} promises: allow CONFIG GET, or set "
                "FIELDBOOK_TRUST_DURABILITY=1 if you know it does"
            )
        settings = {"maxmemory-policy": said.get("maxmemory_policy", "noeviction")}
    else:
        yield from _too_weak(settings, durability)
    if settings["maxmemory-policy"] != "noeviction":
        yield (
            f"maxmemory-policy is {settings['maxmemory-policy']}, so a full server would throw games away: "
            f"set it to noeviction"
        )


def _unsuitable(said: Mapping[str, str]) -> Iterator[str]:
    """Say what makes this no server for the log at all."""
    version = said.get("redis_version", "")
    if not version or "dragonfly_version" in said:
        yield "it is neither Redis nor Valkey: name one in REDIS_URL"
    elif tuple(int(part) for part in version.split(".")[:2]) < OLDEST_VERSION:
        yield f"it is version {version}: use Redis 7.0 or newer, or Valkey 8 or newer"
    if server_mode(said) == "sentinel":
        yield "REDIS_URL names a sentinel: name the server it watches"
    if said.get("role") == "slave":
        yield "REDIS_URL names a replica, which takes no writes: name the primary"


def _too_weak(settings: Mapping[str, str], durability: Durability) -> Iterator[str]:
    """Say which settings keep less than the declared level."""
    if durability is Durability.MEMORY:
        return
    if settings["appendonly"] != "yes":
        yield f"appendonly is {settings['appendonly']}, {durability} needs `appendonly yes`"
    wanted = ("always",) if durability is not Durability.LOCAL else ("everysec", "always")
    if settings["appendfsync"] not in wanted:
        yield f"appendfsync is {settings['appendfsync']}, {durability} needs `appendfsync {wanted[0]}`"
    if durability is Durability.REPLICATED and int(settings["min-replicas-to-write"]) < 1:
        yield "min-replicas-to-write is 0, replicated needs `min-replicas-to-write 1` and a replica"


def level_held(settings: Mapping[str, str]) -> Durability:
    """Return the highest level for which no setting is too weak."""
    levels = reversed(list(Durability))
    return next(level for level in levels if not any(_too_weak(settings, level)))


def server_settings(connection: RedisConnection) -> dict[str, str] | None:
    """Return the settings that matter, of a cluster those of its weakest primary, or None where they are not shown.

    Raises:
        StoreUnavailable: a server cannot be reached or is still loading.
    """
    found = [settings for server in connection.servers() if (settings := _settings(server)) is not None]
    if len(found) < len(connection.servers()):
        return None
    return min(found, key=lambda settings: list(Durability).index(level_held(settings)))


def _settings(connection: RedisConnection) -> dict[str, str] | None:
    """Return the settings that matter of one server, or None when it does not show them."""
    found: dict[str, str] = {}
    try:
        # One at a time: Redis 7.0 takes several, some managed servers do not.
        for name in SETTINGS:
            reply = connection.command("CONFIG", "GET", name)
            if len(reply) != 2:  # noqa: PLR2004 - a name and a value
                return None
            found[name] = reply[1].decode()
    except StoreRefused:
        return None
    return found


def read_durability(store: EventStore) -> tuple[str, Mapping[str, str]]:
    """The highest level that a server's settings allow, and these settings.

    Raises:
        StoreUnavailable
    """
    settings = server_settings(require_redis(store).connection)
    return (UNKNOWN, {}) if settings is None else (level_held(settings).value, settings)


def describe_durability(store: EventStore, declared: str) -> str:
    """What the log says at start.

    Raises:
        StoreUnavailable
    """
    held, settings = read_durability(store)
    if held == UNKNOWN:
        return f"durability {declared} is believed: the store does not show its settings"
    named = ", ".join(f"{name} {value}" for name, value in settings.items())
    return f"durability {declared} is declared, and {held} holds: {named}"
