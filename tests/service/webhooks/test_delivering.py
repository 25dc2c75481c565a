"""Sending: again until it is taken, in order for each game, bounded in time and size; nobody waits for others."""

import time
from typing import Any

import msgspec
import pytest

from service.access.store import Keys
from service.platform.clock import now_milliseconds
from service.webhooks import store as limits
from service.webhooks.deliveries import Delivery, TooFarBehind
from service.webhooks.delivery.delivering import LONGEST_PAUSE, pause_after
from service.webhooks.delivery.posting import post
from service.webhooks.store import Deliveries
from tests.service.webhooks.conftest import LOOPBACK, Telling
from tests.support.receiver import HUGE, Receiver, receiver

LATER = 20.0
"""Seconds that a bounded request may take on a machine that has much else to do."""


def told(endpoint: Receiver) -> list[str]:
    """The ids of what was told, in the order of the requests."""
    return [each.id for each in endpoint.told]


@pytest.mark.parametrize(
    ("way", "error", "status"),
    [
        ("500", "status", 500),
        ("404", "status", 404),
        ("busy", "status", 503),
        ("redirect", "status", 307),
        ("close", "bad_answer", None),
        ("nonsense", "bad_answer", None),
        ("hang", "timeout", None),
        ("trickle", "timeout", None),
    ],
)
def test_what_an_endpoint_does_not_take_is_said(
    telling: Telling, endpoint: Receiver, way: str, error: str, status: int | None
) -> None:
    """Each with its reason, in bounded time; the delivery waits under its id, and the webhook stays active."""
    endpoint.ways, endpoint.redirected = [way], endpoint.url("/elsewhere")
    made = telling.active(endpoint.url(), games="all")
    telling.delivering = telling.sender(pause=600_000)
    telling.api.people()
    began = time.monotonic()
    telling.tell()
    assert time.monotonic() - began < LATER
    first = telling.listed(made["id"])[0]
    assert (first["status"], first["attempts"], first["error"], first["answered"]) == (
        "waiting",
        1,
        error,
        status,
    )
    assert first["next"] > now_milliseconds() + 100_000
    assert len(endpoint.told) == 1
    shown = telling.shown(made["id"])
    assert (shown["state"], shown["waiting"]) == ("active", 3)
    assert shown["failing_since"] is not None


def test_a_huge_answer_is_not_read(telling: Telling, endpoint: Receiver) -> None:
    """It was taken; that is all that anybody wants to know."""
    endpoint.ways = ["huge"]
    telling.active(endpoint.url(), games="all")
    telling.api.people()
    telling.tell()
    assert len(endpoint.told) == 3
    assert endpoint.written < 3 * HUGE / 2


def test_what_fails_is_sent_again_in_order_under_the_same_id(telling: Telling, endpoint: Receiver) -> None:
    """The game's later doorbells wait; each attempt is signed anew, with the time at which it is made."""
    endpoint.ways = ["500", "close", "500", "ok"]
    made = telling.active(endpoint.url(), games="all")
    telling.api.people()
    telling.tell()
    ids = told(endpoint)
    assert len(ids) == 6
    assert len(set(ids)) == 3
    assert ids[0] == ids[1] == ids[2] == ids[3]
    assert [each.type for each in endpoint.told[3:]] == ["game.created", "game.started", "game.turn"]
    assert len({each.body for each in endpoint.told[:4]}) == 1
    listed = telling.listed(made["id"])
    assert {each["status"] for each in listed} == {"delivered"}
    assert max(each["attempts"] for each in listed) == 4
    assert telling.shown(made["id"])["failing_since"] is None


def test_a_turn_that_waits_gives_way_to_the_next(telling: Telling, endpoint: Receiver) -> None:
    """So what waits for an endpoint that is away does not grow with every move, and what it hears is news."""
    made = telling.active(endpoint.url(), games="all")
    party = telling.api.people()
    telling.ring()
    party.play(80)
    telling.ring()
    waiting = telling.listed(made["id"], "&status=waiting")
    assert [each["type"] for each in waiting] == ["game.created", "game.started", "game.turn"]
    telling.send()
    newest = endpoint.told[-1].json["data"]
    assert newest["waiting_for"] == telling.api.get(f"/v1/games/{party.game}")["waiting_for"]


