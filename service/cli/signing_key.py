"""`fieldbook signing-key`: the key with which heads of games and of the log are signed."""

import click

from replay.commands.shared.written import say_written
from service.cli.exit_status import exit_with_status
from service.storage.settings import StoreSettings
from service.verification.signing_keys import FILE, SigningKeys, open_signing_keys


@click.group("signing-key")
def signing_key() -> None:
    """Show or rotate the key that signs the heads of games and of the log."""


@signing_key.command()
@exit_with_status
def show() -> int:
    """Print the current key as it is published, in the form that `replay verify --key` takes."""
    click.echo(_open().current)
    return 0


@signing_key.command()
@exit_with_status
def rotate() -> int:
    """Replace the current key by a new one that the old key endorses; the old key signs nothing more."""
    click.echo(_open().rotate().key)
    return 0


def _open() -> SigningKeys:
    """The keys of the installation here; where there was none yet, it is said which file one was made in."""
    settings = StoreSettings.from_environment()
    file = settings.data_folder / FILE
    was_there = file.exists()
    keys = open_signing_keys(settings)
    if not was_there:
        say_written(file, "No key was here; a new one is in")
    return keys
