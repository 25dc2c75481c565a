"""Two machines that share nothing but the store: a game is played over both, and one goes on when the other dies."""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection
from itertools import cycle, pairwise
from typing import Any, Final

import pytest

from replay.verification.verify import verify_lines
from tests.support.decks import CATALOGUE, DECK
from tests.support.hosts import Hosts, machine
from tests.support.http_play import Answer, Api, Party, await_verdict, events_of
from tests.support.processes import Service
from tests.support.servers import eventually
from tests.support.streams import StreamEvent, events_in

PROCESSES: Final = ("web", "worker", "projector", "bots")
BEFORE: Final = 6
"""Commands that are played before a machine dies."""
BOT: Final = {"name": "Rob", "kind": "bot", "bot": "random"}


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    """Both machines, with each of these processes on both."""
    folder = tmp_path_factory.mktemp("hosts")
    with Hosts(*(machine(folder / name) for name in ("store", "one", "two"))) as hosts:
        for host in hosts.all:
            decks = host.folder / "decks"
            decks.mkdir()
            (decks / "short.toml").write_text(DECK, encoding="utf-8")
            host.environment |= {"WEB_PROCESSES": "1", "FIELDBOOK_CATALOGUES": str(decks)}
        hosts.start(*PROCESSES)
        yield hosts


class InTurn(Api):
    """Asks one machine after the other, as a balancer in front of them does."""

    def __init__(self, hosts: Hosts) -> None:
        self._apis = cycle([host.api for host in hosts.all])

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        return next(self._apis).call(method, path, body, token=token, headers=headers)


def begun(hosts: Hosts, api: Api) -> Party:
    """A game of two people and a bot."""
    body = {"system": "classic", "catalogue": CATALOGUE, "seats": [{"name": "Ada"}, {"name": "Bob"}, BOT]}
    made = api.call("POST", "/v1/games", body, token=hosts.all[0].key())
    assert made.status == 201, made.body
    tokens = [seat["token"] for seat in made.json["seats"][:2]]
    return Party(api, made.json["game"], tokens, random.Random(26))


def followed(host: Service, game: str, up_to: int) -> dict[int, str]:
    """What a stream of this machine brings of a game, up to a version."""
    with closing(HTTPConnection("127.0.0.1", host.port, timeout=60)) as connection:
        headers = {"Accept": "text/event-stream"}
        connection.request("GET", f"/v1/games/{game}/events?after=0", headers=headers)
        found: dict[int, str] = {}
        for event in events_in(connection.getresponse()):
            assert isinstance(event, StreamEvent)
            found[event.version] = event.hash
            if event.version >= up_to:
                return found
    raise AssertionError(f"the stream ended at {max(found, default=0)}, before {up_to}")


def test_a_machine_dies_and_the_game_goes_on_at_the_other(hosts: Hosts) -> None:
    """Nothing acknowledged is lost; seats, streams, bots, list and verdict do without what has died."""
    dying, staying = hosts.all
    party = begun(hosts, InTurn(hosts))
    assert not party.play(BEFORE)
    played = max(party.acknowledged)
    assert followed(dying, party.game, played) == followed(staying, party.game, played)

    for name in PROCESSES:
        dying.kill(name)
    party.api = staying.api
    assert party.play()

    log = {event["entry"]["version"]: event["hash"] for event in events_of(staying.api, party.game)}
    assert party.acknowledged.items() <= log.items()
    assert all(after == before + 1 for before, after in pairwise(log))
    assert followed(staying, party.game, max(log)) == log
    assert await_verdict(staying.api, party.game) == "valid"
    listed = staying.api.call("GET", "/v1/games?status=finished").json["games"]
    assert [each["game"] for each in listed] == [party.game]
    record = staying.api.call("GET", f"/v1/games/{party.game}/record").body
    assert verify_lines(record.splitlines(keepends=True)).ok


def test_what_has_died_comes_back_and_serves_what_was_played_without_it(hosts: Hosts) -> None:
    """On its own data, with the store as it is by now."""
    came_back, stayed = hosts.all
    party = begun(hosts, stayed.api)
    party.play(3)
    if not came_back.is_running("web"):
        came_back.start("web")
    eventually(came_back.is_ready)

    party.api = came_back.api
    party.play(3)

    assert party.acknowledged.items() <= followed(stayed, party.game, max(party.acknowledged)).items()
