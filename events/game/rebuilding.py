"""From a record of scope `all` back to the stored entries, byte for byte.

A record of that scope holds every value, in the order in which it was stored; the salts follow from the secret. So
the record is a full copy of the log, and an archive needs no other form.
"""

import msgspec

from events.log.disclosure import Form
from events.log.recorded import RecordedEvent

_encode = msgspec.json.Encoder().encode


def rebuild_event(form: Form) -> RecordedEvent:
    """The stored entry that this form of scope `all` was made of.

    Raises:
        LookupError: a member of the entry is missing.
    """
    entry = form.entry
    return RecordedEvent(
        version=entry["version"],
        type=entry["type"],
        schema=entry["schema"],
        data=_encode(entry["data"]),
        at=entry["at"],
        actor=entry["actor"],
        command=_encode(entry["command"]) if "command" in entry else b"",
        state_hash=entry["state"],
        hash=form.hash,
    )
