"""One entry of a game's dispute log, and the hash that links it to the entry before it.

    hash = SHA-256(hash of the entry before it (32 bytes; zeros for the first) + canonical JSON of the entry)

An entry is kept as it was written, because the hash is over all of it. It names its game, so that it fits no other.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from events.chain.canonical import canonical
from events.chain.hash_chain import GENESIS, link
from events.disputes.events import TYPES, CaseEvent, CaseEventRecord, DisputeOpened
from events.disputes.facts import Person


class DisputeLogBroken(Exception):
    """This is no entry, or not the next one of its log; the message says why."""


class _Written(msgspec.Struct, frozen=True):
    """The members of an entry."""

    game: str
    number: int
    case: int
    type: str
    at: int
    by: Person
    data: dict[str, Any]


class DisputeEntry(msgspec.Struct, frozen=True):
    """One entry as it is read."""

    number: int
    """Its place in the log of the game, from 1."""
    happened: CaseEventRecord
    written: dict[str, Any]
    hash: str
    """The hash after it."""

    @property
    def line(self) -> bytes:
        """The entry as it is stored."""
        return canonical(self.written)


def next_entries(
    game: str, last: DisputeEntry | None, happened: Iterable[CaseEventRecord]
) -> list[DisputeEntry]:
    """What happened, as the entries that follow this one."""
    number, previous = (last.number, last.hash) if last is not None else (0, GENESIS)
    entries = []
    for each in happened:
        number += 1
        # By way of JSON, so that an entry is the same before it is stored and afterwards.
        data = msgspec.json.decode(msgspec.json.encode(each.event), type=dict[str, Any])
        written = {
            "game": game,
            "number": number,
            "case": each.case,
            "type": data.pop("type"),
            "at": each.at,
            "by": msgspec.to_builtins(each.by),
            "data": data,
        }
        previous = link(previous, written)
        entries.append(DisputeEntry(number, each, written, previous))
    return entries


def read_entries(
    game: str, lines: Iterable[tuple[bytes, str]], before: Sequence[DisputeEntry] = ()
) -> list[DisputeEntry]:
    """A whole log from its lines, each with the hash after it; or what follows these entries of it.

    Raises:
        DisputeLogBroken
    """
    entries: list[DisputeEntry] = []
    previous = before[-1].hash if before else GENESIS
    opened = sum(isinstance(entry.happened.event, DisputeOpened) for entry in before)
    for number, (line, chain_hash) in enumerate(lines, start=len(before) + 1):
        try:
            written = msgspec.json.decode(line, type=dict[str, Any])
            read = msgspec.convert(written, _Written)
            event = _event(read)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise DisputeLogBroken(f"entry {number} of the dispute log cannot be read: {error}") from error
        opened += isinstance(event, DisputeOpened)
        is_next = (read.game, read.number) == (game, number) and 1 <= read.case <= opened
        if not is_next or (isinstance(event, DisputeOpened) and read.case != opened):
            raise DisputeLogBroken(f"entry {number} of the dispute log is not the one that must follow")
        previous = link(previous, written)
        if previous != chain_hash:
            raise DisputeLogBroken(f"the hash of entry {number} of the dispute log does not follow")
        entries.append(
            DisputeEntry(number, CaseEventRecord(read.case, read.at, read.by, event), written, chain_hash)
        )
    return entries


def _event(read: _Written) -> CaseEvent:
    kind = TYPES.get(read.type)
    if kind is None:
        raise msgspec.ValidationError(f"there is no event {read.type!r}")
    return msgspec.convert({"type": read.type, **read.data}, kind)
