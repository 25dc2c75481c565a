"""One schema per event type and per recorded command, made from their definitions so that the two cannot drift.

These describe what stands in the log as a viewer has it: a value that the viewer may not see is a commitment.
"""

import re
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from events.commands import Command
from events.domain_events import DomainEvent
from events.log.codec import COMMAND_TYPES, EVENT_TYPES, SEAT_COMMAND_TYPES
from service.http.schemas.shapes import COMPONENTS, HASH, PLAIN, Schema, refer

COMMITMENT: Final[Schema] = {
    "type": "object",
    "description": "Stands for a value that the viewer may not see: SHA-256 over its salt and the value.",
    "properties": {"commitment": HASH},
    "required": ["commitment"],
    "additionalProperties": False,
}
ENTRY: Final[Schema] = {
    "type": "object",
    "description": "What every entry of the log has, besides the data of its event.",
    "properties": {
        "version": {"type": "integer", "minimum": 1, "description": "Its place in the game's log."},
        "type": {"type": "string"},
        "schema": {
            "type": "integer",
            "description": "Version of the shape of `data`: 1 where an event names no other.",
        },
        "at": {"type": "integer", "description": "When it was recorded, in milliseconds since 1970 (UTC)."},
        "actor": {"type": "string", "pattern": "^(host|dealer|arbiter|clock|seat:[0-9])$"},
        "data": {},
        "state": {**HASH, "description": "Salted hash of the state of the table after it."},
        "command": refer("RecordedCommand"),
    },
    "required": ["version", "type", "schema", "at", "actor", "data", "state"],
}
_COMMITMENT: Final[Schema] = refer("Commitment")


def schemas_of_the_log() -> dict[str, Schema]:
    """All schemas by name; `LogEntry` and `RecordedCommand` choose among the others by their type."""
    entries = {name: _entry(name, struct) for name, struct in EVENT_TYPES.items()}
    commands = {
        name: _command(name, struct)
        for name, struct in COMMAND_TYPES.items()
        if name not in SEAT_COMMAND_TYPES or struct.private
    }
    return {
        "Commitment": COMMITMENT,
        "Entry": ENTRY,
        "LogEntry": _choice("An entry of the log, by the type of its event.", entry_names()),
        "RecordedCommand": _choice(
            "The command that brought an entry about, with the first entry of its step. What a seat sends is"
            " described where it is sent.",
            command_names(),
        ),
        **{entry_names()[name]: schema for name, schema in entries.items()},
        **{command_names()[name]: schema for name, schema in commands.items()},
    }


def entry_names() -> dict[str, str]:
    """The name of the schema of an entry, by the type of its event."""
    return {name: f"{struct.__name__}Entry" for name, struct in EVENT_TYPES.items()}


def command_names() -> dict[str, str]:
    """Return the name of the schema of each recorded command: that of the request where nothing is hidden."""
    return {
        name: f"{struct.__name__}Command"
        if name in SEAT_COMMAND_TYPES and not struct.private
        else f"Recorded{struct.__name__}"
        for name, struct in COMMAND_TYPES.items()
    }


def _choice(description: str, names: dict[str, str]) -> Schema:
    references = {type_name: f"{COMPONENTS}{name}" for type_name, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": reference} for reference in references.values()],
        "discriminator": {"propertyName": "type", "mapping": references},
    }


def _entry(name: str, struct: type[DomainEvent]) -> Schema:
    members = {"type": {"enum": [name]}, "data": _data(struct, struct.private, hides_items=True)}
    if struct.schema > 1:
        members["schema"] = {"enum": [struct.schema]}
    return {
        "description": _sentence(struct),
        "allOf": [refer("Entry")],
        "properties": members,
        "unevaluatedProperties": False,
    }


def _command(name: str, struct: type[Command]) -> Schema:
    schema = _data(struct, struct.private, hides_items=False)
    schema["properties"] = {"type": {"type": "string", "enum": [name]}, **schema["properties"]}
    if struct.schema > 1:
        schema["properties"]["schema"] = {"type": "integer", "enum": [struct.schema]}
    schema["required"] = ["type", *schema.get("required", [])]
    return schema if name in SEAT_COMMAND_TYPES else {"description": _sentence(struct), **schema}


def _data(struct: type[msgspec.Struct], private: dict[str, str], *, hides_items: bool) -> Schema:
    """The members of a struct; of a private list each item is hidden by itself, or the list as one value."""
    hints = get_type_hints(struct)
    members: dict[str, Schema] = {}
    for each in msgspec.structs.fields(struct):
        hint = hints[each.name]
        members[each.name] = _of(hint, hidden=each.name in private and hides_items)
        if each.name in private and not (hides_items and get_origin(hint) is tuple):
            members[each.name] = {"oneOf": [_of(hint), _COMMITMENT]}
    required = [each.name for each in msgspec.structs.fields(struct) if each.required]
    schema: Schema = {"type": "object", "properties": members, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def _of(hint: Any, *, hidden: bool = False) -> Schema:
    """The schema of a type annotation; with `hidden` the items of a list may be commitments."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType and arguments[0] not in PLAIN:
        return {"oneOf": [_of(arguments[0]), {"type": "null"}]}
    if origin is UnionType:
        return {"type": [PLAIN[each] for each in arguments]}
    if origin is tuple:
        item = _of(arguments[0])
        return {"type": "array", "items": {"oneOf": [item, _COMMITMENT]} if hidden else item}
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(arguments[1])}
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _data(hint, {}, hides_items=False)
    return {"type": PLAIN[hint]}


def _sentence(struct: type[msgspec.Struct]) -> str:
    return re.sub(r"\s+", " ", struct.__doc__ or "").strip()
