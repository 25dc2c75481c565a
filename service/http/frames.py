"""The frames of a game's stream of server-sent events (WHATWG HTML, 9.2).

The id of an event is its cursor, and the view has the cursor of the version that it shows. What is no part of the log
has no id.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from events.disclosure import form_for
from events.recorded import RecordedEvent
from events.rules.legal import legal_commands
from events.table import Table
from service.http.bodies import listed
from service.http.callers import Viewpoint
from service.http.cursors import Cursor, cursor_at
from service.http.games import state_body
from service.http.presence import Present
from service.http.telling import Teller

BEGINNING: Final = b"retry: 1000\n\n"
"""The first frame: a client that loses its stream comes back after a second."""
END: Final = b"event: end\ndata: {}\n\n"
_encode = msgspec.json.Encoder().encode


def view_frame(table: Table, seen: Viewpoint, present: Present) -> bytes:
    """The whole table as the caller may see it, what a seat may do, and who is there."""
    body = {**state_body(seen, table), "presence": present}
    seat = seen.caller.seat
    if seat is not None and seen.viewer == seat:
        body["commands"] = listed(legal_commands(table.rules, table.state, seat))
    return b"id: %b\nevent: view\ndata: %b\n\n" % (
        str(cursor_at(table.version, table.hash)).encode(),
        _encode(body),
    )


def event_frames(entries: Iterable[RecordedEvent], key: bytes, viewer: int, teller: Teller | None) -> bytes:
    """Entries of the log as a viewer may see them, with sentences where there is somebody to tell them."""
    return b"".join(
        b"id: %b\nevent: %b\ndata: %b\n\n"
        % (
            str(cursor_at(entry.version, entry.hash)).encode(),
            entry.type.encode(),
            _encode(teller.told(entry) if teller is not None else form_for(entry, key, viewer)),
        )
        for entry in entries
    )


def presence_frame(present: Present) -> bytes:
    """Who is there."""
    return _told(b"presence", present)


def dispute_frame(case: dict[str, Any]) -> bytes:
    """What has happened in a case."""
    return _told(b"dispute", case)


def lost_frame(code: str, last: Cursor) -> bytes:
    """That the log does not go on from what was sent last."""
    return _told(b"history_lost", {"code": code, "last": str(last)})


def _told(kind: bytes, data: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind, _encode(data))
