"""Recording spans with OpenTelemetry's SDK, and sending them to a collector (OTLP over HTTP, in protobuf).

Where to, and how many, the SDK reads from the environment (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_TRACES_SAMPLER`).
A collector that is away or slow holds nobody up: what is recorded waits in a queue with a bound, beyond which it is
dropped.
"""

import os
from collections.abc import Mapping
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.platform.release import release
from service.telemetry.spans import UNRECORDED, Kind, Said, Span, make_current

NAME: Final = "fieldbook"
NOWHERE: Final = Context()
"""The context of what begins by itself."""
_KINDS: Final[Mapping[str, trace.SpanKind]] = {each.name.lower(): each for each in trace.SpanKind}
_header: Final = TraceContextTextMapPropagator()


class RecordedSpan(Span):
    """A piece of work that is recorded."""

    def __init__(self, tracer: trace.Tracer, found: trace.Span, *, is_step: bool = False) -> None:
        """Record with this span of the SDK; a step is a piece of other work in the same process."""
        self._tracer = tracer
        self._is_step = is_step
        self._span = found
        self._context = trace.set_span_in_context(found, NOWHERE)
        self._before: Span = UNRECORDED
        carrier: dict[str, str] = {}
        _header.inject(carrier, self._context)
        self.traceparent = carrier["traceparent"]
        self.trace_id = trace.format_trace_id(found.get_span_context().trace_id)

    def child(self, name: str, kind: Kind) -> Span:
        """A piece of this work."""
        found = self._tracer.start_span(name, self._context, _KINDS[kind])
        return RecordedSpan(self._tracer, found, is_step=True)

    def say(self, said: Mapping[str, Said]) -> None:
        """Say something about it."""
        self._span.set_attributes(said)

    def fail(self, kind: str) -> None:
        """Say that it failed, and by what kind of thing: a word, never what was sent."""
        self._span.set_attribute("error.type", kind)
        self._span.set_status(trace.StatusCode.ERROR)

    def end(self, failure: BaseException | None = None) -> None:
        """End it, by a failure if there is one. A step that a refusal or a faster one ends has not failed."""
        if failure is not None:
            kind = type(failure).__name__
            if self._is_step:
                self.say({"error.type": kind})
            else:
                self.fail(kind)
        self._span.end()

    def __enter__(self) -> Self:
        """What is begun from now on is a piece of it."""
        self._before = make_current(self)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        failure: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """End it."""
        make_current(self._before)
        self.end(failure)


class SdkRecorder:
    """Records one process's spans."""

    def __init__(self, process: str, *, continues: bool) -> None:
        """Record for this process; with `continues` a request goes on in the trace that its sender names."""
        called = os.environ.get("OTEL_SERVICE_NAME") or NAME
        resource = {
            "service.name": f"{called}-{process}",
            "service.namespace": NAME,
            "service.version": release(),
        }
        self._provider = TracerProvider(resource=Resource.create(resource), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer(NAME, release())
        self._continues = continues

    def begin(self, name: str, kind: Kind, parent: str) -> Span:
        """Begin a piece of work: in the trace of this `traceparent`, or in one of its own where that is empty."""
        return self._begin(name, kind, _read(parent) if parent else NOWHERE)

    def begin_request(self, name: str, sent: str | None) -> Span:
        """Begin to answer a request: in the sender's trace, or in one of its own with a link to that."""
        named = _read(sent) if sent else NOWHERE
        if self._continues:
            return self._begin(name, "server", named)
        context = trace.get_current_span(named).get_span_context()
        return self._begin(name, "server", NOWHERE, links=[trace.Link(context)] if context.is_valid else None)

    def hand_over(self, seconds: float) -> None:
        """Hand over what was recorded, for so many seconds at most; what is left then may be lost."""
        # The SDK waits for a collector as long as its own settings say, whatever it is asked.
        handing = Thread(target=self._provider.force_flush, name="telemetry", daemon=True)
        handing.start()
        handing.join(seconds)

    def _begin(self, name: str, kind: Kind, context: Context, **further: Any) -> Span:
        found = self._tracer.start_span(name, context, _KINDS[kind], **further)
        return RecordedSpan(self._tracer, found) if found.is_recording() else UNRECORDED


def _read(traceparent: str) -> Context:
    """What a `traceparent` names; nothing where it is malformed."""
    return _header.extract({"traceparent": traceparent}, NOWHERE)
