"""Which problems each operation can answer, by status and code, with the headers of every answer."""

from collections import defaultdict
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

from flask_smorest import Api

from events.rules.errors import RuleViolation
from service.http.contract_operations import METHODS, OPERATIONS

Problems = frozenset[tuple[int, str]]
"""Problems by status and code."""


def _of(status: int, *codes: str) -> Problems:
    return frozenset((status, code) for code in codes)


def _rules(*topics: str) -> Problems:
    """The codes of the rules' errors that stand in these modules of `events.rules.errors`."""
    modules = {f"{RuleViolation.__module__.rpartition('.')[0]}.{topic}" for topic in topics}
    codes = sorted(each.code for each in RuleViolation.__subclasses__() if each.__module__ in modules)
    return _of(422, *codes)


BEFORE: Final = (
    _of(400, "malformed_request")
    | _of(408, "request_too_slow")
    | _of(414, "address_too_long")
    | _of(417, "unsupported_expectation")
    | _of(431, "headers_too_large")
    | _of(500, "internal_error")
    | _of(501, "unsupported_transfer_coding")
)
"""What is answered where a request cannot be read, or breaks."""
EVERYWHERE: Final = (
    BEFORE | _of(406, "not_acceptable") | _of(422, "schema_violation") | _of(429, "quota_exceeded")
)
NAMED_THING: Final = EVERYWHERE | _of(404, "not_found")
"""Where a part of the address is a name: one with a slash in it leads nowhere."""
STORE: Final = _of(503, "store_unavailable", "store_refused")
TOKEN: Final = STORE | _of(401, "bad_token", "key_expired", "key_revoked")
KEY: Final = TOKEN | _of(401, "key_required")
SCOPED: Final = KEY | _of(403, "scope_missing")
OPERATOR: Final = KEY | _of(403, "operator_required")
BODY: Final = _of(400, "body_cut_off") | _of(413, "body_too_large") | _of(415, "unsupported_media_type")
JSON: Final = BODY | _of(400, "malformed_json") | _of(415, "unsupported_content_encoding")
REPEATABLE: Final = _of(400, "bad_idempotency_key")
BOUND: Final = REPEATABLE | _of(422, "idempotency_key_reused")
"""Where an Idempotency-Key is bound to the request that it came with."""
COUNTED: Final = _of(503, "limits_unavailable")
LISTED: Final = _of(400, "bad_cursor")
WEBHOOK: Final = NAMED_THING | SCOPED | COUNTED | _of(404, "webhook_not_found")
"""Where a webhook is named."""

GAME: Final = NAMED_THING | TOKEN | _of(404, "game_not_found") | _of(403, "not_your_game")
LOG: Final = (
    _of(500, "log_damaged")
    | _of(501, "game_unreadable")
    | _of(503, "store_unavailable", "store_refused", "archive_unavailable")
)
"""Where the log of a game is read."""
TABLE: Final = GAME | LOG
SEEN: Final = TABLE | _of(403, "game_not_finished")
"""Where a game is looked at."""
EYES: Final = SEEN | _of(403, "view_forbidden") | _of(404, "no_such_seat")
"""Where it may be looked at through somebody's eyes."""
VERSION: Final = _of(404, "no_such_version")
HISTORY: Final = ("history_lost", "history_forked")
WAITING: Final = _of(429, "too_many_streams") | _of(503, "too_many_streams")
APPENDING: Final = LOG | _of(503, "partition_quarantined", "game_busy")
INSIDE: Final = GAME | _of(401, "token_required") | _of(403, "insider_required")
SEATED: Final = TABLE | _of(401, "seat_required") | _of(403, "seat_required")
TAKEN_BACK: Final = (
    SEATED
    | BOUND
    | APPENDING
    | _of(400, "bad_if_match")
    | _of(412, "stale_version", *HISTORY)
    | _of(422, "game_not_started", "game_over", "game_is_paused")
)
"""Where a seat asks to go back, or answers that."""
TREE: Final = STORE | _of(500, "log_damaged")
ENTRY: Final = _of(404, "no_such_entry")

ANNOTATED: Final = (
    APPENDING
    | _of(401, "token_required")
    | _of(422, "annotations_full", "bad_annotation", "empty_annotation", "no_such_seat")
)
"""Where something is said about a game."""
DISPUTED: Final = APPENDING | BOUND | _of(404, "no_such_dispute") | _of(409, "too_late", "wrong_case_status")
"""Where something is done about a case."""
PARTY: Final = TABLE | DISPUTED | _of(401, "token_required") | _of(403, "not_a_party")
ARBITER: Final = (
    TABLE | DISPUTED | _of(401, "token_required") | _of(403, "scope_missing", "not_the_arbiter", "own_game")
)
MOVES: Final = _rules("game", "table", "planting", "selling", "trading", "ladybohn", "lady_bohn", "the_duel")

