"""One trace over all processes: from a request to rules, append, list of games, verdict and webhook."""

from collections.abc import Iterator

import pytest

from replay.client import Fieldbook
from tests.support.collector import CollectedSpan, Collector, collector
from tests.support.http_play import Answer, await_verdict
from tests.support.processes import Service
from tests.support.receiver import Receiver, receiver
from tests.support.servers import eventually

SECONDS = 60.0
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
ROUTE = "POST /v1/games/{game}/commands"


@pytest.fixture(scope="module")
def collected() -> Iterator[Collector]:
    """Yield where spans are sent to."""
    with collector() as found:
        yield found


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Receiver]:
    """Yield an integrator's endpoint."""
    with receiver() as found:
        yield found


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, collected: Collector) -> Iterator[Service]:
    """Yield a service that goes on in its callers' traces."""
    with Service(tmp_path_factory.mktemp("traced")) as running:
        running.environment |= collected.environment | {
            "FIELDBOOK_TRACES": "continued",
            "FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8",
        }
        running.start("store", "web", "worker", "projector", "webhooks")
        running.await_ready()
        yield running


@pytest.fixture(scope="module")
def ended(service: Service, endpoint: Receiver) -> tuple[str, Answer]:
    """Return a game that a command with a trace has ended, once its verdict is there, and the answer to that."""
    fieldbook = Fieldbook(f"http://127.0.0.1:{service.port}", service.key())
    told = fieldbook.create_webhook(endpoint.url(), events=["game.finished", "game.validated"], games="all")
    eventually(lambda: fieldbook.webhook(told.id).state == "active", seconds=SECONDS)
    game = service.people(1)
    game.send(0, {"type": "offer_end", "kind": "drawn"})
    game.send(1, {"type": "accept_end"})
    answer = game.send(2, {"type": "accept_end"}, headers=SENT)
    assert await_verdict(service.api, game.game) == "valid"
    return game.game, answer


@pytest.fixture(scope="module")
def spans(ended: tuple[str, Answer], collected: Collector) -> dict[str, CollectedSpan]:
    """Return the spans of the command's trace by their names, once the last ones have come in."""
    eventually(lambda: {"verify", "tell game.validated"} <= collected.in_trace(TRACE).keys(), seconds=SECONDS)
    return collected.in_trace(TRACE)


def test_each_piece_of_work_is_within_the_one_that_led_to_it(spans: dict[str, CollectedSpan]) -> None:
    """The caller's own span is the parent of the request's; what others do hangs below the append."""
    names = {each.id: name for name, each in spans.items()} | {CALLER: "the caller's"}

    assert {name: (each.process, names[each.parent]) for name, each in spans.items()} == {
        ROUTE: ("fieldbook-web", "the caller's"),
        "decide": ("fieldbook-web", ROUTE),
        "append": ("fieldbook-web", ROUTE),
        "project": ("fieldbook-projector", "append"),
        "validate": ("fieldbook-worker", "project"),
        "verify": ("fieldbook-worker", "validate"),
        "tell webhooks": ("fieldbook-webhooks", "append"),
        "tell game.finished": ("fieldbook-webhooks", "tell webhooks"),
        "tell verdict": ("fieldbook-webhooks", "append"),
        "tell game.validated": ("fieldbook-webhooks", "tell verdict"),
    }


def test_the_integrator_is_told_of_which_work_it_is_a_piece(
    spans: dict[str, CollectedSpan], endpoint: Receiver
) -> None:
    """A webhook's request says so in its header, so the receiver's own spans go on in the trace."""
    sent = {each.type: each.headers["traceparent"] for each in endpoint.told}

    assert sent == {
        kind: f"00-{TRACE}-{spans[f'tell {kind}'].id}-01" for kind in ("game.finished", "game.validated")
    }


def test_spans_say_which_game_and_nothing_that_is_hidden(
    spans: dict[str, CollectedSpan], ended: tuple[str, Answer], service: Service
) -> None:
    """A trace can be looked for by its game; it says no path, no token, no name and no card."""
    game, answer = ended
    said = {name: each.said for name, each in spans.items()}

    assert said["append"] == {"fieldbook.game": game, "fieldbook.version": answer.json["version"]}
    assert said["project"] == said["append"]
    assert said[ROUTE] == {
        "http.request.method": "POST",
        "http.route": "/v1/games/{game}/commands",
        "http.response.status_code": 200,
    }
    assert set().union(*said.values()) == {
        "fieldbook.game", "fieldbook.version", "http.request.method", "http.route", "http.response.status_code",
    }  # fmt: skip
    assert not any(each.failed for each in spans.values())


def test_the_log_knows_nothing_of_it(service: Service, ended: tuple[str, Answer]) -> None:
    """No key that stays names a trace; what connects an append with those who follow goes by itself."""
    store = service.open_store()
    command = store.connection.command
    keys = command("KEYS", "*")
    kept = [key for key in keys if command("TTL", key) == -1]
    dumped = [command("DUMP", key) for key in kept if b":game:" in key or key.endswith(b":feed")]
    short_lived = [command("TTL", key) for key in keys if b":trace:" in key]
    store.close()

    assert len(dumped) > 4
    assert not any(TRACE.encode() in each for each in dumped)
    assert short_lived
    assert all(0 < seconds <= 600 for seconds in short_lived)


def test_what_was_recorded_last_is_handed_over_before_a_process_ends(
    service: Service, collected: Collector, spans: dict[str, CollectedSpan]
) -> None:
    """A process that is asked to stop waits a moment for the collector, however seldom it hands over.

    Probes are not recorded, whoever sends a trace with them.
    """
    service.stop("webhooks")
    service.stop("projector")
    service.stop("web")
    service.start("web", OTEL_BSP_SCHEDULE_DELAY="600000")
    service.await_ready()
    before = len(collected.spans)
    service.api.call("GET", "/readyz", headers=SENT)
    service.api.call("GET", "/v1/systems", headers=SENT)
    assert len(collected.spans) == before

    service.stop("web")

    assert collected.in_trace(TRACE).keys() - spans.keys() == {"GET /v1/systems"}
