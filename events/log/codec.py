"""Domain events and commands to JSON and back. Unknown types, schema versions and fields are hard errors.

The type is kept beside an event's data, not in it: stored data begins with the first field. A command's type is its
first member, and its schema version the second, left out while it is 1. Older shapes are brought up to the newest
here and nowhere else; `events.log.redacted` reads filtered entries through the same functions.
"""

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, get_args

import msgspec

from events.chain.canonical import canonical
from events.commands import SEAT_COMMANDS, AnyCommand, Command
from events.domain_events import AnyEvent, DomainEvent
from events.log.recorded import RecordedEvent
from events.log.upcasting import OLDER_COMMANDS, OLDER_EVENTS, Members, UndecodableEvent, check_known, upcast


@cache
def _type_member(struct: type[msgspec.Struct]) -> tuple[bytes, bytes, int]:
    """The member with the type, the same behind another one, and where what comes after it begins."""
    member = b'"type":"%b"' % _tag(struct).encode()
    return member, b"," + member, len(member) + 2


@cache
def _tag(struct: type[msgspec.Struct]) -> str:
    return str(struct.__struct_config__.tag)


def _by_tag(union: UnionType) -> dict[str, type[Any]]:
    return {_tag(struct): struct for struct in get_args(union)}


EVENT_TYPES: dict[str, type[DomainEvent]] = _by_tag(AnyEvent)
COMMAND_TYPES: dict[str, type[Command]] = _by_tag(AnyCommand)
SEAT_COMMAND_TYPES: dict[str, type[Command]] = _by_tag(SEAT_COMMANDS)

_encode = msgspec.json.Encoder().encode
_events = {tag: msgspec.json.Decoder(struct) for tag, struct in EVENT_TYPES.items()}
_commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(AnyCommand)


def event_type(event: DomainEvent) -> str:
    """The event's type in snake_case."""
    return _tag(type(event))


def encode_event(event: DomainEvent) -> bytes:
    """The event's fields as a compact JSON object.

    >>> from events.domain_events import PhaseBegan
    >>> encode_event(PhaseBegan("trade"))
    b'{"phase":"trade"}'
    """
    encoded, (_, _, start) = _encode(event), _type_member(type(event))
    return b"{" + encoded[start:] if len(encoded) > start else b"{}"


def encode_both_ways(event: DomainEvent) -> tuple[bytes, bytes]:
    """The event's fields as `encode_event` has them, and the same as canonical JSON.

    >>> from events.domain_events import CardsDrawn
    >>> encode_both_ways(CardsDrawn(seat=2, cards=("blue",)))
    (b'{"seat":2,"cards":["blue"]}', b'{"cards":["blue"],"seat":2}')
    """
    encoded, sorted_members = _encode(event), canonical(event)
    member, further, start = _type_member(type(event))
    # The type stands first in the one, and anywhere in the other. No text can hold it: a quotation mark inside one is
    # written with a backslash.
    rest = sorted_members.replace(further, b"", 1)
    if rest is sorted_members:
        rest = sorted_members.replace(member + b",", b"", 1).replace(member, b"", 1)
    return b"{" + encoded[start:] if len(encoded) > start else b"{}", rest


def decode_event(recorded: RecordedEvent) -> DomainEvent:
    """The domain event that an entry holds.

    Raises:
        UndecodableEvent: it cannot be read; the message names version, type and schema version.
    """
    try:
        struct = event_struct(recorded.type, recorded.schema)
        if recorded.schema == struct.schema:
            return _events[recorded.type].decode(recorded.data)
        written = msgspec.json.decode(recorded.data, type=dict[str, Any])
        return msgspec.convert(event_members(recorded.type, recorded.schema, written), struct)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UndecodableEvent(f"version {recorded.version}: {recorded.type}: {error}") from error
    except UndecodableEvent as error:
        raise type(error)(f"version {recorded.version}: {error}") from error


def event_struct(name: object, schema: object) -> type[DomainEvent]:
    """The class of the events of this type, if this schema version of it can be read.

    Raises:
        UndecodableEvent: it cannot.
    """
    struct = EVENT_TYPES.get(name) if isinstance(name, str) else None
    if struct is None:
        raise UndecodableEvent(f"there is no event type {name!r} (schema version {schema!r})")
    if type(schema) is not int or schema != struct.schema:
        check_known(OLDER_EVENTS, _tag(struct), schema, struct.schema)
    return struct


def event_members(name: str, schema: int, written: Members) -> Members:
    """The members of an event's data in the newest shape, from those that were written.

    Raises:
        UndecodableEvent: they are of no shape that is known.
    """
    newest = event_struct(name, schema).schema
    return written if schema == newest else upcast(OLDER_EVENTS, name, schema, newest, written)


def event_private(name: str, schema: int) -> Mapping[str, str]:
    """The private fields of an event as this schema version has them.

    Raises:
        UndecodableEvent: it is not known.
    """
    struct = event_struct(name, schema)
    return struct.private if schema == struct.schema else OLDER_EVENTS[name, schema].private


def encode_command(command: Command) -> bytes:
    """The command as a compact JSON object, its type first."""
    encoded = _encode(command)
    if command.schema == 1:
        return encoded
    rest = len(b'{"type":""') + len(_tag(type(command)))
    return encoded[:rest] + b',"schema":%d' % command.schema + encoded[rest:]


def decode_command(data: bytes) -> Command:
    """A command of any actor.

    Raises:
        UndecodableEvent: it cannot be read.
    """
    try:
        command = _commands.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _command_as_written(data)
    # It names no schema version, and so is of the first: what is of a later shape by now has to be brought up to it.
    return command if command.schema == 1 else _command_as_written(data)


def _command_as_written(data: bytes) -> Command:
    """A command of any schema version.

    Raises:
        UndecodableEvent: it cannot be read.
    """
    try:
        written = msgspec.json.decode(data, type=dict[str, Any])
        return msgspec.convert(command_members(written), command_struct(written))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UndecodableEvent(f"command: {error}") from error


def command_struct(written: Members) -> type[Command]:
    """The class of a command as it stands in an entry, if its schema version can be read.

    Raises:
        UndecodableEvent: it cannot.
    """
    name, schema = written.get("type"), written.get("schema", 1)
    struct = COMMAND_TYPES.get(name) if isinstance(name, str) else None
    if struct is None:
        raise UndecodableEvent(f"there is no command type {name!r} (schema version {schema!r})")
    if "schema" in written and schema == 1:
        raise UndecodableEvent(f"command {name}: schema version 1 is not written out")
    if type(schema) is not int or schema != struct.schema:
        check_known(OLDER_COMMANDS, _tag(struct), schema, struct.schema)
    return struct


def command_members(written: Members) -> Members:
    """A command's members in the newest shape, with its type, from those that were written.

    Raises:
        UndecodableEvent: they are of no shape that is known.
    """
    newest, name = command_struct(written).schema, written["type"]
    if newest == 1 and "schema" not in written:
        return written
    members = {key: value for key, value in written.items() if key not in {"type", "schema"}}
    return {"type": name} | upcast(OLDER_COMMANDS, name, written.get("schema", 1), newest, members)


def command_private(written: Members) -> Mapping[str, str]:
    """The private fields of a command as it stands in an entry.

    Raises:
        UndecodableEvent: its type or schema version is not known.
    """
    struct, schema = command_struct(written), written.get("schema", 1)
    return struct.private if schema == struct.schema else OLDER_COMMANDS[written["type"], schema].private
