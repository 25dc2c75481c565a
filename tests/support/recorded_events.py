"""Recorded events for tests that care about the envelope and not about the game."""

import hashlib

from events.chain.hash_chain import GENESIS
from events.log.recorded import RecordedEvent


def recorded(version: int, note: str = "") -> RecordedEvent:
    """Return an event for this version with plausible content, different for every version and note."""
    digest = hashlib.sha256(f"{version} {note}".encode()).hexdigest()
    return RecordedEvent(
        version=version,
        type="bean_planted",
        schema=1,
        data=b'{"field":1,"note":"%s"}' % note.encode(),
        at=1_700_000_000_000 + version,
        actor="seat:1",
        command=b'{"type":"plant","field":1}' if version % 2 else b"",
        state_hash=digest[::-1],
        hash=digest,
    )


def recorded_run(after: int, count: int, note: str = "") -> tuple[RecordedEvent, ...]:
    """Return `count` events numbered on from version `after`."""
    return tuple(recorded(version, note) for version in range(after + 1, after + count + 1))


def hash_after(version: int, note: str = "") -> str:
    """Return the chain hash of the event for this version, which the next one is linked to."""
    return recorded(version, note).hash if version else GENESIS
