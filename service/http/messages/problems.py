"""Every error as `application/problem+json` (RFC 9457): one table from exception to status and stable type."""

import logging
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import msgspec
from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

from events.game.table import Table
from events.log.upcasting import UndecodableEvent
from events.rules.catalogues.catalogue import CatalogueInvalid
from events.rules.errors import RuleViolation
from events.rules.errors.printed_rules import HOUSE_RULE
from events.rules.table.player_view import player_view
from events.store.errors import (
    ArchiveDamaged,
    ArchiveUnavailable,
    CommandIdReused,
    GameNotFound,
    PartitionQuarantined,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
)
from service.access.keys import KeyIdReused
from service.catalogues.catalogues import UnknownCatalogue
from service.http.messages.bodies import headers_for, legal_bodies
from service.platform.tracing import current_trace
from service.play.deciding import HiddenInformationRevealed, Refused, Stale
from service.play.lobby import NotPlayed
from service.play.outcome import TooBusy
from service.play.timekeeping import TimeUncertain
from service.projections.list_cursors import BadCursor
from service.verification.transparency_log import NoSuchEntry
from service.webhooks.registry import WebhookReused

TYPE_PREFIX = "urn:fieldbook:problem:"
"""Every problem's `type` is this and its code."""
_LOG_DAMAGED = "The log of this game is damaged; the operator has been told."
_ARCHIVE_DAMAGED = (
    "The archive's copy of this game is damaged, so nothing of it is served. The operator has been told which file it"
    " is; once an undamaged one is put back the game reads as before."
)
_log = logging.getLogger("fieldbook.http")


class Problem(Exception):
    """An answer that is an error.

    Attributes:
        status: the HTTP status.
        code: the stable code, in snake_case.
        detail: what was wrong, where, and what to do.
        extra: further members of the document.
        headers: further headers of the answer.
    """

    def __init__(
        self, status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **extra: Any
    ) -> None:
        """Describe the error."""
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.extra = extra


def problem_document(problem: Problem) -> dict[str, Any]:
    """A problem as a JSON object."""
    return {
        "type": TYPE_PREFIX + problem.code,
        "title": problem.code.replace("_", " ").capitalize(),
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
        **problem.extra,
    }


def describe_problem(problem: Problem) -> dict[str, Any]:
    """The document of a problem that is told to a caller, which is what log and metrics say of the request."""
    g.problem_code = problem.code
    return problem_document(problem)


def problem_response(problem: Problem) -> Response:
    """The HTTP answer for a problem."""
    document = describe_problem(problem)
    trace = current_trace()
    if trace is not None:
        document["request_id"] = trace.request_id
    return Response(
        msgspec.json.encode(document),
        status=problem.status,
        headers=problem.headers,
        content_type="application/problem+json",
    )


def from_refusal(refused: Refused, viewer: int, seen: Table | None = None) -> Problem:
    """A move that the rules refuse: the rule, what the table looks like, and what would be legal.

    `seen` is the table as it is shown to somebody who is some versions behind.
    """
    table = seen or refused.table
    return Problem(
        422,
        refused.violation.code,
        str(refused.violation),
        section=str(table.rules.system.section_of(refused.violation)),
        place=refused.place,
        version=refused.version if seen is None else seen.version,
        state=player_view(table.state, viewer),
        legal_commands=_legal(table, viewer),
    )


def from_revealed_information(turned_up: HiddenInformationRevealed, viewer: int) -> Problem:
    """A command that follows one which may turn up hidden cards."""
    return Problem(
        422,
        "hidden_cards_turned_up",
        f"Command {turned_up.place} follows one that may turn up hidden cards; look at them, and send it by itself.",
        section=str(HOUSE_RULE),
        place=turned_up.place,
        version=turned_up.table.version,
        legal_commands=_legal(turned_up.table, viewer),
    )


def _legal(table: Table, viewer: int) -> list[dict[str, Any]]:
    """What a seat may send; nothing for whoever else is looking."""
    return legal_bodies(table, viewer) if viewer >= 0 else []


def from_staleness(stale: Stale, expected: int, missed: list[Any], viewer: int) -> Problem:
    """An `If-Match` that is not the game's version any more, with what is legal now and the first events missed.

    `next` is the version of the last of these: after it is read on where the game has come further.
    """
    table = stale.loaded.table
    following = expected + len(missed)
    rest = f" and read on after version {following}" if following < table.version else ""
    return Problem(
        412,
        "stale_version",
        f"You decided on version {expected}; the game is at version {table.version}."
        f" Look at the events missed{rest}.",
        headers=headers_for(table.version, table.hash),
        version=table.version,
        hash=table.hash,
        events=missed,
        next=following,
        legal_commands=_legal(table, viewer),
    )


