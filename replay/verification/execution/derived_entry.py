"""Writing an entry anew from what it must say: the line of a record of the scope `all`, to the last byte.

Its line and its public form are put together from the same few pieces of JSON, and of what is private in it only
those pieces are written twice in which it stands.
"""

from collections.abc import Mapping
from typing import Any, Final, get_origin

import msgspec

from events.chain.canonical import canonical
from events.chain.commitments import commit, commit_bytes, salt
from events.chain.hash_chain import link_bytes
from events.commands import Command
from events.domain_events import DomainEvent
from events.log.codec import COMMAND_TYPES, EVENT_TYPES, encode_both_ways, encode_command, event_type
from replay.records.shape import LONGEST_TEXT, check_names, check_values
from replay.verification.entry import VerifiedEntry
from replay.verification.execution.answer import Answer
from replay.verification.execution.table_writer import TableWriter

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
"""Puts one digit in the place of all."""
_LARGE = b"0" * 16


def write_entry(
    version: int,
    at: int,
    actor: str,
    command: Command | None,
    answer: Answer,
    *,
    head: str,
    key: bytes,
    tables: TableWriter,
) -> tuple[bytes, VerifiedEntry]:
    """The line of an entry that shows what the rules answered, and the entry.

    Args:
        version: its version.
        at: when its command arrived: milliseconds since the epoch.
        actor: who acted, as the log has it.
        command: the command that begins here; None where none does.
        answer: what the rules answered.
        head: the chain's hash before.
        key: the key of the game's salts.
        tables: writes the tables of this game.

    Raises:
        Discrepancy: a value in it is out of bounds.
    """
    event, salts = answer.event, dict[str, str]()
    sealing = version, key, salts
    data, public = encode_both_ways(event)
    if event.private:
        public = _close_event(event, data, *sealing)
    begins = public_begins = written = b""
    if command is not None:
        written = encode_command(command)
        is_open = command.schema == 1 and not command.private
        closed = canonical(command) if is_open else _close_command(command, written, *sealing)
        begins, public_begins = b',"command":' + written, b'"command":%b,' % closed
    _check_bounds(event, command, data, written)
    kind, schema, by = event_type(event).encode(), event.schema, actor.encode()
    salts["state"] = salt(key, version, "state")
    state = commit_bytes(salts["state"], tables.write(answer.state)).encode()
    head = link_bytes(
        head,
        b'{"actor":"%b","at":%d,%b"data":%b,"schema":%d,"state":"%b","type":"%b","version":%d}'
        % (by, at, public_begins, public, schema, state, kind, version),
    )
    line = (
        b'{"entry":{"version":%d,"type":"%b","schema":%d,"at":%d,"actor":"%b","data":%b,"state":"%b"%b},'
        b'"salts":%b,"hash":"%b"}\n'
        % (version, kind, schema, at, by, data, state, begins, _encode(salts), head.encode())
    )
    return line, VerifiedEntry(version, at, actor, command, event, answer.state, head, len(salts), line)


def _close_event(event: DomainEvent, data: bytes, version: int, key: bytes, salts: dict[str, str]) -> bytes:
    """The canonical JSON of an event's fields with commitments to the private ones, whose salts are added."""
    members = _decode(data)
    for name in event.private:
        value = members.get(name)
        if isinstance(value, list):
            members[name] = [
                _close(item, f"data/{name}/{place}", version, key, salts) for place, item in enumerate(value)
            ]
        elif value is not None:
            members[name] = _close(value, f"data/{name}", version, key, salts)
    return canonical(members)


def _close_command(
    command: Command, written: bytes, version: int, key: bytes, salts: dict[str, str]
) -> bytes:
    """The same of a command, whose fields are committed to as a whole."""
    members = _decode(written)
    for name in command.private:
        if name in members:
            members[name] = _close(members[name], f"command/{name}", version, key, salts)
    return canonical(members)


def _close(value: object, path: str, version: int, key: bytes, salts: dict[str, str]) -> dict[str, str]:
    """What stands in the public form in place of a value."""
    salts[path] = salt(key, version, path)
    return {"commitment": commit(salts[path], value)}


def _check_bounds(event: DomainEvent, command: Command | None, data: bytes, written: bytes) -> None:
    """Refuse values out of bounds; nearly every entry is too short, and its numbers too small, to hold any."""
    both = data + written
    if len(both) > LONGEST_TEXT or _LARGE in both.translate(_DIGITS):
        check_values({"data": _decode(data)} | ({"command": _decode(written)} if written else {}))
    elif type(event) in _NAMED_FREELY or type(command) in _NAMED_FREELY:
        for given in (event, command):
            for name in _NAMED_FREELY.get(type(given), ()):
                check_names(getattr(given, name))


def _objects_in(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(each.name for each in msgspec.structs.fields(struct) if get_origin(each.type) is dict)


_NAMED_FREELY: Final[Mapping[type[object], tuple[str, ...]]] = {
    struct: names
    for struct in (*EVENT_TYPES.values(), *COMMAND_TYPES.values())
    if (names := _objects_in(struct))
}
"""The members of events and commands that are objects, with names of members that these do not define."""
