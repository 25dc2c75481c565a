"""The form of what stands in the streams and hashes: from the server's bytes to our types and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from events.log.recorded import RecordedEvent
from events.store.errors import StoreDamaged
from events.store.event_store import FeedEntry, Head
from events.store.redis.keys import GameKeys
from events.store.remembered_commands import RememberedAnswer

EVENT_FIELDS: Final = (b"t", b"v", b"d", b"a", b"w", b"c", b"s", b"h")
"""Field names of a log entry: type, schema, data, at, who, command, state hash, hash.

They are part of the storage format. Constant names in constant order are stored once per stream node.
"""

FEED_FIELDS: Final = (b"g", b"f", b"l", b"h")
"""Field names of a feed entry: game id, first version, last version, chain hash of the last event."""

Entry = Sequence[object]
"""One stream entry as the server sends it: its id, and the list of names and values in turn."""


def event_values(event: RecordedEvent) -> tuple[str | bytes | int, ...]:
    """Return an event's values in the order of `EVENT_FIELDS`."""
    return (
        event.type,
        event.schema,
        event.data,
        event.at,
        event.actor,
        event.command,
        event.state_hash,
        event.hash,
    )


@dataclass(frozen=True, slots=True)
class PreparedAppend:
    """What the append function is called with, and what is needed to read its reply."""

    game_id: str
    expected: Head
    command_id: str
    answer: RememberedAnswer
    """What is remembered where it is appended."""
    keys: GameKeys
    arguments: list[str | bytes | int]

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that it is told, in the order that `append_functions.lua` names."""
        keys = self.keys
        return keys.log, keys.head, keys.commands, keys.private, keys.feed, keys.feed_head, keys.quarantine


ANSWER: Final = 4
"""Which of `append_arguments` is the answer to remember, counted from 0."""


def append_arguments(  # noqa: PLR0917 - what an append is made of
    game_id: str,
    expected: Head,
    events: Sequence[RecordedEvent],
    command_id: str,
    answer: RememberedAnswer,
    private: Mapping[str, str],
    required: Mapping[str, str],
) -> list[str | bytes | int]:
    """Return the arguments of the append function, in the order that `append_functions.lua` names."""
    arguments: list[str | bytes | int] = [game_id, expected.version, expected.hash, command_id]
    arguments += (msgspec.json.encode(answer), len(events), len(private), len(required))
    for event in events:
        arguments += event_values(event)
    for name, value in (*private.items(), *required.items()):
        arguments += (name, value)
    return arguments


def event_from_entry(entry: Entry) -> RecordedEvent:
    """Read a log entry.

    Raises:
        ValueError: it does not have exactly the fields of `EVENT_FIELDS`.
    """
    number, values = _numbered_values(entry, EVENT_FIELDS)
    kind, schema, data, at, actor, command, state_hash, chain_hash = values
    return RecordedEvent(
        version=number,
        type=kind.decode(),
        schema=int(schema),
        data=data,
        at=int(at),
        actor=actor.decode(),
        command=command,
        state_hash=state_hash.decode(),
        hash=chain_hash.decode(),
    )


def events_from_entries(game_id: str, entries: Sequence[Entry], *, after: int) -> tuple[RecordedEvent, ...]:
    """Read log entries that must be numbered on from `after`; raises StoreDamaged when they are not."""
    try:
        events = tuple(event_from_entry(entry) for entry in entries)
    except ValueError as error:
        message = f"Game {game_id}: {error}"
        raise StoreDamaged(message) from error
    for version, event in enumerate(events, start=after + 1):
        if event.version != version:
            message = f"Game {game_id} has version {event.version} where version {version} must be."
            raise StoreDamaged(message)
    return events


def feed_entry_from_entry(entry: Entry) -> FeedEntry:
    """Read a feed entry.

    Raises:
        ValueError: it does not have exactly the fields of `FEED_FIELDS`.
    """
    number, (game_id, first, last, chain_hash) = _numbered_values(entry, FEED_FIELDS)
    return FeedEntry(
        position=number,
        game_id=game_id.decode(),
        first_version=int(first),
        last_version=int(last),
        hash=chain_hash.decode(),
    )


def _numbered_values(entry: Entry, names: tuple[bytes, ...]) -> tuple[int, list[bytes]]:
    """Return the number in an entry's id and its values, when its field names are exactly `names`."""
    entry_id, fields = entry
    if not isinstance(entry_id, bytes) or not isinstance(fields, list) or tuple(fields[::2]) != names:
        message = f"A stream entry has other fields than {names!r}: {entry!r}"
        raise ValueError(message)
    return int(entry_id.removesuffix(b"-0")), fields[1::2]
