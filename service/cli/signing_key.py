"""`fieldbook signing-key`: the key with which heads of games and of the log are signed."""

import sys
from collections.abc import Callable

import click

from service.storage.settings import StoreSettings
from service.verification.signing_keys import SigningKeys, SigningKeysUnusable, open_signing_keys


@click.group("signing-key")
def signing_key() -> None:
    """Show or rotate the key that signs the heads of games and of the log."""


@signing_key.command()
def show() -> None:
    """Print the current key as it is published, in the form that `replay verify --key` takes."""
    _with_signing_keys(lambda keys: str(keys.current))


@signing_key.command()
def rotate() -> None:
    """Replace the current key by a new one that the old key endorses; the old key signs nothing more."""
    _with_signing_keys(lambda keys: keys.rotate().key)


def _with_signing_keys(ask: Callable[[SigningKeys], str]) -> None:
    try:
        click.echo(ask(open_signing_keys(StoreSettings.from_environment())))
    except SigningKeysUnusable as error:
        click.echo(error, err=True)
        sys.exit(2)
