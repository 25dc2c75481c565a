"""What the answers of several resources are made of."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from flask import Response

from events.commands import Command
from events.disclosure import Form as DisclosedForm
from events.disclosure import form_for
from events.recorded import RecordedEvent
from events.rules.forms import Form


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer."""
    response = Response(msgspec.json.encode(value), status=status, content_type="application/json")
    response.headers.update(headers or {})
    return response


def etag(version: int, chain_hash: str) -> str:
    """The entity tag of a game at a version: it tells a history that forked from one that went on."""
    return f'"{version}-{chain_hash[:8]}"'


def headers_for(version: int, chain_hash: str, *, duplicate: bool = False) -> dict[str, str]:
    """The headers that say where a game stands, and whether this is the answer to an earlier request."""
    replayed = {"Idempotent-Replayed": "true"} if duplicate else {}
    return {"ETag": etag(version, chain_hash), **replayed}


def listed(commands: Iterable[Command | Form]) -> list[dict[str, Any]]:
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
