"""How a subcommand ends: 0 fine, 1 a finding, 2 wrong use or a store that cannot be used."""

import sys
from collections.abc import Callable
from contextlib import closing
from typing import Final, TypeVar

import click

from events.store.errors import StoreError
from service.platform.targets import BadTarget
from service.startup.store_opening import open_store
from service.storage.store import Store
from service.verification.signing_keys import SigningKeysUnusable

FINDING: Final = 1
WRONG_USE: Final = 2
_Answer = TypeVar("_Answer")


def exit_with(run: Callable[[], int]) -> None:
    """End with the status that `run` returns; with status 2 and the reason where it could not begin."""
    try:
        status = run()
    except (StoreError, BadTarget, SigningKeysUnusable, ValueError) as error:
        click.echo(error, err=True)
        status = WRONG_USE
    sys.exit(status)


def query_store(query: Callable[[Store], _Answer]) -> _Answer:
    """Run a query on the configured store; ends the program with status 2 where there is none."""
    try:
        with closing(open_store()) as store:
            return query(store)
    except StoreError as error:
        click.echo(error, err=True)
        sys.exit(WRONG_USE)
