"""One entry of a tournament's log, and the hash that links it to the entry before it.

    hash = SHA-256(hash of the entry before it (32 bytes; zeros for the first) + canonical JSON of the entry)

An entry is kept as it was written, because the hash is over all of it. It names its tournament, so that it fits no
other. As a file, each line is the canonical JSON of `{"entry": ..., "hash": ...}` and ends with a line feed.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from events.chain.canonical import canonical
from events.chain.hash_chain import GENESIS, link
from events.tournaments.events import TYPES, TournamentCreated, TournamentEvent, TournamentEventRecord

LONGEST_LINE: Final = 1_000_000
"""Bytes in one line at most: a log is hostile input."""


class TournamentLogBroken(Exception):
    """This is no entry, or not the next one of its log; the message says which, and why."""


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The members of an entry."""

    tournament: str
    number: int
    type: str
    at: int
    by: str
    data: dict[str, Any]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a log that is kept as a file."""

    entry: dict[str, Any]
    hash: str


class TournamentEntry(msgspec.Struct, frozen=True):
    """One entry as it is read."""

    number: int
    """Its place in the log, from 1."""
    happened: TournamentEventRecord
    written: dict[str, Any]
    hash: str
    """The hash after it."""

    @property
    def stored(self) -> bytes:
        """The entry as it is stored."""
        return canonical(self.written)

    @property
    def line(self) -> bytes:
        """The entry as a line of a file."""
        return canonical(_Line(self.written, self.hash)) + b"\n"


def next_entries(
    tournament: str, last: TournamentEntry | None, happened: Iterable[TournamentEventRecord]
) -> list[TournamentEntry]:
    """What happened, as the entries that follow this one."""
    number, previous = (last.number, last.hash) if last is not None else (0, GENESIS)
    entries = []
    for each in happened:
        number += 1
        # By way of JSON, so that an entry is the same before it is stored and afterwards.
        data = msgspec.json.decode(msgspec.json.encode(each.event), type=dict[str, Any])
        written = {
            "tournament": tournament,
            "number": number,
            "type": data.pop("type"),
            "at": each.at,
            "by": each.by,
            "data": data,
        }
        previous = link(previous, written)
        entries.append(TournamentEntry(number, each, written, previous))
    return entries


def read_entries(
    tournament: str, lines: Iterable[tuple[bytes, str]], before: Sequence[TournamentEntry] = ()
) -> list[TournamentEntry]:
    """A whole log from its stored entries, each with the hash after it; or what follows these entries of it.

    Raises:
        TournamentLogBroken
    """
    entries: list[TournamentEntry] = []
    last = before[-1] if before else None
    for stored, chain_hash in lines:
        number = last.number + 1 if last is not None else 1
        try:
            written = msgspec.json.decode(stored, type=dict[str, Any])
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise TournamentLogBroken(f"entry {number} cannot be read: {error}") from error
        last = _next(tournament, last, number, written, chain_hash)
        entries.append(last)
    return entries


def read_log(lines: Iterable[bytes]) -> Iterator[TournamentEntry]:
    """The entries of a log that is kept as a file, read as they are asked for; its first one names the tournament.

    Raises:
        TournamentLogBroken
    """
    tournament, last = "", None
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise TournamentLogBroken(f"entry {number} is longer than {LONGEST_LINE} bytes")
        try:
            read = msgspec.json.decode(line, type=_Line)
            is_canonical = canonical(read) + b"\n" == line
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise TournamentLogBroken(f"entry {number} cannot be read: {error}") from error
        if not is_canonical:
            raise TournamentLogBroken(
                f"entry {number} is not in canonical JSON, or does not end with a line feed"
            )
        if number == 1:
            tournament = str(read.entry.get("tournament", ""))
        last = _next(tournament, last, number, read.entry, read.hash)
        yield last


def _next(
    tournament: str, last: TournamentEntry | None, number: int, written: dict[str, Any], chain_hash: str
) -> TournamentEntry:
    try:
        read = msgspec.convert(written, _Written)
        event = _event(read)
    except (msgspec.ValidationError, ValueError, RecursionError) as error:
        raise TournamentLogBroken(f"entry {number} cannot be read: {error}") from error
    begins = isinstance(event, TournamentCreated)
    if (read.tournament, read.number) != (tournament, number) or begins != (number == 1):
        raise TournamentLogBroken(f"entry {number} is not the one that must follow")
    if last is not None and read.at < last.happened.at:
        raise TournamentLogBroken(f"entry {number} is of an earlier time than the one before it")
    if link(last.hash if last is not None else GENESIS, written) != chain_hash:
        raise TournamentLogBroken(f"the hash of entry {number} does not follow")
    return TournamentEntry(number, TournamentEventRecord(read.at, read.by, event), written, chain_hash)


def _event(read: _Written) -> TournamentEvent:
    kind = TYPES.get(read.type)
    if kind is None:
        raise msgspec.ValidationError(f"there is no event {read.type!r}")
    return msgspec.convert({"type": read.type, **read.data}, kind)
