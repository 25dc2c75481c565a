"""Every error as `application/problem+json` (RFC 9457): one table from exception to status and stable type."""

import logging
from collections.abc import Mapping
from typing import Any

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
from service.catalogues.catalogues import UnknownCatalogue
from service.http.messages.bodies import headers_for, legal_bodies
from service.platform.tracing import current_trace
from service.play.command_handling import TooBusy
from service.play.deciding import HiddenInformationRevealed, Refused, Stale
from service.play.lobby import NotPlayed
from service.verification.transparency_log import NoSuchEntry

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
    """An `If-Match` that is not the game's version any more, with the events missed and what is legal now."""
    table = stale.loaded.table
    return Problem(
        412,
        "stale_version",
        f"You decided on version {expected}; the game is at version {table.version}. Look at the events missed.",
        headers=headers_for(table.version, table.hash),
        version=table.version,
        hash=table.hash,
        events=missed,
        legal_commands=_legal(table, viewer),
    )


def from_not_played(not_played: NotPlayed) -> Problem:
    """A table that the rule system asked for cannot be set up: there is no game, and so no state to show."""
    violation = not_played.violation
    section = not_played.system.section_of(violation)
    return Problem(422, violation.code, str(violation), section=str(section))


def _without_system(violation: RuleViolation) -> Problem:
    """Where no rule system is known there is no booklet to name."""
    return Problem(422, violation.code, str(violation), section=str(HOUSE_RULE))


def _from_store(error: StoreError) -> Problem:
    match error:
        case GameNotFound():
            return Problem(404, "game_not_found", "There is no game with this id.")
        case CommandIdReused():
            return Problem(
                422,
                "idempotency_key_reused",
                "This Idempotency-Key was used for another request; choose a new one.",
            )
        case ArchiveUnavailable():
            _log.error("archive: %s", error)
            return Problem(
                503,
                "archive_unavailable",
                "This game is archived, and the archive cannot be reached; try again later.",
                headers={"Retry-After": "30"},
            )
        case StoreUnavailable():
            return Problem(
                503,
                "store_unavailable",
                "The log's store cannot be reached. Nothing was lost; send the request again, with the same"
                " Idempotency-Key if it was a command.",
                headers={"Retry-After": "2"},
            )
        case StoreDamaged():
            _log.error("damaged log: %s", error)
            return Problem(
                500, "log_damaged", _ARCHIVE_DAMAGED if isinstance(error, ArchiveDamaged) else _LOG_DAMAGED
            )
        case _:
            _log.error("store refused: %s", error)
            return Problem(
                503,
                "store_refused",
                "The log's store refuses to write; try again later.",
                headers={"Retry-After": "30"},
            )


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
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(RuleViolation, lambda error: problem_response(_without_system(error)))
    app.register_error_handler(StoreError, lambda error: problem_response(_from_store(error)))
    app.register_error_handler(HTTPException, lambda error: problem_response(_from_http(error)))

    def busy(_error: TooBusy) -> Response:
        detail = "The game moved on at every try; send the request again."
        return problem_response(Problem(503, "game_busy", detail, headers={"Retry-After": "1"}))

    def quarantined(error: PartitionQuarantined) -> Response:
        detail = (
            f"This game lies in partition {error.partition} of the store, which has lost something or is damaged and"
            " takes nothing until the operator has looked at it. The game can be read, and other games go on. Send"
            " the request again later, with the same Idempotency-Key if it was a command."
        )
        return problem_response(Problem(503, "partition_quarantined", detail, headers={"Retry-After": "60"}))

    def uninstalled(error: CatalogueInvalid) -> Response:
        return problem_response(_from_store(StoreDamaged(str(error))))

    def unknown_catalogue(error: UnknownCatalogue) -> Response:
        return problem_response(Problem(422, "unknown_catalogue", str(error)))

    def no_entry(error: NoSuchEntry) -> Response:
        return problem_response(Problem(404, "no_such_entry", str(error)))

    def unexpected(error: Exception) -> Response:
        _log.exception("unexpected error in %s %s", request.method, request.path, exc_info=error)
        return problem_response(Problem(500, *_HTTP[500]))

    def unreadable(error: UndecodableEvent) -> Response:
        _log.error("unreadable log: %s", error)
        detail = f"This release of Fieldbook cannot read the game: {error}."
        return problem_response(Problem(501, "game_unreadable", detail))

    app.register_error_handler(TooBusy, busy)
    app.register_error_handler(PartitionQuarantined, quarantined)
    app.register_error_handler(UndecodableEvent, unreadable)
    app.register_error_handler(CatalogueInvalid, uninstalled)
    app.register_error_handler(UnknownCatalogue, unknown_catalogue)
    app.register_error_handler(NoSuchEntry, no_entry)
    app.register_error_handler(Exception, unexpected)
