"""`fieldbook signing-key`: the key with which heads of games and of the log are signed."""

import click

from service.cli.exit_status import exit_with_status
from service.storage.settings import StoreSettings
from service.verification.signing_keys import open_signing_keys


@click.group("signing-key")
def signing_key() -> None:
    """Show or rotate the key that signs the heads of games and of the log."""


@signing_key.command()
@exit_with_status
def show() -> int:
    """Print the current key as it is published, in the form that `replay verify --key` takes."""
    click.echo(open_signing_keys(StoreSettings.from_environment()).current)
    return 0


@signing_key.command()
@exit_with_status
def rotate() -> int:
    """Replace the current key by a new one that the old key endorses; the old key signs nothing more."""
    click.echo(open_signing_keys(StoreSettings.from_environment()).rotate().key)
    return 0
