"""What webhooks are told: what happens in the games that their key may see, once it may see it, nothing hidden."""

import random
import re
from threading import Event, Thread
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import GamePolicy
from service.access.store import Keys
from service.jobs.jobs import validation_report
from service.server.service_process import STOP_SECONDS
from service.verification.store import Validations
from service.webhook_sender import WebhookProcess
from service.webhooks.fanout import Fanout
from tests.service.http.context.test_hidden_cards import UNLIKE, named, named_in
from tests.service.in_process import NAMES, NEARLY_OVER
from tests.service.webhooks.conftest import Telling
from tests.support.http_play import Party, events_of
from tests.support.receiver import Receiver, signature_of
from tests.support.watched_time import QUICK, WatchedTime

DELAY = 6
PLAYERS = [{"name": name} for name in NAMES[:3]]


def key(telling: Telling, *scopes: str) -> str:
    """A key that may have webhooks, and these scopes."""
    return Keys(telling.api.store).create(" ".join(scopes), ("webhooks", *scopes), 1)


def party_of(telling: Telling, **more: Any) -> Party:
    """A game of people that has just begun."""
    made = telling.api.create(PLAYERS, **more)
    return Party(telling.api, made["game"], [each["token"] for each in made["seats"]], random.Random(3))


def kinds(endpoint: Receiver) -> list[str]:
    """What was told, in order."""
    return [each.type for each in endpoint.told]


