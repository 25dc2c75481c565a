"""The levels of durability, and the check that a server's real settings reach the declared one."""

import enum
from collections.abc import Iterator, Mapping

from events.redis_connection import RedisConnection
from events.store_errors import StoreMisconfigured, StoreRefused

OLDEST_VERSION = (7, 0)
"""Redis 7.0 has functions. Valkey counts on from Redis 7.2 and says so in the same field."""

SETTINGS = ("appendonly", "appendfsync", "maxmemory-policy", "min-replicas-to-write")


class Durability(enum.StrEnum):
    """What an acknowledged append survives."""

    MEMORY = "memory"
    """Nothing: it is gone when the server stops."""
    LOCAL = "local"
    """The end of the server process; when the machine loses power the last second may be lost."""
    FSYNC = "fsync"
    """Loss of power: it was on the disk before it was acknowledged."""
    REPLICATED = "replicated"
    """Loss of the machine: it was on the disk, and a replica had it, before it was acknowledged."""


def check_server(connection: RedisConnection, durability: Durability, *, trust: bool) -> None:
    """Compare the server with the declared level.

    With `trust` a server that hides its settings is believed.

    Raises:
        StoreMisconfigured: each thing that is too weak, and what to set.
        StoreUnavailable: the server cannot be reached or is still loading.
    """
    information = _information(connection)
    findings = list(_unsuitable(information))
    settings = server_settings(connection)
    if settings is None:
        if not trust:
            findings.append(
                "the server does not show its settings (CONFIG GET is forbidden), so nobody can tell whether "
                f"it keeps what FIELDBOOK_DURABILITY={durability} promises: allow CONFIG GET, or set "
                "FIELDBOOK_TRUST_DURABILITY=1 if you know it does"
            )
        settings = {"maxmemory-policy": information.get("maxmemory_policy", "noeviction")}
    else:
        findings.extend(_too_weak(settings, durability))
    if settings["maxmemory-policy"] != "noeviction":
        findings.append(
            f"maxmemory-policy is {settings['maxmemory-policy']}, so a full server would throw games away: "
            f"set it to noeviction"
        )
    if findings:
        message = "The store cannot be used as it is: " + "; ".join(findings) + "."
        raise StoreMisconfigured(message)


def _unsuitable(information: Mapping[str, str]) -> Iterator[str]:
    """Say what makes this no server for the log at all."""
    version = information.get("redis_version", "")
    if not version or "dragonfly_version" in information:
        yield "it is neither Redis nor Valkey: name one in REDIS_URL"
    elif tuple(int(part) for part in version.split(".")[:2]) < OLDEST_VERSION:
        yield f"it is version {version}: use Redis 7.0 or newer, or Valkey 8 or newer"
    mode = information.get("server_mode") or information.get("redis_mode")
    if mode == "sentinel":
        yield "REDIS_URL names a sentinel: name the server it watches"
    if mode == "cluster":
        # Every call stays within one slot; what is missing is a client that knows the cluster's nodes.
        yield "it is a node of a cluster, which is not supported yet: name a server of its own"
    if information.get("role") == "slave":
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


def _information(connection: RedisConnection) -> dict[str, str]:
    """Return what INFO says."""
    text: str = connection.command("INFO").decode()
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line and not line.startswith("#"))


def server_settings(connection: RedisConnection) -> dict[str, str] | None:
    """Return the settings that matter, or None when the server does not show them.

    Raises:
        StoreUnavailable: the server cannot be reached or is still loading.
    """
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
