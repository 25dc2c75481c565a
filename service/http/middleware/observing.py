"""Every request is given an id, counted, timed, and written to the log in one line.

A line says method, route template, status, time, size and who asked, by the beginning of their token's hash: never a
path, a query, a name, a token or a body. Probes (/healthz, /readyz, /metrics) are counted, and neither logged
nor recorded.
"""

import logging
import re
import time
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from flask import Flask, Response, g, request

from service.http.messages.begun import BEGUN, Begun
from service.http.push.outbox import Outbox
from service.platform.metrics import Metrics
from service.platform.tracing import Trace, begin_trace, end_trace
from service.telemetry.spans import UNRECORDED, Said, Span, begin_request, make_current

UNMATCHED: Final = "unmatched"
"""The route of what leads nowhere."""
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
PROBES: Final = frozenset({"/healthz", "/readyz", "/metrics"})
FAILURES: Final = 500
"""From this status on an answer is a failure of the service."""
_VARIABLE: Final = re.compile(r"<(?:[^<>]*:)?(\w+)>")
_log = logging.getLogger("fieldbook.requests")


def observe(app: Flask, metrics: Metrics) -> None:
    """Observe all requests of an application; call it before anything else that looks at requests."""

    def begin() -> None:
        begun: Begun | None = request.environ.get(BEGUN)
        g.began = begun.since if begun is not None and begun.since is not None else time.perf_counter()
        sent = request.headers.get("traceparent")
        g.span = begin_answering(begun, _method(), route(), sent)
        make_current(g.span)
        g.trace = begin_trace(request.headers.get("X-Request-Id"), sent, g.span.trace_id)

    def leave(failure: BaseException | None) -> None:
        # A request that waits for news has taken it along.
        span: Span | None = g.pop("span", None)
        if span is not None:
            span.end(failure)
        make_current(UNRECORDED)
        end_trace()

    def end(response: Response) -> Response:
        trace: Trace = g.trace
        response.headers["X-Request-Id"] = trace.request_id
        seconds = time.perf_counter() - g.began
        metrics.requests.labels(*_labels(response)).observe(seconds)
        code = g.get("problem_code")
        g.span.say(said_of_answer(_method(), route(), response.status_code))
        if response.status_code >= FAILURES:
            g.span.fail(code or str(response.status_code))
        if code is not None:
            metrics.refusals.labels(code).inc()
        if response.is_streamed:
            _log_at_end(response)
        else:
            log_request(response.status_code, seconds, response.calculate_content_length() or 0, _about())
        return response

    app.before_request_funcs.setdefault(None, []).insert(0, begin)
    app.after_request(end)
    app.teardown_request(leave)


def begin_answering(begun: Begun | None, method: str, template: str, sent: str | None) -> Span:
    """What is recorded of a request: what was begun before, or something new for the `traceparent` that was sent."""
    if begun is not None and begun.span is not None:
        return begun.span
    return UNRECORDED if template in PROBES else begin_request(f"{method} {template}", sent)


def said_of_answer(method: str, template: str, status: int) -> dict[str, Said]:
    """What the conventions of OpenTelemetry want to be said of a request, without its path."""
    return {
        "http.request.method": method,
        "http.route": template,
        "http.response.status_code": status,
    }


def route() -> str:
    """The template of the route that answers, with braces as in the contract."""
    if request.url_rule is None:
        return UNMATCHED
    return template(request.url_rule.rule)


@cache
def template(rule: str) -> str:
    """A route's rule as the contract writes it: `/v1/keys/{key}` for `/v1/keys/<string(minlength=5):key>`."""
    return _VARIABLE.sub(r"{\1}", rule)


def _labels(response: Response) -> tuple[str, str, str]:
    return _method(), route(), str(response.status_code)


def _method() -> str:
    return request.method if request.method in METHODS else "other"


def _about() -> dict[str, str]:
    """What the line says besides the numbers; taken while the request is known."""
    trace: Trace = g.trace
    about = {"method": _method(), "route": route()}
    about["request_id"] = trace.request_id
    if trace.trace_id is not None:
        about["trace_id"] = trace.trace_id
    for name in ("caller", "problem_code"):
        if name in g:
            about[name] = g.get(name)
    return about


def _log_at_end(response: Response) -> None:
    """Count a stream's bytes, and log it once it is closed."""
    about, began, status = _about(), g.began, response.status_code
    stream: Outbox | None = g.get("stream")
    if stream is not None:
        response.call_on_close(lambda: log_request(status, time.perf_counter() - began, stream.sent, about))
        return
    sent = 0

    def counted(parts: Iterable[bytes]) -> Iterator[bytes]:
        nonlocal sent
        for part in parts:
            sent += len(part)
            yield part

    response.response = counted(response.iter_encoded())
    response.call_on_close(lambda: log_request(status, time.perf_counter() - began, sent, about))


def log_request(status: int, seconds: float, sent: int, about: dict[str, str]) -> None:
    """Write the line of a request whose answer had so many bytes; `about` has `method`, `route` and more."""
    if about["route"] in PROBES or not _log.isEnabledFor(logging.INFO):
        return
    said = {
        "method": about["method"],
        "route": about["route"],
        "status": status,
        "ms": round(seconds * 1000, 1),
        "bytes": sent,
    }
    sentence = f"{said['method']} {said['route']} {status}, {said['ms']} ms, {sent} bytes"
    # Made by hand, because finding out which line of code logs costs as much as all the rest of it.
    record = logging.LogRecord(_log.name, logging.INFO, "", 0, sentence, None, None)
    record.__dict__.update(fields=about | said, said=said)
    _log.handle(record)
