"""What makes a request known again: its Idempotency-Key, its fingerprint, and the ids derived from them."""

import hashlib
import re
import secrets
from typing import Any

from flask import request

from events.chain.canonical import canonical
from service.http.messages.begun import BEGUN, Begun
from service.http.messages.problems import Problem

UNNAMED = "unnamed-"
"""With this begins the id of a request without an Idempotency-Key; no key begins so."""
UNGUESSABLE = 16
"""Characters of the Idempotency-Key with which a seat is taken, at least: it stands for the seat's token."""
LONGEST_KEY = 200
"""Characters of an Idempotency-Key at most."""
_BARE = rf"[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{{1,{LONGEST_KEY}}}"
"""Without a comma: that is how two headers of one name look when they arrive."""
_KEY = re.compile(rf'"([\x21\x23-\x5b\x5d-\x7e]{{1,{LONGEST_KEY}}})"|({_BARE})')
_ETAG = re.compile(r'"(\d{1,15})-([0-9a-f]{8})(?:/[a-z0-9:/-]{1,40})?"', re.ASCII)
"""With what an entity tag says of the representation, which does not matter here."""


def request_id(least: int = 1) -> str:
    """The request's Idempotency-Key (quoted or bare, `least` characters), or a fresh one that nobody can repeat.

    Raises:
        Problem: 400 when it cannot be used.
    """
    begun: Begun | None = request.environ.get(BEGUN)
    if begun is not None and begun.request_id:
        return begun.request_id
    return read_request_id(request.headers.get("Idempotency-Key"), least)


def read_request_id(given: str | None, least: int = 1) -> str:
    """The same for what the header `Idempotency-Key` says, if it is there.

    Raises:
        Problem: 400 when it cannot be used.
    """
    if given is None:
        return f"{UNNAMED}{secrets.token_hex(16)}"
    found = _KEY.fullmatch(given.strip())
    if found is None:
        detail = (
            "An Idempotency-Key has 1 to 200 visible ASCII characters, without quotes and backslashes inside, and"
            " stands in quotes where it has a comma."
        )
        raise Problem(400, "bad_idempotency_key", detail)
    key = found[1] or found[2]
    if len(key) < least:
        detail = (
            f"Here an Idempotency-Key has at least {least} characters: whoever sends this request again with the"
            " same key gets the seat's token, so take one that nobody can guess, such as a random UUID."
        )
        raise Problem(400, "idempotency_key_too_short", detail)
    return f"key-{key}"


def fingerprint(body: Any, **settings: bool) -> str:
    """What the same request has in common with its repetition: method, path, body, and settings that are on."""
    return fingerprint_of(request.method, request.path, body, **settings)


def fingerprint_of(method: str, path: str, body: Any, **settings: bool) -> str:
    """The same for a request with this method, path and body."""
    named = sorted(name for name, is_on in settings.items() if is_on)
    return hashlib.sha256(canonical([method, path, body, *named])).hexdigest()


def expected_version() -> tuple[int, str] | None:
    """Version and hash prefix of `If-Match`, or None when it is absent or `*`.

    Raises:
        Problem: 400 when it is no entity tag of a game.
    """
    return read_expected_version(request.headers.get("If-Match"))


def read_expected_version(given: str | None) -> tuple[int, str] | None:
    """The same for what the header `If-Match` says, if it is there.

    Raises:
        Problem: 400 when it is no entity tag of a game.
    """
    if given is None or given.strip() == "*":
        return None
    found = _ETAG.fullmatch(given.strip())
    if found is None:
        detail = 'If-Match takes one entity tag of a game, such as "41-0f3c9a1e", as the header ETag gave it.'
        raise Problem(400, "bad_if_match", detail)
    return int(found[1]), found[2]
