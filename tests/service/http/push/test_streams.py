"""Streams of events: live, resumed, ended, refused, and given up by their clients."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.http.push import feed_notifier, stream_limits
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import events_of
from tests.support.servers import eventually

SAY = {"type": "say", "text": "hello"}


def test_a_stream_brings_what_has_happened_and_what_happens(api: InProcess) -> None:
    """From the beginning: first the log, then each new event as it comes; ids are cursors, with the chain hash."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    with EventStream(api, party.game, "?after=0") as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        for number in range(version):
            frame = stream.event()
            assert frame.id == f"{number + 1}-{frame.json['hash'][:8]}"
        for number in range(3):
            party.send(1, SAY)
            frame = stream.event()
            assert (frame.version, frame.event) == (version + 1 + number, "talked")
            assert frame.json["entry"]["data"]["text"] == "hello"


def test_a_whole_game_is_followed_without_gap_or_double(api: InProcess) -> None:
    """A client that is cut off again and again and resumes with Last-Event-ID has the whole log in the end."""
    party = api.people(seed=3)
    found: list[Any] = []
    last = ""
    while not last or party.turn() is not None:
        party.play(40)
        with EventStream(api, party.game, "?after=0", party.tokens[0], last) as stream:
            version = api.get(f"/v1/games/{party.game}")["version"]
            while not found or found[-1]["entry"]["version"] < version:
                frame = stream.event()
                found.append(frame.json)
                last = frame.id
    assert found == events_of(api, party.game, party.tokens[0])


def test_a_browser_resumes_at_its_first_address(api: InProcess) -> None:
    """Last-Event-ID is newer than an `after` in the address, and wins."""
    game = api.stored(stop_at=60)
    with EventStream(api, game.id, "?after=5", last="20") as stream:
        assert stream.event().version == 21


def test_a_stream_ends_with_the_game(api: InProcess) -> None:
    """After the last event comes `end`; who asks again gets 204, which tells a browser to stay away."""
    game = api.stored()
    end = len(game.recorded.log)
    with EventStream(api, game.id, f"?after={end - 3}") as stream:
        frames = stream.rest()
    assert [frame.version for frame in frames] == [end - 2, end - 1, end, 0]
    assert frames[-1].event == "end"
    with EventStream(api, game.id, last=str(end)) as stream:
        assert stream.status == 204
    assert api.get("/readyz")["streams"] == 0


def test_a_silent_stream_says_that_it_is_still_there(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without news a comment comes once per heartbeat, and news come after it as before."""
    monkeypatch.setattr(stream_limits, "HEARTBEAT_SECONDS", 0.05)
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    with EventStream(api, party.game, f"?after={version}") as stream:
        assert [stream.next().event for _ in range(2)] == ["", "presence"]
        assert [stream.next().comment for _ in range(3)] == ["still here"] * 3
        party.send(1, SAY)
        assert stream.event().event == "talked"


def test_a_stream_does_not_last_for_ever(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its time it is closed without `end`: the client resumes."""
    monkeypatch.setattr(stream_limits, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(stream_limits, "LONGEST_STREAM_SECONDS", 0.3)
    party = api.people()
    with EventStream(api, party.game) as stream:
        assert "end" not in {frame.event for frame in stream.rest()}


def test_who_goes_away_frees_a_place(api: InProcess) -> None:
    """A stream that its client has closed is not counted any more, wherever it stood."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    for read in (0, 1, version):
        with EventStream(api, party.game, "?after=0") as stream:
            for _ in range(read):
                stream.event()
            assert api.get("/readyz")["streams"] == 1
        assert api.get("/readyz")["streams"] == 0


def test_more_streams_than_there_are_places_are_refused(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with Retry-After; long polls, pages and commands go on, and a freed place is taken again."""
    monkeypatch.setattr(stream_limits, "MOST_STREAMS", 2)
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    with EventStream(api, party.game), EventStream(api, party.game):
        refused(api, f"/v1/games/{party.game}/events", {"Accept": "text/event-stream"})
        assert api.get(f"/v1/games/{party.game}/events?after={version}&wait=1")["events"] == []
        assert api.get(f"/v1/games/{party.game}/events")["events"]
        party.send(1, SAY)
    with EventStream(api, party.game) as stream:
        assert stream.status == 200


def test_more_long_polls_than_there_are_places_are_refused(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with Retry-After; streams go on."""
    monkeypatch.setattr(feed_notifier, "MOST_WAITING", 1)
    party = api.people()
    path = f"/v1/games/{party.game}/events?after={api.get(f'/v1/games/{party.game}')['version']}&wait=60"
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(api.get, path)
        eventually(lambda: bool(api.get("/readyz")["streams"] == 1))
        refused(api, path)
        with EventStream(api, party.game) as stream:
            assert stream.status == 200
        party.send(1, SAY)
        assert [each["entry"]["type"] for each in waiting.result(60)["events"]] == ["talked"]


def refused(api: InProcess, path: str, headers: dict[str, str] | None = None) -> None:
    """Ask for what there is no place for."""
    answer = api.call("GET", path, headers=headers)
    assert (answer.status, answer.json["code"]) == (503, "too_many_streams")
    assert int(answer.headers["retry-after"]) > 0


def test_a_seats_stream_shows_what_the_seat_may_see(api: InProcess) -> None:
    """Own cards with their salts, others' as commitments; other eyes are refused before the stream begins."""
    party = api.people()
    with EventStream(api, party.game, "?after=0", party.tokens[1]) as stream:
        hands = [frame for frame in (stream.event() for _ in range(12)) if frame.event == "hand_dealt"]
    for frame in hands:
        entry = frame.json["entry"]["data"]
        assert all(isinstance(card, str) == (entry["seat"] == 1) for card in entry["cards"])
        assert bool(frame.json["salts"]) == (entry["seat"] == 1)
    with EventStream(api, party.game, "?as=seat:0", token=party.tokens[1]) as stream:
        assert stream.status == 403
