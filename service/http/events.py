"""Events: a page of JSON, NDJSON, or a stream of server-sent events, by what the caller accepts."""

from email.utils import formatdate
from typing import Any

import msgspec
from flask import Response, request
from flask.views import MethodView
from flask_smorest import Blueprint

from events.disclosure import Form, viewer_name
from events.table import Table
from service.http.bodies import forms, headers_for, json_response
from service.http.caching import keep_for_ever, representation_tag
from service.http.callers import caller_at, viewer_for
from service.http.event_stream import EVENT_STREAM, Reader, streamed
from service.http.links import link_header, same_with
from service.http.problems import Problem
from service.http.reading import Parser
from service.http.schemas.answers import EventsAnswer
from service.http.schemas.requests import EventsQuery
from service.http.services import services
from service.http.tickets import redeemed
from service.http.waiting import waited
from service.tables import Sitting

blueprint = Blueprint("events", __name__, url_prefix="/v1/games", description="Events")
blueprint.ARGUMENTS_PARSER = Parser()

LONGEST_VERSION = 15
"""Digits of a version at most."""
JSON, NDJSON = "application/json", "application/x-ndjson"
_encode = msgspec.json.Encoder().encode


@blueprint.route("/<string:game>/events")
class EventsView(MethodView):
    """The events of a game."""

    @blueprint.arguments(EventsQuery, location="query")
    @blueprint.response(200, EventsAnswer)
    def get(self, query: dict[str, Any], game: str) -> Response:
        """Read events after a version, as the caller may see them; `wait` seconds for new ones if there are none.

        A stream begins with the `view` of the table as it stands and goes on with what happens; with `after` or
        `Last-Event-ID` it begins with the events after that version.
        """
        wanted = request.accept_mimetypes
        accepted = wanted.best_match([JSON, NDJSON, EVENT_STREAM]) if wanted else JSON
        if accepted is None:
            raise Problem(406, "not_acceptable", f"Accept one of {JSON}, {NDJSON}, {EVENT_STREAM}.")
        sitting = services().tables.newest(game)
        reader = _reader(sitting, query, accepted)
        given = _after(query)
        if given is not None and given > sitting.table.version:
            detail = f"The game is at version {sitting.table.version}; it has not reached version {given}."
            raise Problem(404, "no_such_version", detail)
        if accepted == EVENT_STREAM:
            return streamed(sitting, reader, given, view=query["view"])
        after = given or 0
        if query["wait"] and after == sitting.table.version and sitting.table.state.status != "finished":
            sitting = waited(sitting, query["wait"], reader.seat)
        page = _page(sitting, reader.viewer, after, query["limit"])
        return (_lines if accepted == NDJSON else _document)(sitting, reader.viewer, page, query, after)


def _reader(sitting: Sitting, query: dict[str, Any], accepted: str) -> Reader:
    if query["ticket"] is None:
        seat = caller_at(sitting).seat
        if seat is not None and accepted != EVENT_STREAM:
            services().presence.seen(sitting.table.game, seat)
        return Reader(viewer_for(sitting, query["viewer"]), seat)
    if accepted != EVENT_STREAM:
        raise Problem(400, "ticket_without_stream", f"A ticket is good for a stream: accept {EVENT_STREAM}.")
    ticket = redeemed(sitting.table.game, query["ticket"])
    if query["viewer"] not in (None, viewer_name(ticket.viewer)):
        raise Problem(403, "view_forbidden", f"This ticket shows the game as {viewer_name(ticket.viewer)}.")
    return Reader(ticket.viewer, ticket.seat)


def _after(query: dict[str, Any]) -> int | None:
    """The version after which to read: the header of a stream that is resumed, else the parameter, if it is given.

    A browser resumes a stream at the address that it began with, so the header is the newer of the two.
    """
    last = request.headers.get("Last-Event-ID")
    if last is None:
        after: int | None = query["after"]
        return after
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


def _document(sitting: Sitting, viewer: int, page: list[Form], query: dict[str, Any], after: int) -> Response:
    table = sitting.table
    last = page[-1].entry["version"] if page else after
    body = {"game": table.game, "version": table.version, "hash": table.hash, "events": page, "next": last}
    response = json_response(body, headers=headers_for(table.version, table.hash, viewer))
    return _completed(response, table, page, query, after, for_ever=table.state.status == "finished")


def _lines(sitting: Sitting, viewer: int, page: list[Form], query: dict[str, Any], after: int) -> Response:
    """A page that says nothing of the game as it stands: once it is full it stays what it is."""
    table = sitting.table
    version, chain_hash = (page[-1].entry["version"], page[-1].hash) if page else (after, table.hash)
    response = Response(b"".join(_encode(form) + b"\n" for form in page), content_type=NDJSON)
    response.headers["ETag"] = representation_tag(version, chain_hash, viewer, "ndjson")
    for_ever = len(page) == query["limit"] or table.state.status == "finished"
    return _completed(response, table, page, query, after, for_ever=for_ever)


def _completed(
    response: Response, table: Table, page: list[Form], query: dict[str, Any], after: int, *, for_ever: bool
) -> Response:
    """The page with what leads to others."""
    last = page[-1].entry["version"] if page else after
    before = min(query["limit"], after)
    response.headers.update(
        link_header(
            first=same_with(after=0, wait=None),
            prev=same_with(after=after - before, limit=before, wait=None) if after else None,
            next=same_with(after=last, wait=None) if last < table.version else None,
        )
    )
    if for_ever:
        keep_for_ever(response)
        if page:
            response.headers["Last-Modified"] = formatdate(page[-1].entry["at"] // 1000, usegmt=True)
    return response
