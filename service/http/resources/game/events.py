"""Events: a page of JSON, NDJSON, or a stream of server-sent events, by what the caller accepts."""

from contextlib import nullcontext
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Response, request

from events.log.disclosure import Disclosure, Form
from service.http.context.callers import Viewpoint, admit, view_as
from service.http.context.cursors import (
    Cursor,
    cursor_after,
    cursor_in,
    refuse_another_history,
)
from service.http.context.limits import callers
from service.http.context.services import services
from service.http.context.turns import LONG, turns
from service.http.contract.access import TICKET_HOLDERS
from service.http.contract.headers import LINK, MODIFIED
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource
from service.http.contract.problems import LONG_WORK, VERSION, WAITING, of
from service.http.contract.request_headers import LAST_EVENT_ID
from service.http.follow.event_stream import open_stream
from service.http.follow.freshness import advance
from service.http.follow.narration import narrated_events
from service.http.follow.table_bodies import clock_member
from service.http.messages.bodies import forms, headers_for, json_response
from service.http.messages.caching import keep_for_ever, representation_tag
from service.http.messages.event_forms import EVENT_STREAM, NDJSON, preferred_form
from service.http.messages.links import link_header, same_with
from service.http.messages.problems import Problem
from service.http.resources.game.tickets import viewpoint_by
from service.http.schemas.queries import EventsQuery

blueprint = Resource("events", __name__, url_prefix="/v1/games", description="Events")
_FORMS = {
    NDJSON: "One event per line.",
    EVENT_STREAM: "A frame `view` with the table, then one per event (its id is its cursor, its data the "
    "event); `clock` when deadlines change; "
    "`presence` when somebody comes or goes, `dispute` when something happens in a case, "
    "`history_lost` where the log does not go on from what was sent, `end` after the last.",
}

_encode = msgspec.json.Encoder().encode


@blueprint.get("/<string:game>/events")
@Operation(
    TICKET_HOLDERS,
    "EventsAnswer",
    VERSION | WAITING | LONG_WORK | of(400, "ticket_without_stream", "token_and_ticket"),
    takes=(LAST_EVENT_ID,),
    gives=(LINK, MODIFIED),
    forms=_FORMS,
    otherwise={"204": "A stream is asked for, and there is nothing more to come: do not come back."},
    links={
        "next": Link("read_events", {**SAME_GAME, "after": "$response.body#/cursor"}, "The following page.")
    },
)
@blueprint.arguments(EventsQuery, location="query")
def read_events(query: dict[str, Any], game: str) -> Response:
    """Read events after a version, as the caller may see them; `wait` seconds for new ones if there are none.

    A stream begins with the `view` of the table as it stands and goes on with what happens; with `after` or
    `Last-Event-ID` it begins with the events after that version.
    """
    accepted = preferred_form(request.accept_mimetypes)
    seen = _viewpoint(game, query, accepted)
    given = _after(query)
    if given is not None and not given.hash and given.version > seen.table.version:
        detail = f"The game is at version {seen.table.version}; it has not reached version {given}."
        raise Problem(404, "no_such_version", detail)
    begun = given or Cursor(0)
    refuse_another_history(seen.loaded, begun, seen.viewer, HTTPStatus.CONFLICT)
    if accepted == EVENT_STREAM:
        return open_stream(seen, given, view=query["view"], language=query["text"])
    page = _page(advance(seen, begun, query), begun, query["limit"], query["text"])
    return (_lines if accepted == NDJSON else _document)(page, query["limit"])


def _viewpoint(game: str, query: dict[str, Any], accepted: str) -> Viewpoint:
    if query["ticket"] is not None:
        if accepted != EVENT_STREAM:
            detail = f"A ticket is good for a stream: accept {EVENT_STREAM}."
            raise Problem(400, "ticket_without_stream", detail)
        return viewpoint_by(query["ticket"], game, query["viewer"])
    seen = view_as(admit(game), query["viewer"])
    if seen.caller.seat is not None and accepted != EVENT_STREAM:
        services().presence.seen(game, seen.caller.seat)
    return seen


def _after(query: dict[str, Any]) -> Cursor | None:
    """After what to read: the header of a stream that is resumed, else the parameter, if it is given.

    A browser resumes a stream at the address that it began with, so the header is the newer of the two.
    """
    last = request.headers.get("Last-Event-ID")
    if last is None:
        return cursor_in(query["after"])
    found = cursor_in(last)
    if found is None:
        raise Problem(400, "bad_last_event_id", "Last-Event-ID is the id of the last event received.")
    return found


@dataclass(frozen=True, slots=True)
class _Page:
    """Events after a place, as a caller may see them."""

    seen: Viewpoint
    begun: Cursor
    events: list[Form] | list[dict[str, Any]]
    following: Cursor
    """The place behind them."""
    last_at: int | None
    """When the last of them happened, in milliseconds since the epoch; None where there is none."""
    is_full: bool
    is_told: bool
    """Whether they have sentences, whose wording is no part of the log."""


def _page(seen: Viewpoint, begun: Cursor, limit: int, language: str | None) -> _Page:
    table = seen.table
    most = min(limit, table.version - begun.version)
    entries = [*services().store.read(table.game, begun.version, most)] if most else []
    with turns.at_long_work(callers()) if len(entries) > LONG else nullcontext():
        disclosures = [Disclosure(entry, table.key) for entry in entries]
        events = narrated_events(seen.loaded, disclosures, seen.viewer, language)
    return _Page(
        seen,
        begun,
        events,
        cursor_after(forms(entries[-1:], table.key, seen.viewer), seen.loaded, begun),
        entries[-1].at if entries else None,
        is_full=len(entries) == limit,
        is_told=language is not None,
    )


def _document(page: _Page, limit: int) -> Response:
    table = page.seen.table
    body = {
        "game": table.game,
        "version": table.version,
        "hash": table.hash,
        "events": page.events,
        "next": page.following.version,
        "cursor": str(page.following),
        **(clock_member(table.log.clock) if page.following.version == table.version else {}),
    }
    known_by = {} if page.is_told else headers_for(table.version, table.hash, page.seen.viewer)
    response = json_response(body, headers=known_by)
    return _complete(response, page, limit, for_ever=table.state.status == "finished")


def _lines(page: _Page, limit: int) -> Response:
    """A page that says nothing of the game as it stands: once it is full it stays what it is."""
    response = Response(b"".join(_encode(form) + b"\n" for form in page.events), content_type=NDJSON)
    version, chain_hash = page.following
    if not page.is_told:
        response.headers["ETag"] = representation_tag(version, chain_hash, page.seen.viewer, "ndjson")
    is_over = page.seen.table.state.status == "finished"
    return _complete(response, page, limit, for_ever=page.is_full or is_over)


def _complete(response: Response, page: _Page, limit: int, *, for_ever: bool) -> Response:
    """The page with what leads to others."""
    begun, following = page.begun.version, page.following
    before = min(limit, begun)
    is_last = following.version == page.seen.table.version
    response.headers.update(
        link_header(
            first=same_with(after=0, wait=None),
            prev=same_with(after=begun - before, limit=before, wait=None) if begun else None,
            next=None if is_last else same_with(after=str(following), wait=None),
        )
    )
    if for_ever and not page.is_told:
        keep_for_ever(response, is_listed=page.seen.caller.policy.is_listed)
        if page.last_at is not None:
            response.headers["Last-Modified"] = formatdate(page.last_at // 1000, usegmt=True)
    return response
