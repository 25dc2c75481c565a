"""Problems by status and code: the sets that several operations share, and the answers that they are described by."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from events.rules.errors import RuleViolation
from service.http.contract.headers import EVERY_ANSWER, refer_to

Problems = frozenset[tuple[int, str]]
"""Problems by status and code."""
NONE: Final[Problems] = frozenset()


def of(status: int, *codes: str) -> Problems:
    """These codes with a status."""
    return frozenset((status, code) for code in codes)


def of_rules(*topics: str) -> Problems:
    """The codes of the rules' errors of these topics."""
    return of(422, *(each.code for each in RuleViolation.__subclasses__() if _topic(each) in topics))


def _topic(violation: type[RuleViolation]) -> str:
    """The name of the module in `events.rules.errors`, or `systems` for what one system alone refuses."""
    module = violation.__module__.rpartition(".")[2]
    return "systems" if module == "errors" else module


BEFORE: Final = (
    of(400, "malformed_request")
    | of(408, "request_too_slow")
    | of(414, "address_too_long")
    | of(417, "unsupported_expectation")
    | of(431, "headers_too_large")
    | of(500, "internal_error")
    | of(501, "unsupported_transfer_coding")
    | of(503, "too_many_waiting")
)
"""Problems of requests that cannot be read, break, or find a full queue."""
EVERYWHERE: Final = (
    BEFORE | of(406, "not_acceptable") | of(422, "schema_violation") | of(429, "quota_exceeded")
)
"""What every operation can answer; an operation names only what it can answer besides."""
NAMED: Final = of(404, "not_found")
"""Where a part of the address is a name: one with a slash in it leads nowhere."""
STORE: Final = of(503, "store_unavailable", "store_refused")
TOKEN: Final = STORE | of(401, "bad_token", "key_expired", "key_revoked")
KEY: Final = TOKEN | of(401, "key_required")
SCOPED: Final = KEY | of(403, "scope_missing")
OPERATOR: Final = KEY | of(403, "operator_required")
BODY: Final = of(400, "body_cut_off") | of(413, "body_too_large") | of(415, "unsupported_media_type")
JSON: Final = BODY | of(400, "malformed_json") | of(415, "unsupported_content_encoding")
REPEATABLE: Final = of(400, "bad_idempotency_key")
BOUND: Final = REPEATABLE | of(422, "idempotency_key_reused")
"""Where an Idempotency-Key is bound to the request that it came with."""
COUNTED: Final = of(503, "limits_unavailable")
LISTED: Final = of(400, "bad_cursor")

GAME: Final = NAMED | TOKEN | of(404, "game_not_found") | of(403, "not_your_game")
LOG: Final = (
    of(500, "log_damaged")
    | of(501, "game_unreadable")
    | of(503, "store_unavailable", "store_refused", "archive_unavailable")
)
"""Where the log of a game is read."""
TABLE: Final = GAME | LOG
SEEN: Final = TABLE | of(403, "game_not_finished")
"""Where a game is looked at."""
EYES: Final = SEEN | of(403, "view_forbidden") | of(404, "no_such_seat")
"""Where it may be looked at through somebody's eyes."""
VERSION: Final = of(404, "no_such_version")
LONG_WORK: Final = of(503, "too_many_pages")
"""Where an answer can be long."""
HISTORY: Final = ("history_lost", "history_forked")
WAITING: Final = of(429, "too_many_streams") | of(503, "too_many_streams") | of(409, *HISTORY)
"""Where an answer may be held back until something happens."""
BUDGET: Final = of(422, "log_full", "take_back_budget_spent")
"""Where a game's log may have no room."""
APPENDING: Final = LOG | of(503, "partition_quarantined", "game_busy")
TIMED: Final = of(422, "time_over")
"""Where a seat's command may come after its time."""
TREE: Final = STORE | of(500, "log_damaged")
ENTRY: Final = of(404, "no_such_entry")
MOVES: Final = of_rules("game", "table", "planting", "selling", "trading", "systems")
LEFT: Final = of(422, "seat_taken_over")
"""Where a seat acts that may have been left to a bot."""

GENERAL: Final = EVERYWHERE | STORE | JSON | REPEATABLE
"""Problems of any operation: the contract describes them once, as the default response."""
CODES: Final = "x-problems"
"""The extension of an operation that lists its other problems: codes by status."""
GAME_CODES: Final = "x-game-problems"
"""The extension of the components that lists the problems of any operation on a game, and marks such an operation."""

_BY_DEFAULT: Final = frozenset(status for status, _ in GENERAL) - {HTTPStatus.UNPROCESSABLE_ENTITY}
"""Statuses of any operation, so that the default response describes them; `x-problems` has their codes."""
_HEADERS: Final = {
    HTTPStatus.UNAUTHORIZED: ("WWW-Authenticate",),
    HTTPStatus.CONFLICT: ("ETag",),
    HTTPStatus.PRECONDITION_FAILED: ("ETag",),
}
"""Headers of the problems with a status."""


def problem_responses(answered: Iterable[tuple[int, str]]) -> dict[str, Any]:
    """Return the shared responses: one for each status of these problems, and the one for general problems."""
    codes = ", ".join(f"`{code}` ({status})" for status, code in sorted(GENERAL))
    general = f"A problem that any operation may answer: {codes}."
    return {"Problem": _response(general, (*EVERY_ANSWER, "Retry-After"))} | {
        _name(status): _response(f"A problem: {status.phrase}.", _HEADERS.get(status, ()))
        for status in {HTTPStatus(status) for status, _ in answered} - _BY_DEFAULT
    }


def refer_to_problems(problems: Problems) -> dict[str, Any]:
    """Return the responses of an operation with these problems, by status."""
    statuses = sorted({status for status, _ in problems - GENERAL} - _BY_DEFAULT)
    # Linters expect a client error of every operation; 422 is one of the general problems.
    statuses = statuses or [HTTPStatus.UNPROCESSABLE_ENTITY.value]
    found = {
        str(status): {"$ref": f"#/components/responses/{_name(HTTPStatus(status))}"} for status in statuses
    }
    return found | {"default": {"$ref": "#/components/responses/Problem"}}


def list_codes(problems: Problems) -> dict[str, Any]:
    """Return the extensions of an operation that list the problems that are not general."""
    of_a_game = problems >= TABLE
    codes = codes_by_status(problems - TABLE if of_a_game else problems)
    return ({GAME_CODES: True} if of_a_game else {}) | ({CODES: codes} if codes else {})


def codes_by_status(problems: Problems) -> dict[str, list[str]]:
    """Return the codes of the problems that are not general, by status."""
    found: dict[str, list[str]] = defaultdict(list)
    for status, code in sorted(problems - GENERAL):
        found[str(status)].append(code)
    return dict(found)


def problems_of(operation: Mapping[str, Any]) -> Problems:
    """Return every problem that an operation of the contract may answer."""
    own = {(int(status), code) for status, codes in operation.get(CODES, {}).items() for code in codes}
    return GENERAL | own | (TABLE if operation.get(GAME_CODES) else NONE)


def _name(status: HTTPStatus) -> str:
    return "".join(word.capitalize() for word in status.name.split("_"))


def _response(description: str, headers: tuple[str, ...]) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/ProblemAnswer"}
    response = {"description": description, "content": {"application/problem+json": {"schema": schema}}}
    return {**response, "headers": refer_to(*headers)} if headers else response
