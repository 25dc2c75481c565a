"""Reading filtered entries: a viewer's form of an event as a domain event that can be folded; and commands.

What the viewer may not see becomes UNKNOWN_CARD, UNKNOWN_NUMBER or an empty string, and `evolve` folds it.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

import msgspec

from events.commands import Command
from events.domain_events import UNKNOWN_CARD, UNKNOWN_NUMBER, DomainEvent
from events.log.codec import (
    EVENT_TYPES,
    command_members,
    command_struct,
    event_members,
    event_struct,
    event_type,
)
from events.log.upcasting import UndecodableEvent


def _stand_in(struct: type[DomainEvent], name: str) -> Any:
    hint = get_type_hints(struct)[name]
    if hint is str:
        return ""
    return UNKNOWN_NUMBER if hint is int or int in get_args(hint) else UNKNOWN_CARD


_EMPTY: Mapping[Any, Any] = defaultdict(tuple, {str: "", int: UNKNOWN_NUMBER})
"""What stands for a hidden field of a command, by its type; lists are empty."""
_STAND_INS = {
    tag: {name: _stand_in(struct, name) for name in struct.private}
    for tag, struct in EVENT_TYPES.items()
    if struct.private
}


def event_in(entry: dict[str, Any]) -> DomainEvent:
    """The domain event in an entry as any viewer has it, whatever schema version it was written in.

    Raises:
        UndecodableEvent: it cannot be read.
    """
    struct = event_struct(entry.get("type"), entry.get("schema"))
    filled = data_in(entry)
    stand_ins = _STAND_INS.get(entry["type"])
    if stand_ins:
        filled = dict(filled)
        for name, stand_in in stand_ins.items():
            if name in filled:
                filled[name] = _fill(filled[name], stand_in)
    try:
        return msgspec.convert(filled, struct)
    except msgspec.ValidationError as error:
        raise UndecodableEvent(f"{entry['type']}: {error}") from error


def close_event(event: DomainEvent) -> DomainEvent:
    """The event as everybody has it who may see nothing private in it; the very same where nothing in it is private.

    >>> from events.domain_events import CardsDrawn
    >>> close_event(CardsDrawn(seat=2, cards=("blue", "red"))).cards
    ('?', '?')
    """
    closed: dict[str, Any] = {}
    for name in event.private:
        value, stand_in = getattr(event, name), _STAND_INS[event_type(event)][name]
        shown = (stand_in,) * len(value) if isinstance(value, tuple) else stand_in
        if value is not None and value != shown:
            closed[name] = shown
    return msgspec.structs.replace(event, **closed) if closed else event


def data_in(entry: dict[str, Any]) -> dict[str, Any]:
    """The data of an entry in the newest shape; hidden values stay commitments, at the paths they were written at.

    Raises:
        UndecodableEvent: they are of no shape that is known.
    """
    written = entry.get("data")
    if not isinstance(written, dict):
        raise UndecodableEvent(f"{entry.get('type')}: data is no object")
    return event_members(entry["type"], entry["schema"], written)


def command_in(entry: dict[str, Any]) -> Command | None:
    """The command in an entry as any viewer has it, None where the entry has none; hidden fields are empty.

    Raises:
        UndecodableEvent: it cannot be read.
    """
    written = entry.get("command")
    if written is None:
        return None
    if not isinstance(written, dict):
        raise UndecodableEvent(f"{entry.get('type')}: the command is no object")
    struct, filled = command_struct(written), command_members(written)
    hidden = [name for name in struct.private if isinstance(filled.get(name), dict)]
    if hidden:
        filled = filled | {name: _EMPTY[_hints(struct)[name]] for name in hidden}
    try:
        return msgspec.convert(filled, struct)
    except msgspec.ValidationError as error:
        raise UndecodableEvent(f"command {filled['type']}: {error}") from error


@cache
def _hints(struct: type[Command]) -> dict[str, Any]:
    return get_type_hints(struct)


def _fill(value: Any, stand_in: Any) -> Any:
    if isinstance(value, list):
        return [_fill(item, stand_in) for item in value]
    return stand_in if isinstance(value, dict) else value
