"""Spectators who are some versions behind are behind everywhere, until the game has finished."""

import random
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import GamePolicy
from service.access.store import Keys
from tests.service.in_process import NAMES, NEARLY_OVER, InProcess
from tests.service.in_process_stream import EventStream
from tests.service.projections.test_projector import projected
from tests.support.http_play import Party, events_of

BOTH_WAYS = True
DELAY = 6
SAY = {"type": "say", "text": "hello"}
HASH = re.compile(r"[0-9a-f]{64}")


@pytest.fixture
def party(api: InProcess) -> Party:
    """Return a game that has just begun, the spectators of which are behind."""
    made = api.create([{"name": name} for name in NAMES[:3]], spectator_delay=DELAY)
    return Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(2))


def version_of(api: InProcess, party: Party, token: str | None = None) -> int:
    """The version at which a caller sees the game."""
    return int(api.get(f"/v1/games/{party.game}", token)["version"])


def test_a_spectator_sees_the_game_as_it_was(api: InProcess, party: Party) -> None:
    """So many versions ago, with exactly the state that was public then; a seat sees it as it is."""
    path = f"/v1/games/{party.game}"
    newest = 0
    for _ in range(20):
        party.play(1)
        newest = version_of(api, party, party.tokens[0])
        seen = api.get(path)
        assert seen["version"] == newest - DELAY or seen["status"] == "open"
        assert seen == api.get(f"{path}?as=public&at={seen['version']}", party.tokens[0])
    assert version_of(api, party, api.key) == newest


def test_nobody_goes_back_behind_the_open_game(api: InProcess) -> None:
    """While seats are free everybody sees them as they are; then the table stands still until the delay is over."""
    made = api.create([{"name": "Ada"}, {"name": "Bob"}, None], spectator_delay=1000)
    path = f"/v1/games/{made['game']}"
    before = api.get(path)
    assert before["version"] == made["version"] == 3
    taken = api.call("POST", f"{path}/seats", {"name": "Cleo"})
    assert taken.json["version"] > 4
    after = api.get(path)
    assert (after["status"], after["version"]) == ("open", 4)
    assert [seat["name"] for seat in after["seats"]] == ["Ada", "Bob", "Cleo"]


def test_a_refusal_shows_the_table_as_it_was(api: InProcess, party: Party) -> None:
    """Who comes too late for a seat is told no more than any other spectator."""
    party.play(10)
    answer = api.call("POST", f"/v1/games/{party.game}/seats", {"name": "Dan"})
    assert answer.json["code"] == "game_started_already"
    seen = api.get(f"/v1/games/{party.game}")
    assert answer.json["version"] == seen["version"]
    shown = answer.json["state"]
    assert shown == {name: seen[name] for name in shown}


def test_no_answer_holds_anything_newer(api: InProcess, party: Party) -> None:
    """Every chain hash in any answer is that of a version which the spectator may see."""
    party.play(30)
    path = f"/v1/games/{party.game}"
    events = events_of(api, party.game, party.tokens[0])
    late = [each["hash"] for each in events[-DELAY:]]
    last = len(events) - DELAY
    projected(api)
    for more in (
        "",
        "?at=5",
        "/events",
        f"/events?after={last}",
        "/record",
        "/scene",
        "/history",
        "/receipt",
        "/validations",
        "/proof",
    ):
        answer = api.call("GET", path + more)
        sent = answer.body.decode() + str(answer.headers)
        assert not [each for each in late if each in sent or each[:8] in sent], more
    listed = api.get("/v1/games")["games"][0]
    assert (listed["version"], listed["status"], listed["spectator_delay"]) == (last, "running", DELAY)
    mine = api.call("GET", "/v1/games", token=api.key).json["games"][0]
    assert mine["version"] == last + DELAY
    for more in (f"?at={last + 1}", f"/events?after={last + 1}", f"/receipt?version={last + 1}"):
        answer = api.call("GET", path + more)
        assert (answer.status, answer.json["code"]) == (404, "no_such_version")
        assert str(last + DELAY) not in answer.json["detail"]


def test_a_stream_is_as_far_behind(api: InProcess, party: Party) -> None:
    """Each new event brings the one of so many versions ago."""
    party.play(15)
    version = version_of(api, party)
    with EventStream(api, party.game, f"?after={version - 1}") as stream:
        assert stream.event().version == version
        for number in range(1, 4):
            party.send(0, SAY)
            assert stream.event().version == version + number


def test_a_long_poll_waits_for_what_may_be_seen(api: InProcess, party: Party) -> None:
    """It comes back with the first event that the spectator may see, not with the first that happens."""
    party.play(15)
    version = version_of(api, party)
    with ThreadPoolExecutor(1) as waiting:
        asked = waiting.submit(api.get, f"/v1/games/{party.game}/events?after={version}&wait=60")
        party.send(0, SAY)
        page = asked.result()
    assert page["version"] == version + 1
    assert [each["entry"]["version"] for each in page["events"]] == [version + 1]


def test_the_end_opens_everything_at_once(api: InProcess) -> None:
    """A finished game hides nothing, and an open stream goes on to its end."""
    game = api.stored(policy=GamePolicy(spectator_delay=1000))
    state = api.get(f"/v1/games/{game.id}")
    assert (state["status"], state["version"]) == ("finished", len(game.recorded.log))
    with EventStream(api, game.id, f"?after={state['version'] - 2}") as stream:
        assert [frame.event for frame in stream.rest()][-1] == "end"


def test_a_stream_that_is_behind_comes_to_the_end_with_the_game(api: InProcess) -> None:
    """What the delay has held back comes in one go with the last event."""
    stored = api.stored(stop_at=NEARLY_OVER, policy=GamePolicy(spectator_delay=DELAY))
    party = Party(api, stored.id, stored.tokens, random.Random(3))
    with ThreadPoolExecutor(1) as watching, EventStream(api, party.game, "?after=0") as stream:
        frames = watching.submit(stream.rest)
        assert party.play()
        found = frames.result(timeout=120)
    assert found[-1].event == "end"
    assert [frame.version for frame in found[:-1]] == list(range(1, len(found)))
    assert len(found) - 1 == version_of(api, party)


@pytest.mark.parametrize("scopes", [("create_games",), ("read_games",), ("audit",)])
def test_other_keys_are_behind_too(
    api: InProcess, party: Party, store: RedisEventStore, scopes: tuple[str, ...]
) -> None:
    """Only the seats, the creator, arbiters and operators see a running game as it is."""
    party.play(12)
    newest = version_of(api, party, party.tokens[0])
    other = Keys(store).create("other", scopes, 9)
    arbiter = Keys(store).create("arbiter", ("arbitrate",), 9)
    assert version_of(api, party, other) == newest - DELAY
    assert version_of(api, party, arbiter) == version_of(api, party, api.key) == newest


def test_every_process_is_equally_behind(api: InProcess, party: Party) -> None:
    """Also one that sees the game for the first time, or not for a while."""
    others: list[Any] = [InProcess(api.store) for _ in range(2)]
    for _ in range(6):
        party.play(4)
        assert api.get(f"/v1/games/{party.game}") == others[0].get(f"/v1/games/{party.game}")
    assert api.get(f"/v1/games/{party.game}") == others[1].get(f"/v1/games/{party.game}")
