"""`fieldbook keys` and `fieldbook operator-acts`: for operators who can reach the store."""

import re
import secrets
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import click
from msgspec.structs import asdict

from events.rules.definition.names import check_name
from events.rules.errors import BadName
from replay.platform.exit_status import FINDING
from replay.platform.number_options import WholeRange
from replay.platform.safe_text import safe
from service.access.audit_log import COMMAND_LINE
from service.access.keys import INTEGRATOR, KINDS, LONGEST_NAME, SCOPES, Key, NewKey
from service.access.store import AuditLog, Keys, record_act
from service.cli.exit_status import query_store
from service.cli.output import format_time, json_option, print_json, print_table
from service.platform.clock import now_milliseconds
from service.platform.setting_kinds import age_in_seconds
from service.players.ids import NAMESPACE
from service.storage.store import Store

_COLUMNS: Final = ("id", "name", "kind", "scopes", "created", "last used", "ends")


@click.group()
def keys() -> None:
    """Create, list and revoke the keys with which programs use the API.

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
@click.option(
    "--players",
    metavar="NAMESPACE",
    default="",
    help="The namespace of the players that it names, such as acme; keys may share one. Without it one of its own.",
)
@click.option("--expires", default=None, help="When it expires, such as 30d or 12h from now.")
@json_option
def create(
    *, name: str, kind: str, scopes: tuple[str, ...], players: str, expires: str | None, as_json: bool
) -> None:
    """Create a key and print its token, which cannot be shown again."""
    try:
        check_name(name, longest=LONGEST_NAME)
    except BadName as refused:
        raise click.UsageError(str(refused)) from refused
    if (kind == INTEGRATOR) != bool(scopes):
        raise click.UsageError("An integrator's key names its scopes (--scope); an operator's has none.")
    if players and re.fullmatch(NAMESPACE, players) is None:
        raise click.UsageError("A namespace of players has 1 to 24 small letters, digits and hyphens.")
    now = now_milliseconds()
    ends = None if expires is None else now + _milliseconds(expires)
    wanted = NewKey(name=name, kind=kind, scopes=tuple(dict.fromkeys(scopes)), expires=ends, players=players)

    def issue(store: Store) -> dict[str, Any]:
        found, request = Keys(store), secrets.token_hex(16)
        key_id = found.id_for(COMMAND_LINE, request)
        record_act(store, "key_created", key_id, " ".join([kind, *wanted.scopes]))
        token, key, _ = found.issue(wanted, at=now, by=COMMAND_LINE, request=request)
        return {**key.describe(None), "token": token}

    key = query_store(issue)
    if as_json:
        print_json(key)
    else:
        click.echo(f"{key['token']}\n{key['id']}: keep the token, it is shown only once.")


@keys.command("list")
@json_option
def list_keys(*, as_json: bool) -> None:
    """List all keys, newest first, revoked and expired ones too."""
    found = query_store(lambda store: _describe(Keys(store), Keys(store).all()))
    if as_json:
        print_json(found)
    else:
        print_table(_COLUMNS, [_row(each) for each in found])


@keys.command()
@click.argument("key")
@json_option
def show(*, key: str, as_json: bool) -> None:
    """Show one key, by its id."""
    found = query_store(lambda store: _describe(Keys(store), [_find_key(Keys(store), key)]))[0]
    if as_json:
        print_json(found)
    else:
        print_table(_COLUMNS, [_row(found)])


@keys.command()
@click.argument("key")
@json_option
def revoke(*, key: str, as_json: bool) -> None:
    """Revoke a key by its id: from now on every process refuses it."""

    def revoke_known(store: Store) -> dict[str, Any]:
        found = Keys(store)
        known = _find_key(found, key)
        if known.revoked is None:
            record_act(store, "key_revoked", known.id)
        return _describe(found, [found.revoke(known, now_milliseconds())])[0]

    answer = query_store(revoke_known)
    if as_json:
        print_json(answer)
    else:
        click.echo(f"{answer['id']} is revoked.")


@click.command("operator-acts")
@click.option("--limit", type=WholeRange(1, 100_000), default=50, show_default=True, help="How many at most.")
@json_option
def operator_acts(*, limit: int, as_json: bool) -> None:
    """List the audit log of privileged acts, newest first."""
    acts = query_store(lambda store: AuditLog(store).page(limit)[0])
    if as_json:
        rows = [{"id": each.id, **asdict(each.act)} for each in acts]
        print_json(rows)
    else:
        rows = [{**asdict(each.act), "at": format_time(each.act.at)} for each in acts]
        names = ("at", "who", "what", "about", "detail", "request")
        print_table(names, [[row[name] for name in names] for row in rows])


def _find_key(found: Keys, key_id: str) -> Key:
    key = found.get(key_id)
    if key is None:
        click.echo(f"There is no key {safe(key_id, 60)}.", err=True)
        sys.exit(FINDING)
    return key


def _describe(found: Keys, listed: Sequence[Key]) -> list[dict[str, Any]]:
    last_used = found.last_used([each.id for each in listed])
    return [each.describe(used) for each, used in zip(listed, last_used, strict=True)]


def _row(key: Mapping[str, Any]) -> list[str]:
    ends = (
        "revoked " + format_time(key["revoked"])
        if key["revoked"] is not None
        else format_time(key["expires"])
    )
    scopes = "all" if key["kind"] != INTEGRATOR else " ".join(key["scopes"])
    return [
        key["id"],
        key["name"],
        key["kind"],
        scopes,
        format_time(key["created"]),
        format_time(key["last_used"]),
        ends,
    ]


def _milliseconds(text: str) -> int:
    try:
        return age_in_seconds(text) * 1000
    except ValueError as error:
        raise click.UsageError(f"--expires: {error}.") from error
