"""The installation record on a server: fixed by whoever comes first, read by everybody."""

import secrets
from typing import Final

import msgspec

from events.store.errors import START_AGAIN, StoreMisconfigured
from events.store.event_store import DEFAULT_PARTITIONS, FORMAT, Installation
from events.store.partitions import check_partitions
from events.store.redis.client.connection import RedisConnection
from events.store.redis.keys import INSTALLATION

UNFINISHED: Final = 0
"""The format of an installation into which a backup is being restored: no process works with it."""


def fix_installation(connection: RedisConnection, partitions: int | None) -> Installation:
    """Fix the installation if nobody has yet, and return the one that holds.

    Raises:
        StoreMisconfigured: it has another format, or another number of partitions than the configured one.
    """
    proposed = Installation(
        format=FORMAT,
        partitions=check_partitions(DEFAULT_PARTITIONS if partitions is None else partitions),
        installation_id=secrets.token_hex(8),
        token_key=secrets.token_hex(32),
    )
    # Of two processes that start at once only one sets it, and both read what was set.
    connection.command("SET", INSTALLATION, msgspec.json.encode(proposed), "NX")
    stored = msgspec.json.decode(connection.command("GET", INSTALLATION), type=Installation)
    if stored.format == UNFINISHED:
        raise StoreMisconfigured(
            f"A backup was being restored into this store and not finished. {START_AGAIN}"
        )
    if stored.format != FORMAT:
        message = f"The store has format {stored.format}; this version of Fieldbook reads format {FORMAT}."
        raise StoreMisconfigured(message)
    if partitions is not None and partitions != stored.partitions:
        message = (
            f"The store was set up with {stored.partitions} partitions, which can never change, and "
            f"{partitions} are configured. Set FIELDBOOK_PARTITIONS to {stored.partitions}, or leave it out."
        )
        raise StoreMisconfigured(message)
    return stored


def mark_unfinished(connection: RedisConnection, installation: Installation) -> None:
    """Keep every process from working with a store until `mark_finished` says otherwise."""
    unfinished = msgspec.structs.replace(installation, format=UNFINISHED)
    connection.command("SET", INSTALLATION, msgspec.json.encode(unfinished))


def mark_finished(connection: RedisConnection, installation: Installation) -> None:
    """Let processes work with a store that was restored."""
    connection.command("SET", INSTALLATION, msgspec.json.encode(installation))
