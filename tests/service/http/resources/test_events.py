"""Reading events: pages, NDJSON, waiting, and one chain for everybody."""

import json
from threading import Timer
from typing import Any

import pytest

from events.chain.hash_chain import GENESIS, link
from events.game.record import read_record
from events.log.disclosure import Form, public_form
from replay.verification.verify import verify
from service.http.push.watch import Watch
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import events_of

BOTH_WAYS = True


def test_pages_follow_one_another_without_gap(api: InProcess) -> None:
    """Reading on from `next` gives every event once, whatever the size of the page."""
    game = api.stored(stop_at=150)
    for limit in (1, 7, 1000, 10**12):
        after, found = 0, []
        while after < len(game.recorded.log):
            page = api.get(f"/v1/games/{game.id}/events?after={after}&limit={limit}")
            assert 1 <= len(page["events"]) <= limit
            found += page["events"]
            after = page["next"]
            assert after == found[-1]["entry"]["version"]
        assert [event["entry"]["version"] for event in found] == list(range(1, len(game.recorded.log) + 1))


def test_a_page_names_the_games_version_and_head(api: InProcess) -> None:
    """A page in the middle says how far the game is; after the last event it is empty."""
    game = api.stored(stop_at=60)
    version, head = len(game.recorded.log), game.recorded.log[-1].hash
    for after, events in ((0, 5), (version, 0)):
        answer = api.call("GET", f"/v1/games/{game.id}/events?after={after}&limit=5")
        assert (answer.json["version"], answer.json["hash"]) == (version, head)
        assert answer.headers["etag"] == f'"{version}-{head[:8]}"'
        assert len(answer.json["events"]) == events


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("application/json", "application/json"),
        ("application/x-ndjson", "application/x-ndjson"),
        ("application/x-ndjson;q=0.5, application/json;q=0.1", "application/x-ndjson"),
        ("text/html, text/event-stream;q=0.2", "text/event-stream"),
        ("text/html, image/png", "application/problem+json"),
    ],
)
def test_the_representation_follows_accept(api: InProcess, accept: str | None, kind: str) -> None:
    """JSON unless something else is wanted more; 406 where none of ours is wanted."""
    game = api.stored()
    headers = {"Accept": accept} if accept is not None else {}
    answer = api.call("GET", f"/v1/games/{game.id}/events?after=1", headers=headers)
    assert answer.headers["content-type"].partition(";")[0] == kind
    assert answer.status == (406 if "problem" in kind else 200)


def test_all_representations_hold_the_same_events(api: InProcess) -> None:
    """A page, NDJSON lines, stream frames and the record differ in their wrapping only."""
    game = api.stored()
    token = game.tokens[1]
    page = events_of(api, game.id, token)
    ndjson = api.call(
        "GET",
        f"/v1/games/{game.id}/events?limit=1000",
        token=token,
        headers={"Accept": "application/x-ndjson"},
    )
    assert [json.loads(line) for line in ndjson.body.splitlines()] == page[:1000]
    with EventStream(api, game.id, "?after=0", token) as stream:
        assert [frame.json for frame in stream.rest()[:-1]] == page
    record = api.call("GET", f"/v1/games/{game.id}/record?as=seat:1", token=token).body.splitlines()
    entries = [json.loads(line) for line in record if line.startswith(b'{"entry"')]
    assert entries == page


def test_every_viewer_computes_the_same_chain_head(api: InProcess) -> None:
    """In the middle of a game each sees something else, and all get the hash that the API names."""
    party = api.people(seed=4)
    party.play(60)
    head = api.get(f"/v1/games/{party.game}")["hash"]
    viewers: list[tuple[str | None, str]] = [
        (token, f"seat:{seat}") for seat, token in enumerate(party.tokens)
    ]
    seen = set()
    for token, viewer in [*viewers, (None, "public"), (api.key, "all")]:
        events = events_of(api, party.game, token, viewer)
        seen.add(json.dumps(events))
        assert chain_head(events) == head
        record = api.call("GET", f"/v1/games/{party.game}/record?as={viewer}", token=token).body
        lines = [json.loads(line) for line in record.splitlines()]
        assert chain_head([line for line in lines if "entry" in line]) == head
    assert len(seen) == 5


def chain_head(events: list[Any]) -> str:
    """The chain head as a client computes it, checking every hash on the way."""
    head = GENESIS
    for event in events:
        head = link(head, public_form(Form(**event)))
        assert head == event["hash"]
    return head


def test_a_record_verifies_in_every_scope(api: InProcess) -> None:
    """What is downloaded stands the verification that needs no server."""
    game = api.stored()
    for viewer in ("all", "public", "seat:0", "seat:3"):
        answer = api.call("GET", f"/v1/games/{game.id}/record?as={viewer}")
        header, forms = read_record(answer.body.splitlines(keepends=True))
        report = verify(header, forms)
        assert report.ok, report.findings
        assert header.scope == viewer
    plain = api.call("GET", f"/v1/games/{game.id}/record")
    assert json.loads(plain.body.splitlines()[0])["scope"] == "all"
    assert plain.headers["content-disposition"] == f'attachment; filename="{game.id}.ndjson"'


def test_waiting_ends_as_soon_as_something_happens(api: InProcess) -> None:
    """A long poll answers with the new event instead of when its time is up."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    timer = Timer(0.3, party.send, (1, {"type": "say", "text": "now"}))
    timer.start()
    page = api.get(f"/v1/games/{party.game}/events?after={version}&wait=60")
    timer.join()
    assert [event["entry"]["type"] for event in page["events"]] == ["talked"]


def test_waiting_in_vain_ends_with_an_empty_page(api: InProcess) -> None:
    """When time is up the page is empty."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    page = api.get(f"/v1/games/{party.game}/events?after={version}&wait=1")
    assert (page["events"], page["next"]) == ([], version)


def test_nothing_is_waited_for_in_vain(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there already comes at once, and a finished game brings nothing more."""

    def wait(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(Watch, "wait", wait)
    party, game = api.people(), api.stored()
    assert api.get(f"/v1/games/{party.game}/events?after=0&wait=60")["events"]
    end = len(game.recorded.log)
    assert api.get(f"/v1/games/{game.id}/events?after={end}&wait=60")["events"] == []