def from_not_played(not_played: NotPlayed) -> Problem:
    """A table that the rule system asked for cannot be set up: there is no game, and so no state to show."""
    violation = not_played.violation
    section = not_played.system.section_of(violation)
    return Problem(422, violation.code, str(violation), section=str(section))


class _Told(NamedTuple):
    """What is told of an exception, which is `{0}` in the detail."""

    status: int
    code: str
    detail: str = "{0}"
    retry_after: int | None = None
    """Seconds after which to try again."""
    logged: str = ""
    """What the operator is told of it."""


_REUSED: Final = _Told(
    422,
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request; choose a new one.",
)
_TOLD: Final[dict[type[Exception], _Told]] = {
    GameNotFound: _Told(404, "game_not_found", "There is no game with this id."),
    CommandIdReused: _REUSED,
    KeyIdReused: _REUSED,
    WebhookReused: _REUSED,
    BadCursor: _Told(400, "bad_cursor", "This cursor is not from this list; begin without one."),
    NoSuchEntry: _Told(404, "no_such_entry"),
    UnknownCatalogue: _Told(422, "unknown_catalogue"),
    TooBusy: _Told(503, "game_busy", "The game moved on at every try; send the request again.", 1),
    TimeUncertain: _Told(
        503,
        "time_uncertain",
        "Whether this time is over cannot be said yet: the service has just come back, or does not know yet that it"
        " was there until then. Send the request again in a moment.",
        2,
    ),
    PartitionQuarantined: _Told(
        503,
        "partition_quarantined",
        "This game lies in partition {0.partition} of the store, which has lost something or is damaged and takes"
        " nothing until the operator has looked at it. The game can be read, and other games go on. Send the request"
        " again later, with the same Idempotency-Key if it was a command.",
        60,
    ),
    StoreUnavailable: _Told(
        503,
        "store_unavailable",
        "The log's store cannot be reached. Nothing was lost; send the request again, with the same Idempotency-Key"
        " if it was a command.",
        2,
    ),
    ArchiveUnavailable: _Told(
        503,
        "archive_unavailable",
        "This game is archived, and the archive cannot be reached; try again later.",
        30,
        "archive: %s",
    ),
    StoreDamaged: _Told(500, "log_damaged", _LOG_DAMAGED, logged="damaged log: %s"),
    ArchiveDamaged: _Told(500, "log_damaged", _ARCHIVE_DAMAGED, logged="damaged log: %s"),
    CatalogueInvalid: _Told(500, "log_damaged", _LOG_DAMAGED, logged="damaged log: %s"),
    StoreError: _Told(
        503, "store_refused", "The log's store refuses to write; try again later.", 30, "store refused: %s"
    ),
    UndecodableEvent: _Told(
        501,
        "game_unreadable",
        "This release of Fieldbook cannot read the game: {0}.",
        logged="unreadable log: %s",
    ),
}
"""Of an exception, or else of the class that it is a kind of."""


def _from_exception(error: Exception) -> Problem:
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException):
        return _from_http(error)
    if isinstance(error, RuleViolation):
        # Where no rule system is known there is no booklet to name.
        return Problem(422, error.code, str(error), section=str(HOUSE_RULE))
    told = next((_TOLD[kind] for kind in type(error).__mro__ if kind in _TOLD), None)
    if told is None:
        _log.exception("unexpected error in %s %s", request.method, request.url_rule, exc_info=error)
        return Problem(500, *_HTTP[500])
    if told.logged:
        _log.error(told.logged, error)
    headers = {} if told.retry_after is None else {"Retry-After": str(told.retry_after)}
    return Problem(told.status, told.code, told.detail.format(error), headers=headers)


def _from_http(error: HTTPException) -> Problem:
    status = error.code or 500
    code, detail = _HTTP.get(status, (error.name.lower().replace(" ", "_"), error.description or error.name))
    headers = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After"}}
    return Problem(status, code, detail, headers=headers)


_HTTP = {
    400: ("malformed_request", "The request could not be read."),
    404: ("not_found", "There is nothing at this address; see /openapi.yaml for what there is."),
    405: (
        "method_not_allowed",
        "This address does not take this method; the header Allow says which it takes.",
    ),
    413: ("body_too_large", "The body is larger than this service reads."),
    415: ("unsupported_media_type", "Send the body as application/json."),
    500: (
        "internal_error",
        "Something went wrong here; nothing was appended by this request unless it says so.",
    ),
}


def register_problems(app: Flask) -> None:
    """Answer every exception with a problem document."""
    app.register_error_handler(Exception, lambda error: problem_response(_from_exception(error)))
