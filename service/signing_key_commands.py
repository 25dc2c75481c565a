"""`fieldbook signing-key`: the key with which heads of games and of the log are signed."""

import sys
from collections.abc import Callable

import click

from service.signing_keys import SigningKeys, SigningKeysUnusable, open_signing_keys
from service.store_settings import StoreSettings


@click.group("signing-key")
def signing_key() -> None:
    """The key with which heads of games and of the log are signed."""


@signing_key.command()
def show() -> None:
    """Print the key in use, as it is published and as `replay verify --key` takes it."""
    _with_signing_keys(lambda keys: str(keys.current))


@signing_key.command()
def rotate() -> None:
    """Replace the key in use by a new one, which the old one endorses; the old one signs no more."""
    _with_signing_keys(lambda keys: keys.rotate().key)


def _with_signing_keys(ask: Callable[[SigningKeys], str]) -> None:
    try:
        click.echo(ask(open_signing_keys(StoreSettings.from_environment())))
    except SigningKeysUnusable as error:
        click.echo(error, err=True)
        sys.exit(2)
