"""Older shapes of events and commands, and how each becomes the next: so that whatever was ever written can be read.

A shape is named by a type and a schema version, counted from 1. When the shape of a type changes, its class gets the
next `schema`, and the old shape a line in the table below, with a pure function from its JSON members to those of the
schema after it. Reading goes through all of them, one schema at a time, in one place: `events.log.codec`.

An upcaster works on JSON values, and a private one may be a commitment (`{"commitment": ...}`) in whoever's view: it
may rename, add and drop members, but never look into a private value, nor move one to another name or place, because
that path is part of its salt. What it yields is what would be written today, so a default value is left out. Chain,
salts and commitments are over what was written and never over what an upcaster made of it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

Members = dict[str, Any]
"""The members of an event's or a command's JSON object, without its type."""


class OlderShape(msgspec.Struct, frozen=True):
    """A shape that is read and not written any more."""

    upcast: Callable[[Members], Members]
    """From its members to those of the next schema version; it gets a copy of its own."""
    private: Mapping[str, str] = MappingProxyType({})
    """Its private fields, as the class had them: what it hid stays hidden."""


OlderShapes = dict[tuple[str, int], OlderShape]
"""Older shapes by type and schema version."""
OLDER_EVENTS: Final[OlderShapes] = {}
"""No event has changed its shape yet."""
OLDER_COMMANDS: Final[OlderShapes] = {}
"""No command has changed its shape yet."""


class UndecodableEvent(Exception):
    """A stored event or command is of no type, schema version or shape known here; the message says which."""


class NewerSchema(UndecodableEvent):
    """It is of a schema version that a newer release wrote: nothing is wrong with it, it only cannot be read here."""


def check_known(older: OlderShapes, name: str, schema: object, newest: int) -> None:
    """Refuse a schema version that cannot be read here.

    Raises:
        NewerSchema: it is newer than the newest that is written here.
        UndecodableEvent: there never was such a version.
    """
    if type(schema) is int and (schema == newest or (schema < newest and (name, schema) in older)):
        return
    readable = [each for each in range(newest) if (name, each) in older] + [newest]
    reason = f"{name} is of schema version {schema!r}, and {', '.join(map(str, readable))} can be read here"
    if type(schema) is int and schema > newest:
        raise NewerSchema(f"{reason}; a newer release of Fieldbook wrote it and can read it")
    raise UndecodableEvent(reason)


def upcast(older: OlderShapes, name: str, schema: int, newest: int, members: Members) -> Members:
    """The members in the shape of the newest schema version; `schema` has passed `check_known`.

    Raises:
        UndecodableEvent: they do not have the shape that they claim.
    """
    for version in range(schema, newest):
        try:
            members = older[name, version].upcast(dict(members))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            reason = f"{name} does not have the shape of schema version {version}: {error!r}"
            raise UndecodableEvent(reason) from error
    return members
