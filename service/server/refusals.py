"""What is refused before it is a request, and so never reaches the application: problem documents all the same."""

import logging
from collections import Counter
from http import HTTPStatus
from typing import Final, NamedTuple

import msgspec

from service.http.messages.problems import TYPE_PREFIX

_log = logging.getLogger("fieldbook.web")


class Refusal(NamedTuple):
    """A problem of what did not become a request."""

    status: int
    code: str
    detail: str
    retry_after: int = 0
    """Seconds after which to try again; 0 to send no `Retry-After`."""


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
TOO_MANY_WAITING: Final = Refusal(
    503,
    "too_many_waiting",
    "Too many requests from this address are waiting; try again later.",
    retry_after=2,
)
REFUSALS: Final = (
    TOO_SLOW,
    LONG_ADDRESS,
    LARGE_HEADERS,
    UNKNOWN_CODING,
    UNKNOWN_EXPECTATION,
    MALFORMED,
    BROKEN,
    TOO_MANY_WAITING,
)


def problem_bytes(refusal: Refusal) -> bytes:
    """A whole HTTP answer with a problem document, the last one of its connection."""
    status, code, detail, retry_after = refusal
    title = code.replace("_", " ").capitalize()
    document = {"type": TYPE_PREFIX + code, "title": title, "status": status, "code": code, "detail": detail}
    body = msgspec.json.encode(document)
    retrying = f"Retry-After: {retry_after}\r\n" if retry_after else ""
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"
        "Connection: close\r\n"
        "Content-Type: application/problem+json\r\n"
        "Cache-Control: no-store\r\n"
        f"{retrying}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode("ascii") + body


class Endings:
    """What ended without being a request, or an answer that was taken; for the event loop alone.

    Whoever sends such things sends many, and the log has one line for all of a second.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._counts: Counter[str] = Counter()

    def count(self, reason: str) -> None:
        """Count one more; reasons are the codes of refusals, and a few others."""
        self._counts[reason] += 1

    def report(self) -> None:
        """Say how many there were since this was last said; to be called every second."""
        if self._counts:
            told = ", ".join(f"{reason}: {times}" for reason, times in self._counts.items())
            _log.info("connections ended, or refused before there was a request: %s", told)
            self._counts.clear()


endings: Final = Endings()
"""Those of this process."""
