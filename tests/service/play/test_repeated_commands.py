"""Requests sent again, and requests that insist on a version."""

import random
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.http.context.turns import LONG
from tests.service.in_process import InProcess
from tests.support.http_play import Answer, Party, events_of
from tests.support.lossy_proxy import LossyProxy

BOTH_WAYS = True
PLANT = {"type": "plant", "field": 0}
SAY = {"type": "say", "text": "hello"}


def send(api: InProcess, party: Party, body: Any, seat: int = 0, **headers: str) -> Answer:
    """Send to the game as a seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return api.call("POST", f"/v1/games/{party.game}/commands", body, token=party.tokens[seat], headers=named)


def test_a_repeated_command_gets_its_first_answer(api: InProcess) -> None:
    """The same Idempotency-Key and body are applied once, also when it would be legal again."""
    party = api.people()
    first, again = (send(api, party, SAY, Idempotency_Key="once") for _ in range(2))
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.json, again.headers["etag"]) == (first.json, first.headers["etag"])
    assert again.json["version"] == api.get(f"/v1/games/{party.game}")["version"]


def test_it_does_so_after_the_game_has_moved_on(api: InProcess) -> None:
    """Also when the command would be refused by now, in any process, with the key quoted or bare."""
    party = api.people()
    first = send(api, party, PLANT, Idempotency_Key="once")
    party.play(30)
    for client in (api, InProcess(api.store)):
        for key in ("once", '"once"'):
            again = send(client, party, PLANT, Idempotency_Key=key)
            assert (again.status, again.headers.get("idempotent-replayed")) == (200, "true")
            assert again.json == first.json


def test_a_key_belongs_to_one_request(api: InProcess) -> None:
    """The same key with another body is refused; of another seat it is another key."""
    party = api.people()
    send(api, party, SAY, Idempotency_Key="once")
    other = send(api, party, {"type": "say", "text": "bye"}, Idempotency_Key="once")
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")
    bob = send(api, party, SAY, seat=1, Idempotency_Key="once")
    assert "idempotent-replayed" not in bob.headers
    refused = send(api, party, {"type": "draw"}, Idempotency_Key="once")
    assert (refused.status, refused.json["code"]) == (422, "idempotency_key_reused")


def test_a_refused_command_can_be_sent_again_with_its_key(api: InProcess) -> None:
    """A refusal is not remembered: the same request may be legal later."""
    party = api.people()
    reveal = {"type": "reveal"}
    assert send(api, party, reveal, Idempotency_Key="k").json["code"] == "must_plant_first"
    send(api, party, PLANT)
    assert send(api, party, reveal, Idempotency_Key="k").status == 200


def test_a_lost_answer_of_the_store_does_not_apply_a_command_twice(
    redis_url: str, store: RedisEventStore
) -> None:
    """When the store has appended and its reply is lost, the command has happened exactly once."""
    with LossyProxy(redis_url) as proxy:
        lossy = RedisEventStore.connect(proxy.url)
        api = InProcess(lossy)
        made = api.create([{"name": name} for name in ("Ada", "Bob", "Cleo")])
        party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
        prepare, lost = lossy.prepare_append, set[str]()

        def prepare_and_lose(*arguments: Any, **named: Any) -> Any:
            if named["command_id"] not in lost:
                proxy.lose_next_reply()
                lost.add(named["command_id"])
            return prepare(*arguments, **named)

        lossy.prepare_append = prepare_and_lose  # type: ignore[method-assign]
        answers = [send(api, party, SAY, Idempotency_Key=f"k{number}") for number in range(5)]
        lossy.close()
        assert proxy.lost == 5
    assert [each.status for each in answers] == [200] * 5
    types = [event["entry"]["type"] for event in events_of(InProcess(store), made["game"])]
    assert types.count("talked") == 5


def test_a_command_can_insist_on_a_version(api: InProcess) -> None:
    """With If-Match it is applied to exactly that version, as the entity tag of any answer names it."""
    party = api.people()
    tag = api.call("GET", f"/v1/games/{party.game}").headers["etag"]
    assert send(api, party, PLANT, If_Match=tag).status == 200
    assert send(api, party, SAY, If_Match="*").status == 200


def test_a_stale_version_is_told_what_it_missed(api: InProcess) -> None:
    """412 with the events since, as the sender may see them, and the game's entity tag."""
    party = api.people()
    before = api.get(f"/v1/games/{party.game}")
    tag = f'"{before["version"]}-{before["hash"][:8]}"'
    done = send(api, party, SAY, seat=1)
    answer = send(api, party, PLANT, If_Match=tag)
    assert (answer.status, answer.json["code"]) == (412, "stale_version")
    assert answer.headers["etag"] == done.headers["etag"]
    assert answer.json["version"] == done.json["version"]
    assert [event["entry"]["data"]["text"] for event in answer.json["events"]] == ["hello"]
    assert api.get(f"/v1/games/{party.game}")["version"] == done.json["version"]


