"""What caches may keep of an answer, and 304 for who has it already (RFC 9110, 13.1.2; RFC 9111).

A version that has been is what it is, so its view may be kept for a year; everything else is asked for again and
answered with 304 where it is the same. What was asked with a token is for its holder alone.
"""

import hashlib
from typing import Final

from flask import Response, request
from werkzeug.http import parse_etags

from events.log.disclosure import PUBLIC, viewer_name
from service.platform.release import release

YEAR_SECONDS: Final = 31_536_000
DEPENDS_ON: Final = ("Authorization", "Accept")
"""The request's headers that decide about an answer's content (RFC 9110, 12.5.5)."""
HELD_PRIVATELY: Final = "private, no-cache"
"""How what was asked with a token may be kept: by its holder, who asks each time whether it is still the same."""


def representation_tag(version: int, chain_hash: str, viewer: int = PUBLIC, form: str = "") -> str:
    """The entity tag of what is told about a game at a version: to one viewer, in one form of writing it.

    What everybody sees, as JSON, has the game's own tag; so have answers to commands. With more behind a slash
    `If-Match` takes it too.
    """
    kinds = [kind for kind in ("" if viewer == PUBLIC else viewer_name(viewer), form) if kind]
    return '"' + "/".join((f"{version}-{chain_hash[:8]}", *kinds)) + '"'


def drawn_tag(version: int, chain_hash: str, viewer: int, form: str, language: str) -> str:
    """The entity tag of what is told in words, which another release may say in others."""
    return representation_tag(version, chain_hash, viewer, f"{form}-{language}-{release()}")


def keep_for_ever(response: Response, *, is_listed: bool) -> None:
    """Say that this answer will never be another one; only that of a listed game may lie where others find it."""
    kept_by = "public" if is_listed and "Authorization" not in request.headers else "private"
    response.headers["Cache-Control"] = f"{kept_by}, max-age={YEAR_SECONDS}, immutable"


def revalidate(response: Response) -> Response:
    """Complete what is answered to a GET under /v1: its entity tag, how it may be kept, and 304 where it is known."""
    if request.method not in {"GET", "HEAD"} or not request.path.startswith("/v1"):
        return response
    response.vary.update(DEPENDS_ON)
    if response.status_code != 200:  # noqa: PLR2004 - OK
        return response
    if "Cache-Control" not in response.headers:
        is_private = "Authorization" in request.headers
        response.headers["Cache-Control"] = HELD_PRIVATELY if is_private else "no-cache"
    if "ETag" not in response.headers and not response.is_streamed:
        digest = hashlib.sha256(response.get_data()).hexdigest()
        response.headers["ETag"] = f'"{digest[:32]}"'
    return unless_known(response)


def unless_known(response: Response) -> Response:
    """The answer, or 304 in its place where the caller has what its entity tag names."""
    if is_known(response.headers.get("ETag")):
        response.response, response.status_code = [], 304
    return response


def is_known(tag: str | None) -> bool:
    """Whether the caller has what has this tag; a list that cannot be read is passed over (RFC 9110, 13.1.2)."""
    given = request.headers.get("If-None-Match")
    return tag is not None and given is not None and parse_etags(given).contains_weak(tag.strip('"'))
