"""`fieldbook backup` and `fieldbook restore`, with their results.

Exit status: 0 when all went well, 1 when it failed or a game is damaged, 2 when nothing could begin, 74 when a disk
is full.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import click
from rich.console import Console

from events.store.errors import START_AGAIN, StoreError, StoreMisconfigured, StoreUnavailable
from replay.platform.exit_status import FINDING, WRONG_USE, status_of
from service.backup.backing_up import BackingUp
from service.backup.files import BackupUnusable, Manifest
from service.backup.restored import NotAsBackedUp
from service.backup.restoring import PlaceOccupied, Restoring, check_empty_folder
from service.backup.store import EmptyStore
from service.cli.exit_status import exit_with_status
from service.platform.clock import now_milliseconds
from service.platform.targets import TargetUnavailable, open_target
from service.startup.store_opening import START_SECONDS, open_store
from service.storage.levels import Durability
from service.storage.settings import StoreSettings
from service.verification.signing_keys import SigningKeysUnusable

_WAIT_SECONDS: Final = 3.0
_STOP_SECONDS: Final = 30.0


@click.command()
@click.argument("target")
@click.option("--options", default="", help="Options of the target's file system, as a JSON object.")
@exit_with_status
def backup(target: str, options: str) -> int:
    """Copy the whole installation to a folder or another target while games go on."""
    place = open_target(target, options)
    settings = StoreSettings.from_environment()
    store = open_store(settings, _WAIT_SECONDS)
    try:
        copying = BackingUp(store, settings, place)
        with Console(stderr=True).status("Backing up"):
            manifest = copying.run(now_milliseconds())
    except (BackupUnusable, TargetUnavailable, StoreError, OSError) as error:
        click.echo(f"No backup was made: {error}", err=True)
        return status_of(error, FINDING)
    finally:
        store.close()
    size = sum(file.size for file in manifest.files)
    copied = copying.copied
    click.echo(
        f"Backed up: {copied.games} games, {copied.events} events, {len(manifest.files)} files of {size} bytes, "
        f"in {place.address}"
    )
    if copied.archived:
        click.echo(
            f"{copied.archived} games are archived: their files are in the archive, not in this backup."
        )
    _print_damaged(manifest)
    return FINDING if manifest.damaged else 0


@click.command()
@click.argument("source")
@click.option("--options", default="", help="Options of the source's file system, as a JSON object.")
@exit_with_status
def restore(source: str, options: str) -> int:
    """Restore a backup into an empty store and an empty data folder, and verify the result."""
    place = open_target(source, options)
    settings = StoreSettings.from_environment()
    restoring = None
    try:
        check_empty_folder(settings.data_folder)
        with _empty_store(settings) as empty:
            restoring = Restoring(place, empty, settings.data_folder)
            with Console(stderr=True).status("Restoring"):
                manifest, found = restoring.run(settings.name)
    except PlaceOccupied as error:
        click.echo(f"Nothing was restored: {error}", err=True)
        return WRONG_USE
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
        return status_of(error, FINDING)
    click.echo(
        f"Restored: {found.games} games, {found.events} events; every feed, chain and head is that of the backup."
    )
    if found.archived:
        click.echo(
            f"{found.archived} of the games are archived; their files were not read: run fieldbook archive verify."
        )
    _print_damaged(manifest)
    return 0


def _print_damaged(manifest: Manifest) -> None:
    for game, reason in manifest.damaged.items():
        click.echo(f"Game {game} is inconsistent, and was copied as it is: {reason}", err=True)


@contextmanager
def _empty_store(settings: StoreSettings) -> Iterator[EmptyStore]:
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
        with closing(_connect(settings)) as store:
            yield store
    finally:
        if process is not None:
            process.terminate()
            process.wait(_STOP_SECONDS)


def _connect(settings: StoreSettings) -> EmptyStore:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            store = EmptyStore.open(settings)
            # A server that still loads its file says so here.
            store.is_empty()
        except StoreUnavailable:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.1)
        else:
            return store
