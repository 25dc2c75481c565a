"""The frames of a game's stream of server-sent events (WHATWG HTML, 9.2).

The id of an event is its cursor, and the view has the cursor of the version that it shows. What is no part of the log
has no id.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from events.game.clock import Clock
from events.game.table import Table
from events.log.disclosure import Disclosure
from service.http.context.callers import Viewpoint
from service.http.context.cursors import Cursor, cursor_at
from service.http.context.presence import Present
from service.http.follow.narration import Narrator
from service.http.follow.table_bodies import state_body
from service.http.messages.bodies import legal_bodies
from service.players.shown_names import ShownNames

BEGINNING: Final = b"retry: 1000\n\n"
"""The first frame: a client that loses its stream comes back after a second."""
END: Final = b"event: end\ndata: {}\n\n"
_encode = msgspec.json.Encoder().encode


def view_frame(table: Table, seen: Viewpoint, present: Present, names: ShownNames) -> bytes:
    """The whole table as the caller may see it, what a seat may do, and who is there."""
    body = {**state_body(seen, table, names), "presence": present}
    seat = seen.caller.seat
    if seat is not None and seen.viewer == seat:
        body["commands"] = legal_bodies(table, seat)
    return b"id: %b\nevent: view\ndata: %b\n\n" % (
        str(cursor_at(table.version, table.hash)).encode(),
        _encode(body),
    )


def event_frames(disclosures: Iterable[Disclosure], viewer: int, narrator: Narrator | None) -> bytes:
    """Entries of the log as a viewer may see them, with sentences where there is a narrator."""
    return b"".join(
        b"id: %b\nevent: %b\ndata: %b\n\n"
        % (
            str(cursor_at(each.recorded.version, each.recorded.hash)).encode(),
            each.recorded.type.encode(),
            _encode(narrator.narrate(each) if narrator is not None else each.form(viewer)),
        )
        for each in disclosures
    )


def clock_frame(version: int, clock: Clock) -> bytes:
    """Whose time runs and until when, from this version on."""
    return _form_frame(b"clock", {"version": version, "clock": clock.as_json()})


def presence_frame(present: Present) -> bytes:
    """Who is there."""
    return _form_frame(b"presence", present)


def dispute_frame(case: dict[str, Any]) -> bytes:
    """What has happened in a case."""
    return _form_frame(b"dispute", case)


def form_lost_frame(code: str, last: Cursor) -> bytes:
    """That the log does not go on from what was sent last."""
    return _form_frame(b"history_lost", {"code": code, "last": str(last)})


def _form_frame(kind: bytes, data: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind, _encode(data))
