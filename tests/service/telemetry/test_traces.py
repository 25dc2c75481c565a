"""What a process records of its requests, and what it does where nothing can be recorded."""

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.platform.configuration import BadSetting
from service.telemetry.recording import SdkRecorder
from service.telemetry.spans import UNRECORDED, begin, hand_over, record_with, span
from service.telemetry.starting import start_recording
from tests.service.in_process import InProcess
from tests.support.collector import CollectedSpan, Collector, collector
from tests.support.servers import ROOT, environment_without_settings

BOTH_WAYS = True
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
ROUTE = "POST /v1/games/{game}/commands"
WHILE_OFF = """
import sys
import service.http.app, service.projector, service.webhook_sender, service.jobs.jobs
print([name for name in sys.modules if name.startswith(("opentelemetry.exporter", "google.protobuf"))])
"""


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """Yield where the spans of this process are sent to; it records again nothing afterwards."""
    with collector() as found:
        for name, value in found.environment.items():
            monkeypatch.setenv(name, value)
        yield found
        record_with(None)


def spans_of(collected: Collector) -> dict[str, CollectedSpan]:
    """What has come in once everything was handed over, by name."""
    hand_over(30)
    return {each.name: each for each in collected.spans}


def test_a_callers_trace_is_linked_and_does_not_decide(api: InProcess, collected: Collector) -> None:
    """Whoever calls from outside cannot have everything recorded, nor write into another trace than its own."""
    record_with(SdkRecorder("web", continues=False))
    game = api.people()

    game.send(0, game.legal(0)["commands"][0], headers=SENT)

    spans = spans_of(collected)
    assert spans[ROUTE].links == ((TRACE, CALLER),)
    assert spans[ROUTE].parent == ""
    assert spans[ROUTE].trace != TRACE
    assert {spans[name].parent for name in ("decide", "append")} == {spans[ROUTE].id}


def test_a_refused_move_has_not_failed(api: InProcess, collected: Collector) -> None:
    """The step says that it was refused, whichever way the request went; nothing is appended, nothing is broken."""
    record_with(SdkRecorder("web", continues=False))
    game = api.people()
    hand_over(30)
    collected.spans.clear()

    refused = api.call(
        "POST", f"/v1/games/{game.game}/commands", {"type": "accept_end"}, token=game.tokens[0]
    )

    assert refused.status == 422
    hand_over(30)
    of_it = [each for each in collected.spans if each.name in {ROUTE, "decide", "append"}]
    assert {each.name for each in of_it} == {ROUTE, "decide"}
    assert len({each.trace for each in of_it}) == 1
    assert sum(each.name == ROUTE for each in of_it) == 1
    assert {each.said.get("error.type") for each in of_it if each.name == "decide"} == {"Refused"}
    assert not any(each.failed for each in of_it)


def test_what_is_not_sampled_leaves_nothing_anywhere(
    api: InProcess, collected: Collector, monkeypatch: pytest.MonkeyPatch, store: RedisEventStore
) -> None:
    """How much is recorded the SDK's own settings say; of the rest neither collector nor store hears."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "traceidratio")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", "0")
    record_with(SdkRecorder("web", continues=False))
    game = api.people()

    game.send(0, game.legal(0)["commands"][0])

    assert spans_of(collected) == {}
    assert store.connection.command("KEYS", "*:trace:*") == []


def test_a_collector_that_does_not_answer_holds_nobody_up(collected: Collector) -> None:
    """Whoever ends waits for it as long as it says, not as long as the collector likes."""
    collected.hangs = True
    record_with(SdkRecorder("web", continues=False))
    with begin("anything", "server"), span("a step"):
        pass
    began = time.monotonic()

    hand_over(0.2)

    assert time.monotonic() - began < 5


def test_while_it_is_off_nothing_of_it_is_even_imported() -> None:
    """A service without the extra runs as before, and a span is one object that does nothing."""
    shown = subprocess.run(
        [sys.executable, "-c", WHILE_OFF],
        cwd=ROOT,
        env=environment_without_settings(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert shown.stdout.strip() == "[]"
    with begin("anything", "server") as found, span("a step") as step:
        assert found is step is UNRECORDED


def test_a_process_that_should_record_and_cannot_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asked for traces is told what to install, and not left without them."""
    monkeypatch.setenv("FIELDBOOK_TRACES", "on")
    for name in [each for each in sys.modules if each.startswith("opentelemetry")] or ["opentelemetry"]:
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(BadSetting, match=r"requirements/telemetry\.txt"):
        start_recording("web")