PROBLEMS: Final[dict[str, Problems]] = {
    "list_systems": EVERYWHERE,
    "describe_system": NAMED_THING | _of(404, "unknown_system"),
    "list_games": EVERYWHERE | TOKEN | LISTED,
    "create_game": EVERYWHERE
    | SCOPED
    | JSON
    | BOUND
    | LOG
    | _of(503, "partition_quarantined")
    | _of(422, "unknown_catalogue", "bad_name")
    | _rules("setting_up") - _of(422, "rules_mismatch"),
    "show_table": EYES | VERSION | WAITING | _of(409, *HISTORY),
    "show_catalogue": TABLE,
    "take_seat": TABLE
    | JSON
    | BOUND
    | APPENDING
    | _of(400, "idempotency_key_too_short")
    | _of(422, "bad_name", "game_started_already", "no_such_seat", "seat_occupied"),
    "replace_seat_token": TABLE
    | REPEATABLE
    | _of(401, "token_required")
    | _of(403, "host_required", "operator_required")
    | _of(404, "no_such_seat")
    | _of(422, "no_person_there"),
    "list_spectators": INSIDE,
    "add_spectator": INSIDE | JSON | BOUND | _of(422, "too_many_spectators"),
    "dismiss_spectator": INSIDE | _of(403, "not_your_spectator"),
    "list_legal_commands": SEATED | VERSION | WAITING | _of(409, *HISTORY),
    "send_commands": SEATED
    | JSON
    | BOUND
    | APPENDING
    | _of(400, "bad_if_match")
    | _of(412, "stale_version", *HISTORY)
    | _of(422, "hidden_cards_turned_up")
    | _of(422, "game_is_paused", "take_back_open")
    | MOVES,
    "list_take_backs": SEATED,
    "ask_take_back": TAKEN_BACK | JSON | _of(422, "take_back_open", "contradicts_log", "seen_unconfirmed"),
    "agree_take_back": TAKEN_BACK
    | _of(422, "no_take_back", "agreed_already", "contradicts_log", "seen_unconfirmed"),
    "decline_take_back": TAKEN_BACK | _of(422, "no_take_back"),
    "read_events": EYES
    | VERSION
    | WAITING
    | _of(400, "bad_last_event_id", "ticket_without_stream", "token_and_ticket")
    | _of(401, "bad_ticket")
    | _of(409, *HISTORY),
    "get_ticket": EYES | _of(401, "token_required"),
    "download_record": EYES | ENTRY,
    "list_validations": GAME,
    "fetch_receipt": SEEN | VERSION,
    "fetch_proof": SEEN | ENTRY | _of(404, "not_finished"),
    "export_games": EVERYWHERE | SCOPED | LISTED | _of(503, "too_many_exports"),
    "show_log": EVERYWHERE | TREE,
    "fetch_checkpoint": EVERYWHERE | TREE | ENTRY,
    "fetch_consistency": EVERYWHERE | TREE | ENTRY,
    "list_log_entries": EVERYWHERE | TREE,
    "list_signing_keys": EVERYWHERE,
    "verify_record": EVERYWHERE
    | BODY
    | _of(422, "verification_too_long")
    | _of(503, "too_many_verifications"),
    "list_keys": EVERYWHERE | OPERATOR | LISTED,
    "create_key": EVERYWHERE | OPERATOR | JSON | BOUND | COUNTED | _of(422, "expires_in_the_past"),
    "show_own_token": EVERYWHERE
    | TOKEN
    | _of(401, "token_required")
    | _of(403, "not_your_game")
    | _of(404, "game_not_found")
    | _of(422, "game_required"),
    "show_key": NAMED_THING | OPERATOR | _of(404, "key_not_found"),
    "revoke_key": NAMED_THING | OPERATOR | COUNTED | _of(404, "key_not_found"),
    "list_operator_acts": EVERYWHERE | OPERATOR | LISTED,
    "play_branch": EYES
    | JSON
    | VERSION
    | MOVES
    | _of(
        422,
        "game_not_begun",
        "branch_of_another_game",
        "no_such_node",
        "branch_too_large",
        "branch_too_long",
        "bad_bots",
        "bad_branch_token",
    )
    | _of(503, "too_many_branches"),
    "list_annotations": SEEN | LISTED,
    "annotate": SEEN
    | ANNOTATED
    | JSON
    | BOUND
    | VERSION
    | _of(400, "bad_if_match")
    | _of(412, "set_changed")
    | _of(422, "no_such_annotation", "annotation_withdrawn", "no_such_set", "nothing_to_publish"),
    "import_annotations": SEEN
    | ANNOTATED
    | BODY
    | _of(403, "not_your_set")
    | _of(409, "annotations_forked")
    | _of(422, "another_game", "annotations_broken"),
    "list_disputes": SEEN,
    "open_dispute": TABLE
    | JSON
    | BOUND
    | APPENDING
    | VERSION
    | _of(401, "token_required")
    | _of(403, "not_at_table")
    | _of(409, "already_disputed", "too_late", "too_many_disputes"),
    "show_dispute": SEEN | _of(404, "no_such_dispute"),
    "read_evidence_pack": SEEN | _of(404, "no_such_dispute", "no_evidence_pack"),
    "add_evidence": PARTY | JSON | VERSION | _of(409, "too_much_evidence"),
    "withdraw_dispute": PARTY | _of(403, "not_the_opener"),
    "claim_dispute": ARBITER | _of(403, "same_arbiter"),
    "release_dispute": ARBITER,
    "give_ruling": ARBITER
    | JSON
    | _of(409, "already_applied")
    | _of(422, "contradicts_log", "ruling_without_reason", "ruling_without_scope", "seen_unconfirmed"),
    "preview_ruling": ARBITER
    | JSON
    | _of(409, "already_applied")
    | _of(422, "contradicts_log", "ruling_without_reason", "ruling_without_scope", "seen_unconfirmed"),
    "accept_ruling": PARTY,
    "appeal": PARTY | JSON | _of(409, "already_accepted"),
    "list_all_disputes": EVERYWHERE | SCOPED | LISTED,
    "list_webhooks": EVERYWHERE | SCOPED | COUNTED,
    "create_webhook": EVERYWHERE
    | SCOPED
    | JSON
    | BOUND
    | COUNTED
    | LOG
    | _of(403, "game_not_finished", "not_your_game")
    | _of(404, "game_not_found")
    | _of(409, "too_many_webhooks")
    | _of(422, "bad_webhook_url", "webhook_address_forbidden"),
    "show_webhook": WEBHOOK,
    "delete_webhook": WEBHOOK,
    "verify_webhook": WEBHOOK | _of(403, "not_your_webhook"),
    "disable_webhook": WEBHOOK,
    "list_deliveries": WEBHOOK,
    "redeliver": WEBHOOK | _of(404, "delivery_not_found") | _of(409, "webhook_not_active"),
}
"""By the id of the operation; the contract cannot be made while one is missing."""

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "RateLimit": {
        "description": "What is left of the quota that counts this request, and the seconds until it is renewed "
        "(draft-ietf-httpapi-ratelimit-headers-11); absent where the service limits nothing.",
        "schema": {"type": "string", "pattern": '^"[a-z]+";r=[0-9]+;t=[0-9]+$'},
    },
    "RateLimit-Policy": {
        "description": "That quota: its name, how many requests, and in how many seconds.",
        "schema": {"type": "string", "pattern": '^"[a-z]+";q=[0-9]+;w=[0-9]+$'},
    },
    "X-Request-Id": {
        "description": "What to name in a report: the id that was sent, or one made up.",
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"},
    },
    "ETag": {
        "description": "The entity tag of what was changed meanwhile.",
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "Seconds after which to try again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    },
    "WWW-Authenticate": {
        "description": "`Bearer`: a key or the token of a seat.",
        "required": True,
        "schema": {"type": "string", "const": "Bearer"},
    },
}
"""Headers that do not depend on the operation."""
EVERY_ANSWER: Final = ("RateLimit", "RateLimit-Policy", "X-Request-Id")
BY_STATUS: Final = {
    HTTPStatus.UNAUTHORIZED: "WWW-Authenticate",
    HTTPStatus.TOO_MANY_REQUESTS: "Retry-After",
    HTTPStatus.SERVICE_UNAVAILABLE: "Retry-After",
}
"""A header that all answers with a status have besides."""


