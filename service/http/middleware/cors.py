"""Cross-origin requests (https://fetch.spec.whatwg.org/#http-cors-protocol): which web pages may use the API.

Nothing here makes a browser send cookies or other credentials by itself: a page sends its token in `Authorization`.
"""

from collections.abc import Sequence
from typing import Final

from flask import Flask, Response, request

ALLOWED_HEADERS: Final = (
    "Accept", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID",
    "X-Request-Id", "traceparent",
)  # fmt: skip
EXPOSED_HEADERS: Final = (
    "Deprecation", "ETag", "Idempotent-Replayed", "Link", "Location", "RateLimit", "RateLimit-Policy", "Retry-After",
    "Sunset", "WWW-Authenticate", "X-Request-Id",
)  # fmt: skip
REMEMBERED_SECONDS: Final = 7200
"""How long a browser may remember the answer to its preflight; some take no more."""
METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")


def allow_origins(app: Flask, origins: Sequence[str]) -> None:
    """Let web pages of these origins use the API; `*` for all. Without any nothing changes."""
    if not origins:
        return

    def preflight() -> Response | None:
        if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
            return None
        response = Response(status=204)
        del response.headers["Content-Type"]
        if _allow_origin(origins, request.headers.get("Origin")) is not None:
            response.headers["Access-Control-Allow-Methods"] = ", ".join(_methods_here(app))
            response.headers["Access-Control-Allow-Headers"] = ", ".join(ALLOWED_HEADERS)
            response.headers["Access-Control-Max-Age"] = str(REMEMBERED_SECONDS)
        return response

    def allow(response: Response) -> Response:
        for name, value in cross_origin_headers(origins, request.headers.get("Origin")):
            if name == "Vary":
                response.vary.add(value)
            else:
                response.headers[name] = value
        return response

    app.before_request(preflight)
    app.after_request(allow)


def cross_origin_headers(origins: Sequence[str], origin: str | None) -> list[tuple[str, str]]:
    """What an answer says to a page of this origin, where pages of these origins may use the API."""
    # Whatever lies between must not hand one origin's answer to another.
    headers = [("Vary", "Origin")] if origins and "*" not in origins else []
    allowed = _allow_origin(origins, origin)
    if allowed is not None:
        headers.append(("Access-Control-Allow-Origin", allowed))
        headers.append(("Access-Control-Expose-Headers", ", ".join(EXPOSED_HEADERS)))
    return headers


def _allow_origin(origins: Sequence[str], origin: str | None) -> str | None:
    """What the browser is told about its page's origin; None for a page that may not, and for what is no page."""
    if origin is None:
        return None
    if "*" in origins:
        return "*"
    return origin if origin.lower() in origins else None


def _methods_here(app: Flask) -> list[str]:
    """The methods that this address takes."""
    served = app.url_map.bind("localhost").allowed_methods(request.path)
    return [method for method in METHODS if method in served]
