"""The law of the spectators' delay: nothing of a running game's last versions leaves for whoever is behind.

It is held over every outlet at once, on the bytes: all addresses of a game that can be read, found in the
application itself, in every format and for every kind of caller that is behind; the list of games; streams; and
webhooks. Each version leaves traces that nothing else has: its chain hash, the commitments of its entry, and words
said at the table. `service.access.spectator_delay` decides what may be seen.
"""

import json
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from werkzeug.routing import Rule

from events.store.redis.redis_store import RedisEventStore
from service.access.store import Keys
from tests.service.in_process import NAMES
from tests.service.in_process_stream import EventStream
from tests.service.projections.test_projector import projected
from tests.service.webhooks.conftest import Telling
from tests.support.http_play import Party, events_of
from tests.support.receiver import Receiver, receiver
from tests.support.servers import eventually

DELAY = 5
STEPS = 14
TRACE = re.compile(r"[0-9a-f]{64}|said at \d+")
FORMATS = ("application/json", "application/x-ndjson", "*/*")
QUERIES = ("", "?after=0", "?as=public", "?at={visible}", "?at={next}", "?after={next}", "?version={next}")


@pytest.fixture
def endpoint() -> Iterator[Receiver]:
    """Yield an endpoint that takes everything."""
    with receiver() as found:
        yield found


@pytest.fixture
def telling(store: RedisEventStore) -> Iterator[Telling]:
    """Yield an application with what tells its webhooks."""
    found = Telling(store)
    yield found
    found.close()


def addresses(telling: Telling, game: str) -> list[str]:
    """Every address below the game's that is read with GET; what else they name is filled with a 1."""
    rules: list[Rule] = [*telling.api.app.url_map.iter_rules()]
    named = [each for each in rules if "GET" in (each.methods or ()) and "<string:game>" in each.rule]
    assert len(named) >= 12
    return [re.sub(r"<[^>]*>", "1", each.rule.replace("<string:game>", game)) for each in named]


def late_traces(events: list[Any], visible: int) -> set[str]:
    """What only the versions behind the visible one have left; of a chain hash its first digits."""
    seen, late = json.dumps(events[:visible]), json.dumps(events[visible:])
    traces = set(TRACE.findall(late)) - set(TRACE.findall(seen))
    return traces | {each["hash"][:8] for each in events[visible:]}


class Watched:
    """A stream that somebody reads on and on."""

    def __init__(self, telling: Telling, party: Party, token: str, readers: ThreadPoolExecutor) -> None:
        """Follow the game from its beginning."""
        self._stream = EventStream(telling.api, party.game, "?after=0", token)
        assert self._stream.status == 200
        self.version = 0
        """The last version that was shown."""
        readers.submit(self._read)

    def _read(self) -> None:
        for frame in self._stream:
            self.version = max(self.version, frame.version)


def test_nothing_of_the_last_versions_leaves_for_whoever_is_behind(
    telling: Telling, endpoint: Receiver
) -> None:
    """However the game goes on, whoever asks, wherever, in whatever format; and whoever is told unasked."""
    api = telling.api
    keys = {
        scope: Keys(api.store).create(scope, (scope, "webhooks"), 1)
        for scope in ("read_games", "create_games", "audit")
    }
    for name, token in keys.items():
        telling.active(endpoint.url(f"/{name}"), token, games="all")
    made = api.create([{"name": name} for name in NAMES[:3]], spectator_delay=DELAY)
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(4))
    watcher = api.call("POST", f"/v1/games/{party.game}/spectators", {}, token=api.key).json["token"]
    callers = (None, watcher, *keys.values())
    paths = addresses(telling, party.game)
    answered = 0

    for step in range(STEPS):
        party.send(0, {"type": "say", "text": f"said at {step}"})
        party.play(3)
        projected(api)
        telling.tell()
        events = events_of(api, party.game, party.tokens[0])
        shown = api.get(f"/v1/games/{party.game}")
        visible = shown["version"]
        assert visible == len(events) - DELAY or shown["status"] == "open"
        late = late_traces(events, visible)
        assert len(late) > DELAY

        # Every address in turn, another caller and another way of asking each time.
        for place, path in enumerate(paths):
            for turn, caller in enumerate(callers):
                query = QUERIES[(step + place + turn) % len(QUERIES)].format(
                    visible=visible, next=visible + 1
                )
                accepted = FORMATS[(step + turn) % len(FORMATS)]
                answer = api.call("GET", path + query, token=caller, headers={"Accept": accepted})
                sent = answer.body.decode(errors="replace") + str(answer.headers)
                assert not [each for each in late if each in sent], (path, query, accepted, answer.status)
                answered += answer.status == 200
        for caller in (None, *keys.values()):
            listed = api.call("GET", "/v1/games", token=caller).json["games"]
            assert [each["version"] for each in listed] == [visible]
        for told in endpoint.told:
            assert told.json["data"]["version"] <= visible, told.path
            assert not [each for each in late if each in told.body.decode()], told.path
    assert answered > STEPS * len(callers)
    assert {each.path for each in endpoint.told} >= {"/read_games", "/create_games", "/audit"}


def test_no_stream_runs_ahead(telling: Telling) -> None:
    """Streams of all who are behind come to the visible version, and not one step further."""
    api = telling.api
    key = Keys(api.store).create("read", ("read_games",), 1)
    made = api.create([{"name": name} for name in NAMES[:3]], spectator_delay=DELAY)
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(4))
    watcher = api.call("POST", f"/v1/games/{party.game}/spectators", {}, token=api.key).json["token"]
    opened = api.get(f"/v1/games/{party.game}")["version"]
    party.play(4)
    with ThreadPoolExecutor(3) as readers:
        try:
            watched = [Watched(telling, party, token, readers) for token in ("", watcher, key)]
            for _ in range(STEPS):
                party.play(2)
                visible = max(api.get(f"/v1/games/{party.game}", api.key)["version"] - DELAY, opened)
                for each in watched:
                    eventually(lambda each=each, to=visible: each.version >= to)  # type: ignore[misc]
                    assert each.version == visible
        finally:
            telling.close()