def test_a_seat_hears_that_its_time_runs_and_that_it_was_over(
    telling: Telling, endpoint: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the deadline that the log has; a game without a clock tells nothing of the kind."""
    watched = WatchedTime(telling.api.store, monkeypatch)
    telling.active(endpoint.url(), events=["seat.awaited", "seat.time_over"])
    watched.watch(60)
    party_of(telling)
    began = watched.now
    party = party_of(telling, clock=QUICK)
    telling.tell()
    (awaited,) = [each.json["data"] for each in endpoint.told]
    assert awaited["game"] == party.game
    assert awaited["times"] == [{"seat": 0, "deadline": began + 20_000}]
    watched.watch(21)
    answer = telling.api.call("POST", f"/v1/games/{party.game}/expiries", token=party.tokens[1])
    assert answer.status == 200
    telling.tell()
    over = [each.json["data"] for each in endpoint.told if each.type == "seat.time_over"]
    assert [each["times"] for each in over] == [awaited["times"]]
    assert kinds(endpoint) == ["seat.awaited", "seat.awaited", "seat.time_over"]


def test_a_seat_that_a_bot_has_taken_over_is_told(telling: Telling, endpoint: Receiver) -> None:
    """Once, when somebody has left."""
    telling.active(endpoint.url(), events=["seat.taken_over"])
    party = party_of(telling)
    path = f"/v1/games/{party.game}/commands"
    assert telling.api.call("POST", path, {"type": "resign"}, token=party.tokens[2]).status == 200
    assert telling.api.call("POST", path, {"type": "say", "text": "Oh."}, token=party.tokens[1]).status == 200
    telling.tell()
    (told,) = [each.json["data"] for each in endpoint.told]
    assert (told["game"], told["seats"]) == (party.game, [2])


def test_a_game_is_told_from_its_beginning_to_its_verdict(telling: Telling, endpoint: Receiver) -> None:
    """Each doorbell once, in order, signed, with version, chain head and the seats that are waited for."""
    made = telling.active(endpoint.url())
    party = party_of(telling)
    telling.tell()
    assert kinds(endpoint) == ["game.created", "game.started", "game.turn"]
    party.play(40)
    telling.tell()
    turns = [each.json["data"] for each in endpoint.told[2:]]
    assert len(turns) > 1
    heads = {each["entry"]["version"]: each["hash"] for each in events_of(telling.api, party.game)}
    for told in turns:
        assert told["hash"] == heads[told["version"]]
        seen = telling.api.get(f"/v1/games/{party.game}?at={told['version']}")
        assert (told["waiting_for"], told["status"]) == (seen["waiting_for"], seen["status"])
    assert [each["version"] for each in turns] == sorted(each["version"] for each in turns)
    for each in endpoint.told:
        assert each.headers["webhook-signature"] == signature_of(made["secret"], each)
        assert abs(int(each.headers["webhook-timestamp"]) - each.at) < 60
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", each.json["timestamp"])
    assert len({each.id for each in endpoint.told}) == len(endpoint.told)


def test_the_end_and_the_verdict_are_told(telling: Telling, endpoint: Receiver) -> None:
    """The verdict when the validator has found it, at the version that it is about."""
    telling.active(endpoint.url(), games="all", events=["game.finished", "game.validated"])
    game = telling.api.stored(1, policy=GamePolicy()).id
    assert telling.ring() == 0
    fresh = Party(*_nearly_over(telling))
    fresh.play(400)
    telling.tell()
    assert kinds(endpoint) == ["game.finished"]
    report = validation_report(telling.api.store, fresh.game, endpoint.told[0].json["data"]["version"])
    Validations(telling.api.store).add(fresh.game, {**report, "at": 2**42})
    telling.tell()
    told = endpoint.told[-1].json
    assert (told["type"], told["data"]["validation"]) == ("game.validated", "valid")
    assert told["data"]["hash"] == endpoint.told[0].json["data"]["hash"]
    assert game != fresh.game
    telling.tell()
    assert len(endpoint.told) == 2


def _nearly_over(telling: Telling) -> tuple[Any, str, list[str], random.Random]:
    stored = telling.api.stored(2, stop_at=NEARLY_OVER)
    return telling.api, stored.id, stored.tokens, random.Random(1)


def test_the_process_stops_though_it_has_ever_more_to_tell(
    store: RedisEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when it is far behind: the rest is told by the next one."""
    stopping = Event()

    def process_batch(*_: object) -> int:
        stopping.set()
        return 1

    party_of(Telling(store))
    monkeypatch.setattr(Fanout, "position", lambda *_: 0)
    monkeypatch.setattr(Fanout, "process_batch", process_batch)
    process = WebhookProcess(store, (), 3600, senders=1)
    working = Thread(target=process.run, args=(stopping,), daemon=True)
    working.start()
    working.join(STOP_SECONDS)
    assert not working.is_alive()


def test_what_happened_before_is_not_told(telling: Telling, endpoint: Receiver) -> None:
    """A webhook hears of what happens while it is active."""
    party = party_of(telling)
    telling.active(endpoint.url())
    telling.tell()
    assert endpoint.told == []
    party.play(40)
    telling.tell()
    assert set(kinds(endpoint)) == {"game.turn"}


def test_a_webhook_hears_of_the_games_that_it_asked_for(telling: Telling, endpoint: Receiver) -> None:
    """Its key's own, all that the key would find in the list, or one."""
    mine, other = key(telling, "create_games"), key(telling, "create_games")
    one = party_of(telling)
    for path, token, more in (
        ("/own", mine, {"games": "own"}),
        ("/all", other, {"games": "all"}),
        ("/one", other, {"games": "one", "game": one.game}),
    ):
        telling.active(endpoint.url(path), token, events=["game.created", "game.turn"], **more)
    body = {"system": "classic", "seats": PLAYERS}
    theirs = telling.api.call("POST", "/v1/games", body, token=mine).json["game"]
    hidden = {"visibility": "unlisted"}
    unlisted = telling.api.call("POST", "/v1/games", {**body, **hidden}, token=mine).json["game"]
    one.play(40)
    telling.tell()
    heard = {
        path: {each.json["data"]["game"] for each in endpoint.told if each.path == path}
        for path in ("/own", "/all", "/one")
    }
    assert heard == {"/own": {theirs, unlisted}, "/all": {theirs, one.game}, "/one": {one.game}}


def test_nobody_hears_of_a_private_game_of_somebody_else(telling: Telling, endpoint: Receiver) -> None:
    """Nor can it be asked for: it does not exist. Who may read it hears of it; an auditor only of its end."""
    made = telling.api.create(PLAYERS, visibility="private")
    stranger = key(telling)
    answer = telling.make(endpoint.url(), stranger, 404, games="one", game=made["game"])
    absent = telling.make(endpoint.url(), stranger, 404, games="one", game="nosuchgame")
    assert answer == absent
    scopes = {"stranger": (), "create": ("create_games",), "read": ("read_games",), "audit": ("audit",)}
    for role, more in scopes.items():
        telling.active(endpoint.url(f"/{role}"), key(telling, *more), games="all")
    creator = telling.active(endpoint.url("/creator"), games="own")
    party = party_of(telling, visibility="private")
    party.play(20)
    telling.tell()
    assert {each.path for each in endpoint.told} == {"/read", "/creator"}
    assert telling.shown(creator["id"])["waiting"] == 0
    stored = telling.api.stored(3, stop_at=NEARLY_OVER, policy=GamePolicy("private"))
    Party(telling.api, stored.id, stored.tokens, random.Random(1)).play(400)
    telling.tell()
    ends = [(each.path, each.type) for each in endpoint.told if each.json["data"]["game"] == stored.id]
    assert [kind for path, kind in ends if path == "/audit"] == ["game.finished"]
    assert {path for path, _ in ends} == {"/read", "/audit"}


def test_who_is_behind_hears_late(telling: Telling, endpoint: Receiver) -> None:
    """A spectator's doorbells name no version that spectators may not see yet; the creator's are as new as can be."""
    spectator = key(telling)
    telling.active(endpoint.url("/spectator"), spectator, games="all")
    telling.active(endpoint.url("/creator"))
    party = party_of(telling, spectator_delay=DELAY)
    for _ in range(25):
        party.play(1)
        telling.tell()
        shown = telling.api.get(f"/v1/games/{party.game}", spectator)
        late = [each["hash"] for each in events_of(telling.api, party.game, party.tokens[0])]
        not_yet = late[shown["version"] :]
        for each in endpoint.told:
            if each.path == "/spectator":
                assert each.json["data"]["version"] <= shown["version"]
                assert not any(head.encode() in each.body for head in not_yet)
    told = {
        path: [each.type for each in endpoint.told if each.path == path]
        for path in ("/spectator", "/creator")
    }
    assert "game.started" in told["/spectator"]
    assert set(told["/creator"]) == {"game.created", "game.started", "game.turn"}
    newest = {
        path: max(each.json["data"]["version"] for each in endpoint.told if each.path == path)
        for path in told
    }
    assert newest["/spectator"] < newest["/creator"]


def test_no_hidden_card_leaves(store: RedisEventStore, endpoint: Receiver) -> None:
    """Not one card of a deck whose names occur nowhere else, in all that is sent; no member but those documented."""
    telling = Telling(store, own=[UNLIKE])
    try:
        telling.active(endpoint.url(), games="all")
        party = party_of(telling)
        for _ in range(6):
            party.play(20)
            telling.tell()
        assert len(endpoint.told) > 3
        for each in endpoint.told:
            assert named_in(each.body) | named(each.headers) == set()
            assert set(each.json["data"]) == {"game", "system", "version", "hash", "status", "waiting_for"}
    finally:
        telling.close()


@pytest.mark.parametrize("how", ["revoke", "expire"])
def test_a_key_that_is_good_no_more_stops_its_webhooks_at_once(
    telling: Telling, endpoint: Receiver, how: str
) -> None:
    """Also what waits already is not sent any more; what is asked for again is refused with the key."""
    keys = Keys(telling.api.store)
    token = key(telling)
    made = telling.active(endpoint.url(), token, games="all")
    party_of(telling)
    assert telling.ring() > 0
    found = keys.find(token)
    assert found is not None
    keys.revoke(found, 5)
    if how == "expire":
        expired = (
            '{"name":"x","scopes":["webhooks"],"created":1,"id":"%s","expires":2,"hash":"%s","holder":"%s"}'
        )
        telling.api.store.connection.command(
            "HSET", "{keys}:keys", found.id, expired % (found.id, found.hash, found.id)
        )
    telling.send()
    party_of(telling)
    telling.tell()
    assert endpoint.told == []
    stored = telling.webhooks.get(made["id"])
    assert stored is not None
    assert (stored.state, stored.reason) == ("disabled", "key_revoked" if how == "revoke" else "key_expired")


def test_who_hears_of_ends_only_has_no_game_folded(
    telling: Telling, endpoint: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One entry is looked at for each append: a log is read where it has come to its end."""
    party = telling.api.people(seed=3)
    telling.active(endpoint.url(), games="all", events=["game.finished"])
    read, entries = RedisEventStore.read, []

    def count(*asked: Any, **more: Any) -> Any:
        found = read(*asked, **more)
        entries.append(len(found))
        return found

    party.play(30)
    monkeypatch.setattr(RedisEventStore, "read", count)
    telling.tell()
    assert (kinds(endpoint), set(entries)) == ([], {1})
    monkeypatch.undo()
    party.play(10_000)
    telling.tell()
    assert kinds(endpoint) == ["game.finished"]