def test_an_endpoint_that_fails_for_long_is_disabled_and_what_waited_is_kept(
    telling: Telling, endpoint: Receiver
) -> None:
    """It is dead, can be listed, and can be asked for by its id once the endpoint is verified again."""
    made = telling.active(endpoint.url(), games="all")
    telling.delivering = telling.sender(give_up=0)
    endpoint.ways = ["500"]
    telling.api.people()
    telling.tell()
    shown = telling.shown(made["id"])
    assert (shown["state"], shown["reason"], shown["waiting"]) == ("disabled", "failing", 0)
    dead = telling.listed(made["id"], "&status=dead")
    assert [each["type"] for each in dead] == ["game.created", "game.started", "game.turn"]
    path = f"/v1/webhooks/{made['id']}"

    def again(delivery: str) -> Any:
        return telling.api.call("POST", f"{path}/deliveries/{delivery}/redeliver", token=telling.api.key)

    assert (again(dead[0]["id"]).status, again(dead[0]["id"]).json["code"]) == (409, "webhook_not_active")
    endpoint.ways = ["ok"]
    before = len(endpoint.told)
    assert telling.api.call("POST", f"{path}/verify", token=telling.api.key).status == 202
    telling.send()
    assert telling.shown(made["id"])["state"] == "active"
    assert len(endpoint.told) == before
    for each in dead:
        answer = again(each["id"])
        assert (answer.status, answer.json["status"], answer.json["id"]) == (202, "waiting", each["id"])
    telling.send()
    assert told(endpoint)[before:] == [each["id"] for each in dead]
    assert endpoint.told[before].body == endpoint.told[0].body
    assert telling.listed(made["id"], "&status=dead") == []
    assert (again("msg_0").status, again("msg_0").json["code"]) == (404, "delivery_not_found")
    challenge = telling.api.get(f"{path}/deliveries", telling.api.key)["deliveries"][-1]
    assert again(challenge["id"]).status == 404


def test_what_is_taken_can_be_sent_again_too(telling: Telling, endpoint: Receiver) -> None:
    """An integrator may have lost it after all."""
    made = telling.active(endpoint.url(), games="all", events=["game.started"])
    telling.api.people()
    telling.tell()
    path = f"/v1/webhooks/{made['id']}/deliveries/{endpoint.told[0].id}/redeliver"
    for _ in range(2):
        assert telling.api.call("POST", path, token=telling.api.key).status == 202
    telling.send()
    assert [each.id for each in endpoint.told] == [endpoint.told[0].id] * 2


def test_one_that_poisons_its_game_does_not_hold_up_the_others(telling: Telling, endpoint: Receiver) -> None:
    """Other games are told meanwhile, and it is given up after its time."""
    made = telling.active(endpoint.url(), games="all", events=["game.started"])
    endpoint.ways = ["500", "ok", "500", "ok"]
    telling.api.people()
    telling.ring()
    telling.api.people()
    telling.ring()
    telling.delivering = telling.sender(give_up=0)
    telling.send(1)
    assert {each["status"] for each in telling.listed(made["id"])} == {"dead"}
    assert telling.shown(made["id"])["state"] == "disabled"


def test_gone_is_an_answer(telling: Telling, endpoint: Receiver) -> None:
    """410 says that the endpoint does not want to be told any more."""
    endpoint.ways = ["410"]
    made = telling.active(endpoint.url(), games="all")
    telling.api.people()
    telling.tell()
    shown = telling.shown(made["id"])
    assert (shown["state"], shown["reason"], len(endpoint.told)) == ("disabled", "gone", 1)


def test_a_webhook_can_be_stopped(telling: Telling, endpoint: Receiver) -> None:
    """By its owner or an operator; it is told nothing until it is verified again."""
    made = telling.active(endpoint.url(), games="all")
    telling.api.people()
    telling.ring()
    answer = telling.api.call("POST", f"/v1/webhooks/{made['id']}/disable", token=telling.api.key)
    assert (answer.status, answer.json["state"], answer.json["reason"]) == (200, "disabled", "owner")
    telling.send()
    assert endpoint.told == []
    assert len(telling.listed(made["id"], "&status=dead")) == 3


def test_nobody_waits_for_an_endpoint_that_hangs(telling: Telling, endpoint: Receiver) -> None:
    """Neither play, which it does not touch, nor another webhook: after one failure it is left alone."""
    with receiver() as slow:
        slow.ways = ["hang"]
        hanging = telling.active(slow.url(), games="all")
        telling.active(endpoint.url(), games="all")
        telling.delivering = telling.sender(pause=600_000)
        for _ in range(5):
            telling.api.people()
        telling.tell()
        assert len(endpoint.told) == 15
        assert len(slow.told) == 1
        assert telling.shown(hanging["id"])["waiting"] == 15


def test_only_one_sender_is_at_a_webhook(telling: Telling, endpoint: Receiver) -> None:
    """Until its lease is over; then another one takes over, and the first one's word counts no more."""
    made = telling.active(endpoint.url(), games="all")
    telling.api.people()
    telling.ring()
    now = now_milliseconds()
    first = telling.deliveries.claim(now)
    assert first is not None
    assert telling.deliveries.claim(now) is None
    later = now + limits.LEASE_MILLISECONDS
    second = telling.deliveries.claim(later)
    assert second is not None
    assert second.webhook == first.webhook == made["id"]
    assert telling.deliveries.next(first, later) is None
    telling.deliveries.release(first)
    assert telling.deliveries.claim(later) is None
    assert telling.deliveries.next(second, later) is not None


