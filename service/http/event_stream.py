"""A game as server-sent events (WHATWG HTML, 9.2): the table as it stands, what happens, and who is there.

The id of an event is its cursor, and the view has the cursor of the version that it shows: a client that comes back
with `Last-Event-ID` misses nothing, and hears of it when the log does not go on from there. What is no part of the
log has no id.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from flask import Response

from events.disclosure import Form, form_for
from events.recorded import RecordedEvent
from events.rules.legal import legal_commands
from events.table import Table
from service.http.bodies import listed
from service.http.callers import Viewpoint
from service.http.cursors import Cursor, cursor_at, parted, with_own_hash
from service.http.games import state_body
from service.http.presence import Present
from service.http.services import Services, services
from service.http.telling import Teller, teller_for
from service.http.told_cases import ToldCases
from service.http.waiting import is_gone, no_place

EVENT_STREAM = "text/event-stream"
HEARTBEAT_SECONDS = 10.0
"""Silence at most; a question to a store that does not answer can make it twice as long."""
PRESENCE_SECONDS = 5.0
"""A stream tells this often at most who is there, and what has happened in cases."""
LONGEST_STREAM_SECONDS = 600.0
"""A stream is closed after this; the client goes on with `Last-Event-ID`."""
LAST_EVENT = "secret_revealed"
CHUNK = 1000
"""Events read at once."""
_encode = msgspec.json.Encoder().encode


def streamed(
    seen: Viewpoint, given: Cursor | None, *, view: bool | None, language: str | None = None
) -> Response:
    """The stream of what a caller may see, from after a cursor or from now on; 204 once there is nothing more.

    It begins with a `view` where one is asked for or, unless it is refused, where no cursor is given.
    With a language each event has its sentence.

    Raises:
        Problem: 503 when as many streams are open as there may be.
    """
    sitting, table = seen.sitting, seen.table
    if table.state.status == "finished" and given is not None and given.version == table.version:
        return Response(status=204)
    first_seen = view or (view is None and given is None)
    begun = given or (cursor_at(table.version, table.hash) if first_seen else Cursor(0))
    after = with_own_hash(sitting, begun)
    services().store.read(
        table.game, after.version, 1
    )  # what cannot be read is refused before the stream begins
    shown = None
    if first_seen and after.version:
        shown = table if after.version == table.version else services().tables.at(sitting, after.version)
    teller = None if language is None else teller_for(sitting, after.version, seen.viewer, language)
    watching = services().streams.watch(table.game)
    if not watching.__enter__():
        watching.__exit__(None, None, None)
        raise no_place()
    stream = _Stream(services(), seen, after, shown, teller)
    response = Response(stream.frames(is_gone()), content_type=EVENT_STREAM)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: watching.__exit__(None, None, None))
    return response


class _Stream:
    """One open stream."""

    def __init__(
        self, found: Services, seen: Viewpoint, after: Cursor, shown: Table | None, teller: Teller | None
    ) -> None:
        """Tell a caller what follows this cursor, after a view of the table there or without one."""
        self._teller = teller
        self._found = found
        self._seen = seen
        self._after = after
        self._looked_up_to = after.version
        self._shown = shown
        self._present = Present()
        self._cases = ToldCases(found, seen.caller)
        self._looked = self._heard = self._permitted = time.monotonic()
        self._lost: str | None = None
        self._is_over = shown is not None and shown.state.status == "finished"

    def frames(self, is_gone: Callable[[], bool]) -> Iterator[bytes]:
        """Frames until the game has finished, client or permission is gone, or the stream has lasted long enough."""
        game, presence = self._seen.table.game, self._found.presence
        ends = time.monotonic() + LONGEST_STREAM_SECONDS
        yield b"retry: 1000\n\n"
        with presence.following(game, self._seen.caller.seat) as place:
            yield from self._beginning()
            while time.monotonic() < ends and self._is_permitted(time.monotonic()):
                yield from self._sign_of_life(time.monotonic())
                yield from self._events()
                if self._lost is not None:
                    yield _told("history_lost", {"code": self._lost, "last": str(self._after)})
                    return
                if self._is_over:
                    yield _told("end", {})
                    return
                yield from self._sign_of_life(time.monotonic())
                seconds = min(HEARTBEAT_SECONDS, PRESENCE_SECONDS)
                self._found.streams.wait(game, self._looked_up_to, seconds, is_gone)
                if is_gone():
                    return
                # Around every question to the store, because it may wait for one that does not answer.
                yield from self._sign_of_life(time.monotonic())
                presence.refresh(game, place)
                yield from self._others(time.monotonic())

    def _is_permitted(self, now: float) -> bool:
        """Whether the caller may go on, asked again now and then: a token can be revoked."""
        if now - self._permitted < HEARTBEAT_SECONDS:
            return True
        self._permitted = now
        return self._seen.caller.is_still_admitted(self._found)

    def _beginning(self) -> Iterator[bytes]:
        """The view, or at least who is there, and open cases: those are in no event."""
        self._present = self._found.presence.of(self._seen.table.game)
        if self._shown is not None:
            yield _view(self._shown, self._seen, self._present)
        elif self._seen.table.state.status != "finished":
            yield _told("presence", self._present)
        for each in self._cases.new():
            yield _told("dispute", each)

    def _events(self) -> Iterator[bytes]:
        """What has happened since, if the log still goes on from what was sent last."""
        seen, after = self._seen, self._after
        # With the entry that was sent last: it tells whether this is still the history that it was.
        entries, self._looked_up_to = seen.entries(self._found, max(after.version - 1, 0), CHUNK)
        self._lost = parted(entries, after)
        if self._lost is not None:
            return
        for entry in entries[1:] if after.version else entries:
            told = self._teller and self._teller.told(entry)
            yield _frame(entry, told or form_for(entry, seen.table.key, seen.viewer))
            self._after, self._heard = cursor_at(entry.version, entry.hash), time.monotonic()
            self._is_over = entry.type == LAST_EVENT

    def _sign_of_life(self, now: float) -> Iterator[bytes]:
        """That the stream is still there, when nothing else has said so for a while."""
        if now - self._heard >= HEARTBEAT_SECONDS and not self._found.streams.moved(
            self._seen.table.game, self._after.version
        ):
            self._heard = now
            yield b": still here\n\n"

    def _others(self, now: float) -> Iterator[bytes]:
        """Who has come or gone, and what has happened in the game's cases."""
        if now - self._looked < PRESENCE_SECONDS:
            return
        present, self._looked = self._found.presence.of(self._seen.table.game), now
        if present != self._present:
            self._present = present
            yield _told("presence", present)
        for each in self._cases.new():
            yield _told("dispute", each)


def _view(table: Table, seen: Viewpoint, present: Present) -> bytes:
    """The frame with the whole table as the caller may see it, what a seat may do, and who is there."""
    body = {**state_body(seen, table), "presence": present}
    seat = seen.caller.seat
    if seat is not None and seen.viewer == seat:
        body["commands"] = listed(legal_commands(table.rules, table.state, seat))
    return (
        f"id: {cursor_at(table.version, table.hash)}\nevent: view\ndata: ".encode() + _encode(body) + b"\n\n"
    )


def _told(kind: str, data: Any) -> bytes:
    """A frame that is no event of the log, and so has no id."""
    return f"event: {kind}\ndata: ".encode() + _encode(data) + b"\n\n"


def _frame(entry: RecordedEvent, form: Form | dict[str, Any]) -> bytes:
    head = f"id: {cursor_at(entry.version, entry.hash)}\nevent: {entry.type}\ndata: "
    return head.encode() + _encode(form) + b"\n\n"