def describe_problems(api: Api, paths: dict[str, Any]) -> None:
    """Give every operation the problems that it can answer, and every answer its headers.

    A status with one code refers to an answer that is described once, under the code's name.
    """
    for name, header in HEADERS.items():
        api.spec.components.header(name, header)
    shared: dict[str, Any] = {}
    for method, path, operation in _operations(paths):
        answers = operation["responses"]
        answers.pop("default", None)
        for answer in answers.values():
            answer["headers"] = {**_references(EVERY_ANSWER), **answer.get("headers", {})}
        by_status: dict[int, list[str]] = defaultdict(list)
        for status, code in sorted(PROBLEMS[OPERATIONS[method, path].id]):
            by_status[status].append(code)
        for status, codes in by_status.items():
            described = _answer(status, codes)
            if len(codes) == 1:
                name = _camel(codes[0])
                shared[name] = described
                described = {"$ref": f"#/components/responses/{name}"}
            answers[str(status)] = described
    for name, described in sorted(shared.items()):
        api.spec.components.response(name, described)


def _operations(paths: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in paths.items():
        for method, operation in methods.items():
            if method in METHODS:
                yield method, path, operation


def _answer(status: int, codes: list[str]) -> dict[str, Any]:
    before = all((status, code) in BEFORE for code in codes) and status != HTTPStatus.INTERNAL_SERVER_ERROR
    headers = [
        *(() if before else EVERY_ANSWER),
        *([BY_STATUS[HTTPStatus(status)]] if status in BY_STATUS else []),
        *(["ETag"] if codes == ["set_changed"] else []),
    ]
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/ProblemAnswer"},
            {"type": "object", "properties": {"code": {"type": "string", "enum": codes}}},
        ]
    }
    answer: dict[str, Any] = {
        "description": "A problem: " + ", ".join(f"`{code}`" for code in codes) + ".",
        "content": {"application/problem+json": {"schema": schema}},
    }
    return {**answer, "headers": _references(headers)} if headers else answer


def _references(names: Any) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _camel(code: str) -> str:
    return "".join(word.capitalize() for word in code.split("_"))
