"""Domain events and commands to JSON and back. Unknown types, schema versions and fields are hard errors.

The type is kept beside the data, not in it: stored data begins with the first field.
"""

from types import UnionType
from typing import Any, get_args

import msgspec

from events.commands import SEAT_COMMANDS, AnyCommand, Command
from events.domain_events import AnyEvent, DomainEvent
from events.recorded import RecordedEvent


class UndecodableEvent(Exception):
    """A stored event or command is of no known type, schema version or shape."""


def _tag(struct: type[msgspec.Struct]) -> str:
    return str(struct.__struct_config__.tag)


def _by_tag(union: UnionType) -> dict[str, type[Any]]:
    return {_tag(struct): struct for struct in get_args(union)}


EVENT_TYPES: dict[str, type[DomainEvent]] = _by_tag(AnyEvent)
COMMAND_TYPES: dict[str, type[Command]] = _by_tag(AnyCommand)
SEAT_COMMAND_TYPES: dict[str, type[Command]] = _by_tag(SEAT_COMMANDS)

_encoder = msgspec.json.Encoder()
_events = {tag: msgspec.json.Decoder(struct) for tag, struct in EVENT_TYPES.items()}
_command = msgspec.json.Decoder(AnyCommand)


def event_type(event: DomainEvent) -> str:
    """The event's type in snake_case."""
    return _tag(type(event))


def encode_event(event: DomainEvent) -> bytes:
    """The event's fields as a compact JSON object.

    >>> from events.domain_events import PhaseBegan
    >>> encode_event(PhaseBegan("trade"))
    b'{"phase":"trade"}'
    """
    encoded = _encoder.encode(event)
    start = len('{"type":"",') + len(event_type(event))
    return b"{" + encoded[start:] if len(encoded) > start else b"{}"


def decode_event(recorded: RecordedEvent) -> DomainEvent:
    """The domain event that an entry holds.

    Raises:
        UndecodableEvent: it cannot be read.
    """
    struct = EVENT_TYPES.get(recorded.type)
    if struct is None or struct.schema != recorded.schema:
        raise UndecodableEvent(f"no event type {recorded.type!r} in schema version {recorded.schema}")
    try:
        return _events[recorded.type].decode(recorded.data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UndecodableEvent(f"{recorded.type}: {error}") from error


def encode_command(command: Command) -> bytes:
    """The command as a compact JSON object, its type first."""
    return _encoder.encode(command)


def decode_command(data: bytes) -> Command:
    """A command of any actor.

    Raises:
        UndecodableEvent: it cannot be read.
    """
    try:
        command: Command = _command.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UndecodableEvent(f"command: {error}") from error
    return command
