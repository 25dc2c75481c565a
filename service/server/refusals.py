"""What is refused before it is a request, and so never reaches the application: problem documents all the same."""

from http import HTTPStatus
from typing import Final, NamedTuple

import msgspec

from service.http.messages.problems import TYPE_PREFIX


class Refusal(NamedTuple):
    """A problem of what did not become a request."""

    status: int
    code: str
    detail: str


TOO_SLOW: Final = Refusal(408, "request_too_slow", "The request did not arrive in time; send it in one go.")
LONG_ADDRESS: Final = Refusal(
    414, "address_too_long", "The request's first line is longer than this service reads."
)
LARGE_HEADERS: Final = Refusal(
    431, "headers_too_large", "The headers are more, or longer, than this service reads."
)
UNKNOWN_CODING: Final = Refusal(501, "unsupported_transfer_coding", "Send the body plain or chunked.")
UNKNOWN_EXPECTATION: Final = Refusal(
    417, "unsupported_expectation", "The only expectation met here is 100-continue."
)
MALFORMED: Final = Refusal(400, "malformed_request", "The request could not be read.")
BROKEN: Final = Refusal(500, "internal_error", "Something went wrong here.")
REFUSALS: Final = (
    TOO_SLOW,
    LONG_ADDRESS,
    LARGE_HEADERS,
    UNKNOWN_CODING,
    UNKNOWN_EXPECTATION,
    MALFORMED,
    BROKEN,
)


def problem_bytes(refusal: Refusal) -> bytes:
    """A whole HTTP answer with a problem document, the last one of its connection."""
    status, code, detail = refusal
    title = code.replace("_", " ").capitalize()
    document = {"type": TYPE_PREFIX + code, "title": title, "status": status, "code": code, "detail": detail}
    body = msgspec.json.encode(document)
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        "Connection: close\r\n"
        "Content-Type: application/problem+json\r\n"
        "Cache-Control: no-store\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body
