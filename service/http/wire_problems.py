"""What gunicorn refuses before the application sees it: as problem documents too, where it would answer with HTML."""

import logging
from typing import Any, Final

import msgspec
from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import ThreadWorker

from service.http.problems import Problem, problem_document

REFUSALS: Final[dict[type[Exception], tuple[int, str, str]]] = {
    errors.LimitRequestLine: (414, "uri_too_long", "The address is longer than this service reads."),
    errors.LimitRequestHeaders: (431, "headers_too_large", "The headers are larger than this service reads."),
    errors.ExpectationFailed: (
        417,
        "expectation_failed",
        "Nothing is known of what the header Expect asks for.",
    ),
    errors.UnsupportedTransferCoding: (
        501,
        "transfer_coding_unknown",
        "Send the body with its length or in chunks, in no other coding.",
    ),
}
"""What is answered to requests that cannot be read, by what is wrong; to all others 400."""
_REASONS: Final = {
    400: "Bad Request",
    414: "URI Too Long",
    417: "Expectation Failed",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
}
_log = logging.getLogger("fieldbook.http")


class ProblemWorker(ThreadWorker):
    """gunicorn's worker with threads, with our shape of errors."""

    def handle_error(self, _request: Any, client: Any, _address: Any, error: Exception) -> None:
        """Answer what could not be read, or went wrong outside the application, and close the connection."""
        problem = problem_for(error)
        if problem.status == 500:  # noqa: PLR2004 - an internal error
            _log.error("unexpected error of the server", exc_info=error)
        try:
            util.write_nonblock(client, answer(problem))
        except OSError as gone:
            _log.debug("the client has gone: %s", gone)


def problem_for(error: Exception) -> Problem:
    """The problem that an error of the server is; what was sent is not repeated, it may be a secret."""
    for kind, (status, code, detail) in REFUSALS.items():
        if isinstance(error, kind):
            return Problem(status, code, detail)
    ours = (errors.InvalidResponseHeader, errors.InvalidResponseHeaderName, errors.ConfigurationProblem)
    if isinstance(error, errors.ParseException) and not isinstance(error, ours):
        return Problem(400, "malformed_request", "This is no request of HTTP/1.1.")
    return Problem(500, "internal_error", "Something went wrong here.")


def answer(problem: Problem) -> bytes:
    """A problem as the bytes of an HTTP answer, the last of its connection."""
    body = msgspec.json.encode(problem_document(problem))
    head = (
        f"HTTP/1.1 {problem.status} {_REASONS[problem.status]}\r\n"
        "Connection: close\r\n"
        "Content-Type: application/problem+json\r\n"
        f"Content-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "\r\n"
    )
    return head.encode() + body
