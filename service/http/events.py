"""Events: a page of JSON, NDJSON, or a stream of server-sent events, by what the caller accepts."""

import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView
from flask_smorest import Blueprint

from events.disclosure import Form, form_for
from service.http.bodies import forms, headers_for, json_response
from service.http.callers import viewer_for
from service.http.cursors import (
    Cursor,
    cursor_after,
    cursor_at,
    cursor_in,
    parted,
    read_if_there,
    refuse_another_history,
    with_own_hash,
)
from service.http.problems import Problem
from service.http.reading import Parser
from service.http.schemas.answers import EventsAnswer
from service.http.schemas.requests import EventsQuery
from service.http.services import Services, services
from service.http.streams import gone_at
from service.tables import Sitting

blueprint = Blueprint("events", __name__, url_prefix="/v1/games", description="Events")
blueprint.ARGUMENTS_PARSER = Parser()

LARGEST_PAGE = 1000
HEARTBEAT_SECONDS = 15.0
LAST_EVENT = "secret_revealed"
LONGEST_STREAM_SECONDS = 600.0
"""A stream is closed after this; the client goes on with `Last-Event-ID`."""
JSON, NDJSON, EVENT_STREAM = "application/json", "application/x-ndjson", "text/event-stream"
_encode = msgspec.json.Encoder().encode


@blueprint.route("/<string:game>/events")
class EventsView(MethodView):
    """The events of a game."""

    @blueprint.arguments(EventsQuery, location="query")
    @blueprint.response(200, EventsAnswer)
    def get(self, query: dict[str, Any], game: str) -> Response:
        """Read events after a version, as the caller may see them; `wait` seconds for new ones if there are none."""
        wanted = request.accept_mimetypes
        accepted = wanted.best_match([JSON, NDJSON, EVENT_STREAM]) if wanted else JSON
        if accepted is None:
            raise Problem(406, "not_acceptable", f"Accept one of {JSON}, {NDJSON}, {EVENT_STREAM}.")
        sitting = services().tables.newest(game)
        viewer = viewer_for(sitting, query["viewer"])
        begun = _after(query)
        after = begun.version
        if after > sitting.table.version and not begun.hash:
            detail = f"The game is at version {sitting.table.version}; it has not reached version {after}."
            raise Problem(404, "no_such_version", detail)
        refuse_another_history(sitting, begun, viewer, HTTPStatus.CONFLICT)
        if accepted == EVENT_STREAM:
            return _stream(sitting, viewer, with_own_hash(sitting, begun))
        if query["wait"] and after == sitting.table.version and sitting.table.state.status != "finished":
            begun = with_own_hash(sitting, begun)
            sitting = _waited(sitting, query["wait"])
            refuse_another_history(sitting, begun, viewer, HTTPStatus.CONFLICT)
        page = _page(sitting, viewer, after, min(query["limit"], LARGEST_PAGE))
        if accepted == NDJSON:
            lines = b"".join(_encode(form) + b"\n" for form in page)
            return Response(lines, content_type=NDJSON)
        table = sitting.table
        last = page[-1].entry["version"] if page else after
        body = {"game": game, "version": table.version, "hash": table.hash, "events": page, "next": last}
        body["cursor"] = str(cursor_after(page, sitting, begun))
        return json_response(body, headers=headers_for(table.version, table.hash))


def _after(query: dict[str, Any]) -> Cursor:
    """The version after which to read: the header of a stream that is resumed, else the parameter, else 0.

    A browser resumes a stream at the address that it began with, so the header is the newer of the two.
    """
    last = request.headers.get("Last-Event-ID")
    if last is None:
        found = cursor_in(query["after"] or "0")
        code, detail = "bad_cursor", "'after' is a version, such as 41, or a cursor, such as 41-0f3c9a1e."
    else:
        found = cursor_in(last)
        code, detail = "bad_last_event_id", "Last-Event-ID is the id of the last event received."
    if found is None:
        raise Problem(400, code, detail)
    return found


def _page(sitting: Sitting, viewer: int, after: int, limit: int) -> list[Form]:
    limit = min(limit, sitting.table.version - after)
    return (
        forms(services().store.read(sitting.table.game, after, limit), sitting.table.key, viewer)
        if limit
        else []
    )


def _waited(sitting: Sitting, seconds: int) -> Sitting:
    game = sitting.table.game
    with services().streams.watch(game) as place:
        if not place:
            raise _no_place()
        newest = services().tables.newest(game)
        if newest.table.version == sitting.table.version:
            services().streams.wait(game, newest.table.version, seconds, _is_gone())
        return services().tables.newest(game)


def _stream(sitting: Sitting, viewer: int, after: Cursor) -> Response:
    """Server-sent events (WHATWG HTML, 9.2): the id of an event is its cursor; 204 once there is nothing more."""
    if sitting.table.state.status == "finished" and after.version == sitting.table.version:
        return Response(status=204)
    services().store.read(
        sitting.table.game, after.version, 1
    )  # what cannot be read is refused before the stream begins
    watching = services().streams.watch(sitting.table.game)
    if not watching.__enter__():
        watching.__exit__(None, None, None)
        raise _no_place()
    frames = _frames(services(), sitting, viewer, after, _is_gone())
    response = Response(frames, content_type=EVENT_STREAM)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: watching.__exit__(None, None, None))
    return response


def _is_gone() -> Callable[[], bool]:
    """What tells whether the client has gone away."""
    return gone_at(request.environ.get("gunicorn.socket"))


def _frames(
    found: Services, sitting: Sitting, viewer: int, after: Cursor, is_gone: Callable[[], bool]
) -> Iterator[bytes]:
    """Frames until the game has finished, the client is gone or the stream has lasted long enough."""
    game, key = sitting.table.game, sitting.table.key
    ends = time.monotonic() + LONGEST_STREAM_SECONDS
    yield b"retry: 1000\n\n"
    while time.monotonic() < ends:
        # With the entry that was sent last: it tells whether this is still the history that it was.
        entries = read_if_there(found.store, game, max(after.version - 1, 0), LARGEST_PAGE)
        if code := parted(entries, after):
            yield b"event: history_lost\ndata: " + _encode({"code": code, "last": str(after)}) + b"\n\n"
            return
        for entry in entries[1:] if after.version else entries:
            yield _frame(form_for(entry, key, viewer))
            if entry.type == LAST_EVENT:
                yield b"event: end\ndata: {}\n\n"
                return
        after = cursor_at(entries[-1].version, entries[-1].hash)
        found.streams.wait(game, after.version, HEARTBEAT_SECONDS, is_gone)
        if is_gone():
            return
        if not found.streams.moved(game, after.version):
            yield b": still here\n\n"


def _frame(form: Form) -> bytes:
    place = cursor_at(form.entry["version"], form.hash)
    head = f"id: {place}\nevent: {form.entry['type']}\ndata: "
    return head.encode() + _encode(form) + b"\n\n"


def _no_place() -> Problem:
    detail = "As many streams are open as this process holds; try again, or read pages with 'after'."
    return Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"})
