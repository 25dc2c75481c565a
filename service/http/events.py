"""Events: a page of JSON, NDJSON, or a stream of server-sent events, by what the caller accepts."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView
from flask_smorest import Blueprint

from events.disclosure import Form, form_for
from service.http.bodies import forms, headers_for, json_response
from service.http.callers import Viewpoint, viewpoint
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
LONGEST_VERSION = 15
"""Digits of a version at most."""
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
        seen = viewpoint(game, query["viewer"])
        sitting = seen.sitting
        after = _after(query)
        if after > sitting.table.version:
            detail = f"The game is at version {sitting.table.version}; it has not reached version {after}."
            raise Problem(404, "no_such_version", detail)
        if accepted == EVENT_STREAM:
            return _stream(seen, after)
        if query["wait"] and after == sitting.table.version and sitting.table.state.status != "finished":
            _wait(seen, query["wait"])
            # Whoever asks is admitted anew: the token may have been revoked meanwhile.
            seen = viewpoint(game, query["viewer"])
            sitting = seen.sitting
        page = _page(sitting, seen.viewer, after, min(query["limit"], LARGEST_PAGE))
        if accepted == NDJSON:
            lines = b"".join(_encode(form) + b"\n" for form in page)
            return Response(lines, content_type=NDJSON)
        table = sitting.table
        last = page[-1].entry["version"] if page else after
        body = {"game": game, "version": table.version, "hash": table.hash, "events": page, "next": last}
        return json_response(body, headers=headers_for(table.version, table.hash))


def _after(query: dict[str, Any]) -> int:
    """The version after which to read: the header of a stream that is resumed, else the parameter, else 0.

    A browser resumes a stream at the address that it began with, so the header is the newer of the two.
    """
    last = request.headers.get("Last-Event-ID")
    if last is None:
        return int(query["after"] or 0)
    if not (last.isascii() and last.isdigit() and len(last) <= LONGEST_VERSION):
        raise Problem(400, "bad_last_event_id", "Last-Event-ID is the version of the last event received.")
    return int(last)


def _page(sitting: Sitting, viewer: int, after: int, limit: int) -> list[Form]:
    limit = min(limit, sitting.table.version - after)
    return (
        forms(services().store.read(sitting.table.game, after, limit), sitting.table.key, viewer)
        if limit
        else []
    )


def _wait(seen: Viewpoint, seconds: int) -> None:
    """Wait until the viewpoint has moved on, or time is up: spectators who are behind wait for several moves."""
    game, ends = seen.table.game, time.monotonic() + seconds
    with services().streams.watch(game) as place:
        if not place:
            raise _no_place()
        now = seen.moved(services())
        is_gone = _is_gone()
        while now.table.version == seen.table.version and (left := ends - time.monotonic()) > 0:
            services().streams.wait(game, now.log_version, left, is_gone)
            if is_gone():
                break
            now = now.moved(services())


def _stream(seen: Viewpoint, after: int) -> Response:
    """Server-sent events (WHATWG HTML, 9.2): the id of an event is its version; 204 once there is nothing more."""
    table = seen.table
    if table.state.status == "finished" and after == table.version:
        return Response(status=204)
    services().store.read(table.game, after, 1)  # what cannot be read is refused before the stream begins
    watching = services().streams.watch(table.game)
    if not watching.__enter__():
        watching.__exit__(None, None, None)
        raise _no_place()
    frames = _frames(services(), seen, after, _is_gone())
    response = Response(frames, content_type=EVENT_STREAM)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(lambda: watching.__exit__(None, None, None))
    return response


def _is_gone() -> Callable[[], bool]:
    """What tells whether the client has gone away."""
    return gone_at(request.environ.get("gunicorn.socket"))


def _frames(found: Services, seen: Viewpoint, after: int, is_gone: Callable[[], bool]) -> Iterator[bytes]:
    """Frames until the game has finished, client or permission is gone, or the stream has lasted long enough."""
    game, key = seen.table.game, seen.table.key
    began = permitted = time.monotonic()
    yield b"retry: 1000\n\n"
    while (now := time.monotonic()) < began + LONGEST_STREAM_SECONDS:
        if now >= permitted + HEARTBEAT_SECONDS:
            if not seen.caller.is_still_admitted(found):
                return
            permitted = now
        entries, looked_up_to = seen.entries(found, after, LARGEST_PAGE)
        for entry in entries:
            yield _frame(form_for(entry, key, seen.viewer))
            if entry.type == LAST_EVENT:
                yield b"event: end\ndata: {}\n\n"
                return
        after = entries[-1].version if entries else after
        found.streams.wait(game, looked_up_to, HEARTBEAT_SECONDS, is_gone)
        if is_gone():
            return
        if not found.streams.moved(game, looked_up_to):
            yield b": still here\n\n"


def _frame(form: Form) -> bytes:
    head = f"id: {form.entry['version']}\nevent: {form.entry['type']}\ndata: "
    return head.encode() + _encode(form) + b"\n\n"


def _no_place() -> Problem:
    detail = "As many streams are open as this process holds; try again, or read pages with 'after'."
    return Problem(503, "too_many_streams", detail, headers={"Retry-After": "5"})
