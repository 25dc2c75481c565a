"""`fieldbook backup` and `fieldbook restore`, with what came of them.

Exit status: 0 when all went well, 1 when it failed or a game is damaged, 2 when nothing could begin.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click
from rich.console import Console

from events.redis_connection import RedisConnection
from events.redis_installation import START_AGAIN
from events.redis_opening import connected
from events.store_errors import StoreError, StoreMisconfigured, StoreUnavailable
from service.backing_up import BackingUp
from service.backup_files import BackupUnusable, Manifest
from service.clock import now_milliseconds
from service.durability import Durability, check_server
from service.restored import NotAsBackedUp
from service.restoring import Restoring
from service.signing_keys import SigningKeysUnusable
from service.store_opening import START_SECONDS, open_store
from service.store_settings import StoreSettings
from service.targets import TargetUnavailable, open_target

FAILED: Final = 1
_WAIT_SECONDS: Final = 3.0
_STOP_SECONDS: Final = 30.0


def back_up(address: str, options: str) -> int:
    """Back the installation up; returns the exit status.

    Raises:
        BadTarget, StoreError, SigningKeysUnusable: nothing could begin.
    """
    target = open_target(address, options)
    settings = StoreSettings.from_environment()
    store = open_store(settings, _WAIT_SECONDS)
    try:
        copying = BackingUp(store, settings, target)
        with Console(stderr=True).status("Backing up"):
            manifest = copying.run(now_milliseconds())
    except (BackupUnusable, TargetUnavailable, StoreError, OSError) as error:
        click.echo(f"No backup was made: {error}", err=True)
        return FAILED
    finally:
        store.close()
    size = sum(file.size for file in manifest.files)
    copied = copying.copied
    click.echo(
        f"Backed up: {copied.games} games, {copied.events} events, {len(manifest.files)} files of {size} bytes, "
        f"in {target.address}"
    )
    if copied.archived:
        click.echo(
            f"{copied.archived} games are archived: their files are in the archive, not in this backup."
        )
    _name_damaged(manifest)
    return FAILED if manifest.damaged else 0


def restore_all(address: str, options: str) -> int:
    """Restore a backup and verify what is there then; returns the exit status.

    Raises:
        BadTarget, StoreError: nothing could begin.
    """
    source = open_target(address, options)
    settings = StoreSettings.from_environment()
    restoring = None
    try:
        with _empty_store(settings) as connection:
            restoring = Restoring(source, connection, settings.data_folder)
            with Console(stderr=True).status("Restoring"):
                manifest, found = restoring.run(settings.name)
    except (
        BackupUnusable,
        TargetUnavailable,
        NotAsBackedUp,
        StoreError,
        SigningKeysUnusable,
        OSError,
    ) as error:
        if restoring is None:
            raise
        click.echo(
            f"The restore failed: {error}" if restoring.begun else f"Nothing was restored: {error}", err=True
        )
        if restoring.begun:
            click.echo(START_AGAIN, err=True)
        return FAILED
    click.echo(
        f"Restored and verified: {found.games} games ({found.archived} of them archived), {found.events} events."
    )
    _name_damaged(manifest)
    return 0


def _name_damaged(manifest: Manifest) -> None:
    for game, reason in manifest.damaged.items():
        click.echo(f"Game {game} does not hold together, and was copied as it is: {reason}", err=True)


@contextmanager
def _empty_store(settings: StoreSettings) -> Iterator[RedisConnection]:
    """The configured store; an embedded one is started for as long as this lasts."""
    process = None
    if settings.durability is Durability.MEMORY and not settings.redis_url:
        raise StoreMisconfigured("FIELDBOOK_DURABILITY=memory keeps nothing: choose another level.")
    if not settings.redis_url:
        process = subprocess.Popen(
            [sys.executable, "-m", "service.embedded_store"],
            stdout=subprocess.DEVNULL,
            env={**os.environ, "FIELDBOOK_PARENT": str(os.getpid())},
        )
    try:
        connection = _connected(settings)
        try:
            yield connection
        finally:
            connection.close()
    finally:
        if process is not None:
            process.terminate()
            process.wait(_STOP_SECONDS)


def _connected(settings: StoreSettings) -> RedisConnection:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            connection = connected(settings.address())
            check_server(connection, settings.durability, trust=settings.trust_durability)
        except StoreUnavailable:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.1)
        else:
            return connection