def test_what_is_written_down_twice_is_told_once(telling: Telling, endpoint: Receiver) -> None:
    """As after a crash between writing it down and moving the checkpoint."""
    telling.active(endpoint.url(), games="all")
    party = telling.api.people()
    telling.tell()
    partition = telling.api.store.partition_of(party.game)
    telling.api.store.connection.command("SET", f"{{p{partition:02}}}:projection:webhooks-1:checkpoint", 0)
    assert telling.ring() == 0
    telling.send()
    assert len(endpoint.told) == len({each.id for each in endpoint.told}) == 3


def test_a_feed_that_has_lost_its_end_is_followed_from_there(telling: Telling, endpoint: Receiver) -> None:
    """A store that comes back older than it was hinders nobody."""
    telling.active(endpoint.url(), games="all")
    party = telling.api.people()
    telling.tell()
    partition = telling.api.store.partition_of(party.game)
    telling.api.store.connection.command("SET", f"{{p{partition:02}}}:projection:webhooks-1:checkpoint", 99)
    telling.ring()
    party.play(60)
    telling.tell()
    assert len(endpoint.told) > 3


def test_what_waits_is_bounded(telling: Telling, endpoint: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A webhook that is too far behind is disabled; what had waited is kept as dead."""
    monkeypatch.setattr(limits, "MOST_WAITING", 4)
    made = telling.active(endpoint.url(), games="all")
    for _ in range(2):
        telling.api.people()
    telling.ring()
    shown = telling.shown(made["id"])
    assert (shown["state"], shown["reason"], shown["waiting"]) == ("disabled", "too_far_behind", 0)
    assert len(telling.listed(made["id"], "&status=dead")) == 4
    other = telling.active(endpoint.url())
    for number in range(4):
        telling.deliveries.add(other["id"], Delivery(id=f"msg_{number}", type="x", game="g"), 1)
    with pytest.raises(TooFarBehind):
        telling.deliveries.add(other["id"], Delivery(id="msg_4", type="x", game="g"), 1)


def test_what_has_ended_is_forgotten_in_the_end(
    telling: Telling, endpoint: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest are kept, delivered and dead ones apart."""
    monkeypatch.setitem(limits.KEPT, "delivered", 2)
    made = telling.active(endpoint.url(), games="all")
    for _ in range(2):
        telling.api.people()
    telling.tell()
    assert [each["status"] for each in telling.listed(made["id"])] == ["delivered"] * 2
    stored = telling.api.store.connection.command("HLEN", f"{{webhooks}}:{made['id']}:deliveries")
    assert stored == 2


def test_pauses_grow_and_differ() -> None:
    """From seconds to an hour; half of a pause is chance, so that not all come back at once."""
    assert 2500 <= pause_after(1) <= 5000
    assert all(LONGEST_PAUSE / 2 <= pause_after(each) <= LONGEST_PAUSE for each in (11, 50, 10_000))
    assert len({pause_after(8) for _ in range(20)}) > 1


def test_an_endpoint_may_ask_for_time(endpoint: Receiver) -> None:
    """`Retry-After` is heeded."""
    endpoint.ways = ["busy"]
    body = msgspec.json.encode({"type": "x"})
    posted = post(endpoint.url(), body, {"webhook-id": "msg_1"}, LOOPBACK, key="tests")
    assert (posted.status, posted.wait) == (503, 77)


def test_numbers_say_how_it_goes(telling: Telling, endpoint: Receiver) -> None:
    """Attempts by what became of them, what waits, and for how long; no label names an address."""
    endpoint.ways = ["500", "ok"]
    telling.active(endpoint.url(), games="all")
    telling.api.people()
    telling.ring()
    time.sleep(0.01)
    before = telling.api.call("GET", "/metrics").body.decode()
    assert "fieldbook_webhook_waiting 3.0" in before
    assert "127.0.0.1" not in before
    telling.send()
    assert Deliveries(telling.api.store).overdue() == (0, None)
    time.sleep(1.1)
    after = telling.api.call("GET", "/metrics").body.decode()
    assert 'fieldbook_webhook_deliveries_total{outcome="status"} 1.0' in after
    assert 'fieldbook_webhook_deliveries_total{outcome="delivered"} 4.0' in after
    assert "fieldbook_webhook_waiting 0.0" in after


def test_a_key_needs_the_scope(telling: Telling, endpoint: Receiver) -> None:
    """Without it nothing of webhooks is for it."""
    other = Keys(telling.api.store).create("other", ("create_games",), 1)
    assert telling.make(endpoint.url(), other, 403)["code"] == "scope_missing"
