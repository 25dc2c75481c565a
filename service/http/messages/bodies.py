"""What the answers of several resources are made of."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from flask import Response

from events.commands import Command
from events.game.table import Table
from events.log.disclosure import PUBLIC, form_for
from events.log.disclosure import Form as DisclosedForm
from events.log.recorded import RecordedEvent
from events.rules.definition.forms import Form
from events.rules.legal import legal_commands
from service.http.messages.caching import representation_tag
from service.play.absence import is_open
from service.play.budgets import is_within_budget


def json_response(
    value: Any, status: int = 200, headers: Mapping[str, str] | None = None, *, is_known: bool = False
) -> Response:
    """A JSON answer; one that `is_known` was given to an earlier request with the same Idempotency-Key."""
    response = Response(msgspec.json.encode(value), status=status, content_type="application/json")
    response.headers.update(headers or {})
    if is_known:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def headers_for(version: int, chain_hash: str, viewer: int = PUBLIC) -> dict[str, str]:
    """The headers that say where a game stands, as who sees it."""
    return {"ETag": representation_tag(version, chain_hash, viewer)}


def legal_now(table: Table, seat: int) -> list[Command | Form]:
    """What a seat may send to a game now; to which versions it can go back `GET .../take-backs` lists."""
    legal = legal_commands(table.rules, table.state, seat, earlier=None)
    listed = (each for each in legal if is_open(table, seat, each))
    return [each for each in listed if is_within_budget(table, seat, each)]


def legal_bodies(table: Table, seat: int) -> list[dict[str, Any]]:
    """The same as JSON."""
    return list_commands(legal_now(table, seat))


def list_commands(commands: Iterable[Command | Form]) -> list[dict[str, Any]]:
    """Legal commands as JSON: ready to send, or `{"type", "form"}` where a form is to be filled in."""
    shown = []
    for each in commands:
        fields: dict[str, Any] = msgspec.to_builtins(each)
        if isinstance(each, Command):
            shown.append(fields)
        else:
            shown.append({"type": fields.pop("type"), "form": fields})
    return shown


def forms(entries: Iterable[RecordedEvent], key: bytes, viewer: int) -> list[DisclosedForm]:
    """Log entries as a viewer may see them."""
    return [form_for(entry, key, viewer) for entry in entries]
