"""Problems by status and code: the sets that several operations share, and the answers that they are described by."""

from collections import defaultdict
from collections.abc import Mapping
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
)
"""What is answered where a request cannot be read, or breaks."""
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

_PROBLEM: Final = "application/problem+json"
_LISTED: Final = 3
"""So many codes at most stand in the description of an answer too."""
_BY_STATUS: Final = {
    HTTPStatus.UNAUTHORIZED: ("WWW-Authenticate",),
    HTTPStatus.TOO_MANY_REQUESTS: ("Retry-After",),
    HTTPStatus.SERVICE_UNAVAILABLE: ("Retry-After",),
}
"""Headers that all answers with a status have besides."""


def answers_with(problems: Problems, headers: Mapping[int, tuple[str, ...]]) -> dict[str, Any]:
    """The answers that these problems are described by, by status; `headers` are those of the operation."""
    by_status: dict[int, list[str]] = defaultdict(list)
    for status, code in sorted(problems):
        by_status[status].append(code)
    return {str(status): _answer(status, codes, headers) for status, codes in by_status.items()}


def codes_in(response: Mapping[str, Any]) -> list[str]:
    """The codes of the problems that an answer may be; none where it is no problem."""
    if _PROBLEM not in response.get("content", {}):
        return []
    return list(response["content"][_PROBLEM]["schema"]["allOf"][1]["properties"]["code"]["enum"])


def _answer(status: int, codes: list[str], headers: Mapping[int, tuple[str, ...]]) -> dict[str, Any]:
    before = all((status, code) in BEFORE for code in codes) and status != HTTPStatus.INTERNAL_SERVER_ERROR
    schema = {
        "allOf": [{"$ref": "#/components/schemas/ProblemAnswer"}, {"properties": {"code": {"enum": codes}}}]
    }
    listed = ", ".join(f"`{each}`" for each in codes) if len(codes) <= _LISTED else "`code` says which one"
    answer: dict[str, Any] = {
        "description": f"A problem: {listed}.",
        "content": {_PROBLEM: {"schema": schema}},
    }
    found = refer_to(
        *(() if before else EVERY_ANSWER), *_BY_STATUS.get(HTTPStatus(status), ()), *headers.get(status, ())
    )
    return {**answer, "headers": found} if found else answer
