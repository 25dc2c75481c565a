"""`fieldbook keys` and `fieldbook operator-acts`: keys from the command line, for whoever can reach the store."""

import json
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import click
from rich.console import Console
from rich.table import Table

from events.redis_store import RedisEventStore
from events.store_errors import StoreError
from replay.safe_text import safe
from service.archive_settings import age_in_seconds
from service.clock import now_milliseconds
from service.keys import INTEGRATOR, KINDS, LONGEST_NAME, SCOPES, Key, Keys, NewKey
from service.operator_acts import COMMAND_LINE, Act, OperatorActs, record_act
from service.store_opening import open_store

FINDING: Final = 1
WRONG_USE: Final = 2
_Answer = TypeVar("_Answer")
_WIDE: Final = 180
"""Columns of text where nobody says how wide the terminal is."""
_COPIED: Final = {"id", "who", "about"}
"""Columns whose cells are copied into other commands, and so stay on one line."""
as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""The option of every command that lists something."""


@click.group()
def keys() -> None:
    """Make, list and revoke the keys with which programs use the API.

    Exit status: 0 fine, 1 no such key, 2 wrong use or no store.
    """


@keys.command()
@click.argument("name")
@click.option(
    "--kind", type=click.Choice(KINDS), default=INTEGRATOR, show_default=True, help="Whose key it is."
)
@click.option(
    "--scope", "scopes", type=click.Choice(SCOPES), multiple=True, help="What it allows; repeatable."
)
@click.option("--expires", default=None, help="When it ends by itself, such as 30d or 12h from now.")
@as_json_option
def create(*, name: str, kind: str, scopes: tuple[str, ...], expires: str | None, as_json: bool) -> None:
    """Make a key and print its token, which cannot be shown again."""
    if not (name.isprintable() and 1 <= len(name) <= LONGEST_NAME):
        raise click.UsageError(f"A name has 1 to {LONGEST_NAME} printable characters.")
    if (kind == INTEGRATOR) != bool(scopes):
        raise click.UsageError("An integrator's key names its scopes (--scope); an operator's has none.")
    now = now_milliseconds()
    ends = None if expires is None else now + _milliseconds(expires)
    wanted = NewKey(name=name, kind=kind, scopes=tuple(dict.fromkeys(scopes)), expires=ends)

    def made(store: RedisEventStore) -> dict[str, Any]:
        found, request = Keys(store), secrets.token_hex(16)
        key_id = found.id_for(COMMAND_LINE, request)
        record_act(store, "key_created", key_id, " ".join([kind, *wanted.scopes]))
        token, key, _ = found.issue(wanted, at=now, by=COMMAND_LINE, request=request)
        return {**key.described(None), "token": token}

    key = on_store(made)
    click.echo(
        json.dumps(key, indent=2)
        if as_json
        else f"{key['token']}\n{key['id']}: keep the token, it is shown once."
    )


@keys.command("list")
@as_json_option
def list_keys(*, as_json: bool) -> None:
    """List all keys, newest first, revoked and expired ones too."""
    found = on_store(lambda store: _described(Keys(store), Keys(store).all()))
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        print_table(
            ("id", "name", "kind", "scopes", "created", "last used", "ends"), [_row(each) for each in found]
        )


@keys.command()
@click.argument("key")
@as_json_option
def show(*, key: str, as_json: bool) -> None:
    """Show one key, by its id."""
    found = on_store(lambda store: _described(Keys(store), [_known(Keys(store), key)]))[0]
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        print_table(("id", "name", "kind", "scopes", "created", "last used", "ends"), [_row(found)])


@keys.command()
@click.argument("key")
@as_json_option
def revoke(*, key: str, as_json: bool) -> None:
    """Revoke a key by its id: it is refused from now on, in every process."""

    def revoked(store: RedisEventStore) -> dict[str, Any]:
        found = Keys(store)
        known = _known(found, key)
        if known.revoked is None:
            record_act(store, "key_revoked", known.id)
        return _described(found, [found.revoke(known, now_milliseconds())])[0]

    answer = on_store(revoked)
    click.echo(json.dumps(answer, indent=2) if as_json else f"{answer['id']} is revoked.")


@click.command("operator-acts")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many at most."
)
@as_json_option
def operator_acts(*, limit: int, as_json: bool) -> None:
    """List what was done with keys that may do what others may not, newest first."""
    acts = on_store(lambda store: OperatorActs(store).page(limit)[0])
    if as_json:
        rows = [{"id": each.id, **_fields(each.act)} for each in acts]
        click.echo(json.dumps(rows, indent=2))
    else:
        rows = [{**_fields(each.act), "at": time_of(each.act.at)} for each in acts]
        names = ("at", "who", "what", "about", "detail", "request")
        print_table(names, [[row[name] for name in names] for row in rows])


def _fields(act: Act) -> dict[str, Any]:
    return {name: getattr(act, name) for name in act.__struct_fields__}


def on_store(ask: Callable[[RedisEventStore], _Answer]) -> _Answer:
    """Ask something of the store; ends with status 2 where there is none."""
    try:
        store = open_store()
        try:
            return ask(store)
        finally:
            store.close()
    except StoreError as error:
        click.echo(error, err=True)
        sys.exit(WRONG_USE)


def _known(found: Keys, key_id: str) -> Key:
    key = found.get(key_id)
    if key is None:
        click.echo(f"There is no key {safe(key_id, 60)}.", err=True)
        sys.exit(FINDING)
    return key


def _described(found: Keys, listed: Sequence[Key]) -> list[dict[str, Any]]:
    last_used = found.last_used([each.id for each in listed])
    return [each.described(used) for each, used in zip(listed, last_used, strict=True)]


def _row(key: Mapping[str, Any]) -> list[str]:
    ends = "revoked " + time_of(key["revoked"]) if key["revoked"] is not None else time_of(key["expires"])
    scopes = "all" if key["kind"] != INTEGRATOR else " ".join(key["scopes"])
    return [
        key["id"],
        key["name"],
        key["kind"],
        scopes,
        time_of(key["created"]),
        time_of(key["last_used"]),
        ends,
    ]


def print_table(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows for people."""
    table = Table()
    for name in names:
        table.add_column(name, no_wrap=name in _COPIED, overflow="fold")
    for row in rows:
        table.add_row(*(safe(each, 80) for each in row))
    console = Console()
    console.print(table, width=None if console.is_terminal else _WIDE, crop=console.is_terminal)


def time_of(milliseconds: int | None) -> str:
    """A time for people."""
    if milliseconds is None:
        return "never"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def _milliseconds(text: str) -> int:
    try:
        return age_in_seconds(text) * 1000
    except ValueError as error:
        raise click.UsageError(f"--expires: {error}.") from error
