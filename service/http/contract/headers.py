"""The headers of answers, each described once."""

from typing import Any, Final


def _text(description: str) -> dict[str, Any]:
    return {"description": description, "schema": {"type": "string"}}


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
    "Retry-After": {
        "description": "Seconds after which to try again; always with 429 and 503.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "WWW-Authenticate": {
        "description": "`Bearer`: a key or the token of a seat.",
        "required": True,
        "schema": {"type": "string", "const": "Bearer"},
    },
    "ETag": _text("The entity tag of what was changed meanwhile."),
    "EntityTag": _text("The entity tag of what is answered; of a game it begins with the version."),
    "Cache-Control": _text("How long this may be kept: a version that has been for ever."),
    "Link": _text(
        "The first and the next page, of events the previous one too (RFC 8288), and the contract."
    ),
    "Location": _text("The address of what was made."),
    "Content-Disposition": _text("A name for the file."),
    "Last-Modified": _text("When the last event on a page was appended that will never change."),
    "Idempotent-Replayed": _text("`true` where this is the answer to an earlier request with the same key."),
}
"""Of answers, by the name of their description."""
EVERY_ANSWER: Final = ("RateLimit", "RateLimit-Policy", "X-Request-Id")
ENTITY_TAG: Final = "EntityTag"
CACHED: Final = "Cache-Control"
LINK: Final = "Link"
LOCATION: Final = "Location"
FILE: Final = "Content-Disposition"
MODIFIED: Final = "Last-Modified"
REPLAYED: Final = "Idempotent-Replayed"


def refer_to(*names: str) -> dict[str, Any]:
    """References to these descriptions, by the names of their headers."""
    return {
        "ETag" if name == ENTITY_TAG else name: {"$ref": f"#/components/headers/{name}"} for name in names
    }
