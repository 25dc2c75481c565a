"""The headers of requests and answers, as the contract describes them."""

from typing import Any, Final

from service.http.identity import UNGUESSABLE

SEATS: Final = "/v1/games/{game}/seats"
"""Where whoever knows the Idempotency-Key gets the seat's token."""
ANNOTATIONS: Final = "/v1/games/{game}/annotations"
DISPUTES: Final = "/v1/games/{game}/disputes"
SENDING: Final = (
    "/v1/games/{game}/commands",
    "/v1/games/{game}/take-backs",
    "/v1/games/{game}/take-backs/agreement",
    "/v1/games/{game}/take-backs/refusal",
)
"""Where a seat does something in its game."""
CHANGING_GAMES: Final = ("/v1/games", *SENDING, SEATS)
"""Where the answer to a POST says how far a game has come."""
TAKING_KEYS: Final = (
    *CHANGING_GAMES,
    "/v1/games/{game}/seats/{seat}/token",
    "/v1/games/{game}/spectators",
    ANNOTATIONS,
    DISPUTES,
    *(
        f"{DISPUTES}/{{dispute}}/{step}"
        for step in ("evidence", "withdrawal", "claim", "rulings", "acceptance", "appeal")
    ),
    "/v1/keys",
    "/v1/webhooks",
)
"""Where a POST takes an Idempotency-Key, and a DELETE too where there is one."""
MAKING: Final = ("/v1/games", DISPUTES, "/v1/keys", "/v1/webhooks")
"""Where a POST makes what has an address of its own."""
FILES: Final = ("/v1/games/{game}/record", "/v1/exports/games", ANNOTATIONS)
"""What is downloaded as a file."""
LISTS: Final = ("/v1/games", "/v1/games/{game}/events", ANNOTATIONS, "/v1/disputes")
"""What has further pages."""
_REPEATED = "Makes the request safe to send again: it then gets its first answer"
_KEY = (
    "Idempotency-Key",
    f"{_REPEATED}. Best a random UUID for each request; 1 to 200 visible ASCII characters.",
    202,
)
_SECRET_KEY = (
    "Idempotency-Key",
    f"{_REPEATED}, with the seat's token. Take a random UUID; {UNGUESSABLE} to 200 visible ASCII characters.",
    202,
)
_MATCH = ("If-Match", "Applies the commands only to the version in this entity tag of the game.", 80)
_MATCH_SET = ("If-Match", "Writes the entry only after the one in this entity tag of the set.", 80)
_NONE_MATCH = (
    "If-None-Match",
    "Entity tags of what the caller has: 304 where one is still what there is.",
    None,
)
_LAST_EVENT = ("Last-Event-ID", "The id of the last frame of a stream that is resumed.", 40)

_TAG = ("ETag", "The entity tag of what is answered; of a game it begins with the version.")
_KEPT = ("Cache-Control", "How long this may be kept: a version that has been for ever.")
_LINK = ("Link", "The first and the next page, of events the previous one too (RFC 8288), and the contract.")
_LOCATION = ("Location", "The address of what was made.")
_FILE = ("Content-Disposition", "A name for the file.")
_MODIFIED = ("Last-Modified", "When the last event on a page was appended that will never change.")
_REPLAYED = (
    "Idempotent-Replayed",
    "`true` where this is the answer to an earlier request with the same key.",
)


def describe_headers(paths: dict[str, Any]) -> None:
    """Add to every operation which headers it reads and which ones its answers have."""
    for path, operations in paths.items():
        if "get" in operations:
            _read(operations["get"], path)
        if "post" in operations:
            _done(operations["post"], path)
        if "delete" in operations and path in TAKING_KEYS:
            _taken(operations["delete"], _KEY, shortest=1)
            _answered(operations["delete"], ("200",), _REPLAYED)


def _read(operation: dict[str, Any], path: str) -> None:
    _taken(operation, _NONE_MATCH)
    _answered(operation, ("200", "304"), _TAG, _KEPT)
    _answered(operation, ("409",), _TAG)
    if path in LISTS:
        _answered(operation, ("200", "304"), _LINK)
    if path in FILES:
        _answered(operation, ("200", "304"), _FILE)
    if path == "/v1/games/{game}/events":
        _taken(operation, _LAST_EVENT)
        _answered(operation, ("200", "304"), _MODIFIED)


def _done(operation: dict[str, Any], path: str) -> None:
    if path in TAKING_KEYS:
        if path == SEATS:
            _taken(operation, _SECRET_KEY, shortest=UNGUESSABLE)
        else:
            _taken(operation, _KEY, shortest=1)
        _answered(operation, ("200", "201"), _REPLAYED)
    if path in (*CHANGING_GAMES, ANNOTATIONS):
        _answered(operation, ("200", "201"), _TAG)
    if path in MAKING:
        _answered(operation, ("201",), _LOCATION)
    if path in SENDING:
        _taken(operation, _MATCH)
        _answered(operation, ("412",), _TAG)
    if path == ANNOTATIONS:
        _taken(operation, _MATCH_SET)


def _taken(
    operation: dict[str, Any], header: tuple[str, str, int | None], *, shortest: int | None = None
) -> None:
    name, description, longest = header
    schema: dict[str, Any] = {"type": "string"}
    schema |= ({"minLength": shortest} if shortest else {}) | ({"maxLength": longest} if longest else {})
    operation.setdefault("parameters", []).append(
        {"name": name, "in": "header", "required": False, "description": description, "schema": schema}
    )


def _answered(operation: dict[str, Any], statuses: tuple[str, ...], *headers: tuple[str, str]) -> None:
    for status in statuses:
        answer = operation["responses"].get(status)
        if answer is not None:
            described = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers}
            operation["responses"][status] = {**answer, "headers": {**answer.get("headers", {}), **described}}
