"""Streams that see the same: read and formed once for all, and each goes its own way where its caller does."""

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest

from events.log.disclosure import PUBLIC, Disclosure
from service.http.follow import frames, log_reading
from service.http.follow.narration import Narrator
from service.http.push import outbox, stream_limits
from tests.service.in_process import NAMES, InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import Party, events_of

SAY = {"type": "say", "text": "hello"}


def test_an_event_is_formed_once_for_all_who_see_the_same(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A viewer through whose eyes, a delay and a language make a class, however many streams are in it."""
    formed: list[tuple[int, bool, int]] = []

    def counted(disclosures: Sequence[Disclosure], viewer: int, narrator: Narrator | None) -> bytes:
        formed.extend((viewer, narrator is not None, each.recorded.version) for each in disclosures)
        return frames.event_frames(disclosures, viewer, narrator)

    monkeypatch.setattr(log_reading, "event_frames", counted)
    made = api.create([{"name": name} for name in NAMES[:3]], spectator_delay=2)
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
    party.play(20)
    version = api.get(f"/v1/games/{party.game}", party.tokens[0])["version"]
    with ExitStack() as stack:
        public = [stack.enter_context(EventStream(api, party.game)) for _ in range(5)]
        seats = [stack.enter_context(EventStream(api, party.game, token=party.tokens[1])) for _ in range(3)]
        told = [
            stack.enter_context(EventStream(api, party.game, "?text=de", token=party.tokens[1]))
            for _ in range(2)
        ]
        party.send(1, SAY)
        assert {stream.event().version for stream in public} == {version - 1}
        assert {stream.event().version for stream in (*seats, *told)} == {version + 1}
        party.send(1, SAY)
        assert {"text" in stream.event().json for stream in told} == {True}
    mine = [each for each in formed if each[2] == version + 1 and each[0] != PUBLIC]
    assert sorted(mine) == [(1, False, version + 1), (1, True, version + 1)]
    assert formed.count((PUBLIC, False, version - 1)) == 1


def test_who_does_not_read_falls_behind_alone_and_misses_nothing(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With too much waiting for it a stream leaves its class, and goes on from the log as its client reads."""
    monkeypatch.setattr(outbox, "FULL_BYTES", 3000)
    monkeypatch.setattr(outbox, "ROOM_BYTES", 1000)
    monkeypatch.setattr(log_reading, "MOST_AT_ONCE", 3)
    monkeypatch.setattr("service.http.follow.followed_game.MOST_AT_ONCE", 3)
    party = api.people(seed=4)
    for query in ("", "?text=fr"):
        with (
            EventStream(api, party.game, query) as slow,
            EventStream(api, party.game, query) as quick,
        ):
            begun = slow.named("view").version
            for _ in range(30):
                party.play(1)
            log = events_of(api, party.game)
            for stream in (quick, slow):
                found = [stream.event() for _ in range(len(log) - begun)]
                assert [each.version for each in found] == list(range(begun + 1, len(log) + 1))
                assert [{"text", *each.json} == {"text", *log[0]} for each in found] == [True] * len(found)
            party.send(1, SAY)
            assert slow.event().event == quick.event().event == "talked"


def test_readers_of_every_pace_get_everything_once(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """While they fall behind and catch up again and again: every version, in order, to each of them."""
    monkeypatch.setattr(outbox, "FULL_BYTES", 2500)
    monkeypatch.setattr(outbox, "ROOM_BYTES", 1500)
    monkeypatch.setattr(log_reading, "MOST_AT_ONCE", 2)
    monkeypatch.setattr("service.http.follow.followed_game.MOST_AT_ONCE", 2)
    party = api.people(seed=6)
    last = 150

    def read(number: int) -> list[int]:
        dice = random.Random(number)
        found: list[int] = []
        with EventStream(api, party.game, "?after=0", party.tokens[number % 3]) as stream:
            while not found or found[-1] < last:
                found.append(stream.event().version)
                time.sleep(dice.choice((0.0, 0.0, 0.001 * number)))
        return found

    with ThreadPoolExecutor(8) as threads:
        reading = [threads.submit(read, number) for number in range(8)]
        while api.get(f"/v1/games/{party.game}")["version"] < last:
            party.play(3)
        for each in reading:
            found = each.result(120)
            assert found == list(range(1, found[-1] + 1))


def test_a_revoked_token_ends_only_its_own_streams(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two spectators of a private game, the other one goes on, and so do the seats."""
    monkeypatch.setattr(stream_limits, "HEARTBEAT_SECONDS", 0.2)
    made = api.create([{"name": name} for name in NAMES[:3]], visibility="private")
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
    path = f"/v1/games/{party.game}/spectators"
    given: list[Any] = [api.call("POST", path, {"name": name}, token=api.key).json for name in ("Eve", "Mo")]
    with ExitStack() as stack:
        first, second, third, seat = (
            stack.enter_context(EventStream(api, party.game, token=token))
            for token in (given[0]["token"], given[0]["token"], given[1]["token"], party.tokens[0])
        )
        api.call("DELETE", f"{path}/{given[0]['spectator']}", token=api.key)
        assert first.rest() == second.rest() == []
        party.send(1, SAY)
        assert third.event().event == seat.event().event == "talked"


def test_places_are_given_back_by_whoever_leaves(api: InProcess) -> None:
    """Also where many come and go at once; a game that nobody follows any more is not read."""
    party = api.people()
    streams = api.app.extensions["fieldbook"].streams
    for _ in range(3):
        with ExitStack() as stack:
            opened = [stack.enter_context(EventStream(api, party.game)) for _ in range(20)]
            assert streams.open == 20
            party.send(1, SAY)
            assert {stream.event().event for stream in opened[:10]} == {"talked"}
        assert streams.open == 0
        assert streams._games == {}  # noqa: SLF001 - what nobody can see from outside
