"""Which request something belongs to: its id and, where a caller sends one, its W3C trace.

A request id that a caller sends (`X-Request-Id`) is taken over when it is harmless to print; else one is made up. It
stands in the answer, in problem documents, and on every log line written while the request is answered.
"""

import random
import re
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

_REQUEST_ID: Final = re.compile(r"(?!.*fb[a-z]_)[A-Za-z0-9._-]{1,64}")
"""Nothing that needs quoting anywhere, and no token of ours: what is taken over is printed."""
_TRACEPARENT: Final = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?P<trace>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?"
)
"""W3C Trace Context, section 3.2; versions to come may say more after a hyphen."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What ties log lines, the answer and a caller's own records together."""

    request_id: str
    trace_id: str | None = None
    """The trace that is recorded of it, or else the caller's, if it sent one: 32 hexadecimal digits."""


_current: ContextVar[Trace | None] = ContextVar("fieldbook-trace", default=None)


def begin_trace(request_id: str | None, traceparent: str | None, recorded: str | None = None) -> Trace:
    """Begin a request with what its headers say; what is malformed is left out, as both conventions want.

    `recorded` is the trace that the service records of it, if it does.
    """
    known = request_id if request_id is not None and _REQUEST_ID.fullmatch(request_id) else None
    parent = _TRACEPARENT.fullmatch(traceparent) if traceparent is not None else None
    # It names a request and keeps no secret, so it need not be one that nobody could guess.
    trace_id = recorded or (parent["trace"] if parent is not None else None)
    trace = Trace(known or f"{random.getrandbits(64):016x}", trace_id)
    _current.set(trace)
    return trace


def current_trace() -> Trace | None:
    """The request that this thread answers, or None."""
    return _current.get()


def end_trace() -> None:
    """Forget the request."""
    _current.set(None)
