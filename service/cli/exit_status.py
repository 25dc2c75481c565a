"""How a subcommand ends: 0 fine, 1 a finding, 2 wrong use or a store that cannot be used."""

import sys
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from typing import Final, ParamSpec, TypeVar

import click

from events.store.errors import StoreError
from replay.platform.exit_status import WRONG_USE
from service.platform.configuration import BadSetting
from service.platform.targets import BadTarget
from service.startup.store_opening import open_store
from service.storage.store import Store
from service.verification.signing_keys import SigningKeysUnusable

_Answer = TypeVar("_Answer")
_Options = ParamSpec("_Options")
_WAIT_SECONDS: Final = 5.0
"""Seconds that a command waits for a store that has just been started."""


def exit_with_status(run: Callable[_Options, int]) -> Callable[_Options, None]:
    """Have a subcommand end with the status that it returns; with 2 and the reason where it could not begin."""

    @wraps(run)
    def run_and_exit(*arguments: _Options.args, **options: _Options.kwargs) -> None:
        try:
            status = run(*arguments, **options)
        except (StoreError, BadTarget, SigningKeysUnusable, ValueError) as error:
            click.echo(error, err=True)
            status = WRONG_USE
        sys.exit(status)

    return run_and_exit


def query_store(query: Callable[[Store], _Answer]) -> _Answer:
    """Run a query on the configured store; ends the program with status 2 where there is none."""
    try:
        with closing(open_store(wait_seconds=_WAIT_SECONDS)) as store:
            return query(store)
    except (StoreError, BadSetting) as error:
        click.echo(error, err=True)
        sys.exit(WRONG_USE)