def test_what_was_missed_is_told_in_a_short_page(api: InProcess) -> None:
    """100 events at most, however far back the version lies; after `next` is read on, until all is there."""
    stored = api.stored(stop_at=4 * LONG)
    path, version = f"/v1/games/{stored.id}", stored.recorded.log[-1].version
    events = events_of(api, stored.id, stored.tokens[0])
    first = f'"1-{events[0]["hash"][:8]}"'
    for tag, code, before in ((first, "stale_version", 1), ('"7-00000000"', "history_forked", 6)):
        answer = api.call("POST", f"{path}/commands", SAY, token=stored.tokens[0], headers={"If-Match": tag})
        assert (answer.status, answer.json["code"]) == (412, code)
        assert answer.json["events"] == events[before : before + LONG]
        assert answer.json["next"] == before + LONG < answer.json["version"] == version
    forked = api.call("GET", f"{path}/events?after=7-00000000", token=stored.tokens[0])
    assert (forked.status, forked.json["code"], len(forked.json["events"])) == (409, "history_forked", LONG)


def test_a_history_that_forked_at_its_beginning_is_told_from_there(api: InProcess) -> None:
    """Version 0 has a chain hash as well, and nothing before it."""
    game = api.people().game
    forked = api.call("GET", f"/v1/games/{game}/events?after=0-00000001")
    assert (forked.status, forked.json["shared"]) == (409, 0)
    assert forked.json["next"] == forked.json["version"] == len(forked.json["events"])


def test_a_version_of_another_history_is_not_taken_for_this_one(api: InProcess) -> None:
    """The right number with another chain hash is a game that went on differently; one to come was lost."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    for ahead, code, told in ((0, "history_forked", [version]), (5, "history_lost", [])):
        answer = send(api, party, PLANT, If_Match=f'"{version + ahead}-00000000"')
        assert (answer.status, answer.json["code"]) == (412, code)
        assert [event["entry"]["version"] for event in answer.json["events"]] == told


def test_a_repeated_command_with_its_old_version_still_gets_its_answer(api: InProcess) -> None:
    """Sent again after a lost answer, If-Match is stale by the command itself: that is no conflict."""
    party = api.people()
    tag = api.call("GET", f"/v1/games/{party.game}").headers["etag"]
    first, again = (send(api, party, PLANT, If_Match=tag, Idempotency_Key="once") for _ in range(2))
    assert (again.status, again.json) == (200, first.json)


@pytest.mark.parametrize(
    "tag", ["13", '"13"', 'W/"13-00000000"', '"13-00000000", "14-00000000"', '"x-00000000"', ""]
)
def test_a_malformed_version_is_refused(api: InProcess, tag: str) -> None:
    """What is no entity tag of a game is a 400 and not taken for absent."""
    party = api.people()
    answer = send(api, party, PLANT, If_Match=tag)
    assert (answer.status, answer.json["code"]) == (400, "bad_if_match")
