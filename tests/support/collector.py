"""A collector of OpenTelemetry on loopback: it takes what the SDK really exports, and keeps the spans."""

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.support.answering import answering

HANG_SECONDS = 30.0


@dataclass(frozen=True)
class CollectedSpan:
    """A span as it came in; ids are in hexadecimal digits, as a `traceparent` has them."""

    process: str
    name: str
    trace: str
    id: str
    parent: str
    links: tuple[tuple[str, str], ...]
    """Trace and id of each span that it is linked to."""
    said: dict[str, Any]
    failed: bool


@dataclass
class Collector:
    """What came in; with `hangs` nothing is answered."""

    port: int = 0
    hangs: bool = False
    spans: list[CollectedSpan] = field(default_factory=list)
    leaving: Event = field(default_factory=Event)

    @property
    def environment(self) -> dict[str, str]:
        """How a process finds it, and sends what it has at once."""
        return {
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{self.port}",
            "OTEL_BSP_SCHEDULE_DELAY": "50",
        }

    def in_trace(self, trace: str) -> dict[str, CollectedSpan]:
        """The spans of a trace by their names."""
        return {each.name: each for each in list(self.spans) if each.trace == trace}


class Handler(BaseHTTPRequestHandler):
    """Takes what is exported."""

    kept: Collector

    def do_POST(self) -> None:
        """Keep the spans of a request."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.kept.hangs:
            self.kept.leaving.wait(HANG_SECONDS)
            return
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.kept.spans += read_spans(body)
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def read_spans(body: bytes) -> Iterator[CollectedSpan]:
    """The spans of an export (opentelemetry/proto/collector/trace/v1/trace_service.proto)."""
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        process = {each.key: each.value.string_value for each in resource.resource.attributes}["service.name"]
        for span in (span for scope in resource.scope_spans for span in scope.spans):
            yield CollectedSpan(
                process,
                span.name,
                span.trace_id.hex(),
                span.span_id.hex(),
                span.parent_span_id.hex(),
                tuple((each.trace_id.hex(), each.span_id.hex()) for each in span.links),
                {each.key: _value(each.value) for each in span.attributes},
                span.status.code == span.status.STATUS_CODE_ERROR,
            )


def _value(value: Any) -> Any:
    return getattr(value, value.WhichOneof("value"))


@contextmanager
def collector() -> Iterator[Collector]:
    """A collector, for a while."""
    kept = Collector()
    with answering(kept, Handler):
        yield kept
