"""The metrics: what Prometheus can read, what is counted, and that no label tells who plays what."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from events.log.codec import SEAT_COMMAND_TYPES
from events.store.redis.redis_store import RedisEventStore
from service.platform.metrics import LOOP_FAILURES
from service.startup.web_settings import WebSettings
from service.storage.heartbeats import EXPIRY_SECONDS, Heartbeat
from service.verification.store import CosignatureRecords
from tests.service.in_process import InProcess

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]
DOCUMENT = Path(__file__).parents[3] / "docs" / "operating.md"


@pytest.fixture
def observed(store: RedisEventStore) -> Iterator[InProcess]:
    """An application, as the other tests have it; stopped before its store is closed."""
    application = InProcess(store)
    yield application
    application.close()


def scraped(api: InProcess) -> Samples:
    """All samples of one scrape, read by Prometheus's own parser."""
    answer = api.call("GET", "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = list(text_string_to_metric_families(answer.body.decode()))
    assert len({family.name for family in families}) == len(families)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def number(samples: Samples, name: str, **labels: str) -> float:
    """One sample; 0 where there is none yet."""
    return samples.get((name, frozenset(labels.items())), 0.0)


def test_commands_are_counted_by_type_and_outcome(observed: InProcess) -> None:
    """What was accepted, repeated, only tried, and refused is told apart; so is what stood beside a refused one."""
    party = observed.people()
    party.send(0, {"type": "plant", "field": 0}, {"Idempotency-Key": '"first"'})
    party.send(0, {"type": "plant", "field": 0}, {"Idempotency-Key": '"first"'})
    path, token = f"/v1/games/{party.game}/commands", party.tokens[0]
    observed.call("POST", path + "?dry_run=true", {"type": "say", "text": "hello"}, token=token)
    batch = [{"type": "say", "text": "now"}, {"type": "draw"}, {"type": "say", "text": "later"}]
    observed.call("POST", path + "?atomic=true", batch, token=token)
    observed.call("POST", path, batch, token=token)

    found = scraped(observed)

    total = "fieldbook_commands_total"
    assert number(found, total, type="plant", outcome="accepted") == 1
    assert number(found, total, type="plant", outcome="repeated") == 1
    assert number(found, total, type="say", outcome="tried") == 1
    assert number(found, total, type="say", outcome="accepted") == 1
    assert number(found, total, type="draw", outcome="refused") == 2
    assert number(found, total, type="say", outcome="not_applied") == 3
    assert number(found, "fieldbook_refusals_total", code="wrong_phase") == 2
    # Whether the repeated command gets as far as the store depends on the cards: it may be illegal by then.
    appends = number(found, "fieldbook_append_seconds_count")
    assert appends in {2, 3}
    assert number(found, "fieldbook_append_seconds_bucket", le="+Inf") == appends


def test_requests_are_timed_by_the_template_of_their_route(observed: InProcess) -> None:
    """No address that somebody makes up becomes a label of its own."""
    party = observed.people()
    observed.get(f"/v1/games/{party.game}")
    for each in range(3):
        observed.call("GET", f"/v1/nowhere/{each}")
    observed.call("BREW", f"/v1/games/{party.game}")

    found = scraped(observed)

    count = "fieldbook_request_seconds_count"
    assert number(found, count, method="GET", route="/v1/games/{game}", status="200") == 1
    assert number(found, count, method="GET", route="unmatched", status="404") == 3
    assert number(found, count, method="other", route="unmatched", status="405") == 1


def test_the_store_is_asked_at_the_scrape(observed: InProcess) -> None:
    """Lag, level of durability and who lives are of this moment."""
    observed.people()
    Heartbeat(observed.store, "bots").beat()

    found = scraped(observed)

    assert number(found, "fieldbook_store_up") == 1
    assert number(found, "fieldbook_projection_lag", projection="games") == 1
    assert number(found, "fieldbook_process_up", process="bots") == 1
    assert number(found, "fieldbook_process_up", process="projector") == 0
    levels = [dict(labels) for name, labels in found if name == "fieldbook_durability_info"]
    assert [each["level"] for each in levels] == ["memory"]
    assert levels[0]["maxmemory_policy"] == "noeviction"
    builds = [dict(labels) for name, labels in found if name == "fieldbook_build_info"]
    assert {"release", "engine", "python", "store_functions"} == set(builds[0])


def test_a_sign_of_life_expires(store: RedisEventStore) -> None:
    """A process that was killed is not counted as alive for ever, and a quick loop does not write all the time."""
    heartbeat = Heartbeat(store, "projector")
    heartbeat.beat()
    store.connection.command("DEL", "{processes}:projector")
    heartbeat.beat()
    assert store.connection.command("EXISTS", "{processes}:projector") == 0
    Heartbeat(store, "projector").beat()
    assert 0 < store.connection.command("TTL", "{processes}:projector") <= EXPIRY_SECONDS


def test_bots_hand_in_what_they_counted(observed: InProcess) -> None:
    """Their process answers no scrape, so its counts lie in the store."""
    with observed.with_a_bot("random") as party:
        path = f"/v1/games/{party.game}/commands"
        for _ in range(40):
            if (turn := party.turn()) is None:
                break
            # Refused where the bot was faster, which is as good here.
            observed.call("POST", path, turn[1], token=party.tokens[turn[0]])

    found = scraped(observed)

    types = {dict(labels)["type"] for name, labels in found if name == "fieldbook_bot_commands_total"}
    assert types <= set(SEAT_COMMAND_TYPES)
    assert types


def test_a_failure_in_a_loop_is_counted_by_the_loop(observed: InProcess) -> None:
    """Of a process without `/metrics` too: its heartbeats add what is new to the counts in the store."""
    heartbeat = Heartbeat(observed.store, "projector")
    for _ in range(2):
        LOOP_FAILURES.labels("tested").inc()
        heartbeat.hand_in()
        heartbeat.hand_in()

    found = scraped(observed)

    assert number(found, "fieldbook_loop_failures_total", loop="tested") == 2
    assert number(found, "fieldbook_background_loop_failures_total", loop="tested") == 2


def test_no_label_tells_of_players_and_games(observed: InProcess) -> None:
    """The bytes of a scrape after a game hold no game's id, no name, no token and no card."""
    party = observed.people(seed=5)
    party.play(60)
    observed.call("GET", f"/v1/games/{party.game}?at=1", token=party.tokens[0])
    observed.call("GET", "/v1/games?player=Ada")
    cards = [bean["card"] for bean in observed.get(f"/v1/games/{party.game}/catalogue")["catalogue"]["beans"]]

    body = observed.call("GET", "/metrics").body.decode()

    labels = " ".join(re.findall(r'="([^"]*)"', body))
    assert party.game not in body
    for token in (*party.tokens, observed.key):
        assert token not in body
    for word in ("Ada", "Bob", "Cleo", *cards):
        assert not re.search(rf"\b{re.escape(word)}\b", labels), word


def test_there_may_be_no_metrics(store: RedisEventStore) -> None:
    """FIELDBOOK_METRICS=off leaves nothing at the address."""
    application = InProcess(store, settings=WebSettings(metrics=False))
    try:
        assert application.call("GET", "/metrics").status == 404
    finally:
        application.close()


def test_every_metric_is_documented(observed: InProcess) -> None:
    """docs/operating.md lists each by name, and none that is not there; one needs a log that was witnessed."""
    observed.people()
    CosignatureRecords(observed.store).add(1, "root", "\u2014 witness.example AAAAAAAA\n")
    body = observed.call("GET", "/metrics").body.decode()
    served = {family.name for family in text_string_to_metric_families(body)}
    documented = set(
        re.findall(r"^\| `(fieldbook_[a-z_]+)`", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert {name.removesuffix("_total") for name in documented} == served
