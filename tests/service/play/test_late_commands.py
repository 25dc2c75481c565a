"""Commands that come after their seat's time: that is recorded first, once, and nobody loses by an outage."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.storage.life_marks import LONGEST_SILENCE, SETTLING
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, Party, events_of
from tests.support.watched_time import QUICK, WatchedTime

BOTH_WAYS = True
PLANT = {"type": "plant", "field": 0}


@pytest.fixture
def time(store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """The time in the test's hand."""
    return WatchedTime(store, monkeypatch)


def clocked(api: InProcess, players: int = 3, **settings: Any) -> Party:
    """A game by the clock that has just begun."""
    made = api.create([{"name": name} for name in NAMES[:players]], clock=QUICK | settings)
    return Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))


def send(party: Party, body: Any, seat: int = 0, **headers: str) -> Answer:
    """Send as a seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/v1/games/{party.game}/commands"
    return party.api.call("POST", path, body, token=party.tokens[seat], headers=named)


def ask(party: Party, token: str | None) -> Answer:
    """Ask that what is over is recorded."""
    return party.api.call("POST", f"/v1/games/{party.game}/expiries", token=token)


def types_in(api: InProcess, party: Party) -> list[str]:
    """The types of a game's events."""
    return [each["entry"]["type"] for each in events_of(api, party.game)]


def test_a_command_in_time_is_applied(api: InProcess, time: WatchedTime) -> None:
    """Up to the end of the grace, which is the last moment that counts."""
    party = clocked(api)
    time.watch(20.999)
    assert send(party, PLANT).status == 200


def test_a_late_command_is_refused_once_that_is_recorded(api: InProcess, time: WatchedTime) -> None:
    """The answer is a refusal like any other, on the table after what was done for the seat."""
    party = clocked(api)
    time.watch(21)
    answer = send(party, PLANT)
    assert (answer.status, answer.json["code"]) == (422, "time_over")
    assert answer.json["version"] == api.get(f"/v1/games/{party.game}")["version"]
    types = types_in(api, party)
    assert types.count("time_expired") == 1
    assert "bean_planted" in types
    assert "time_credited" not in types
    assert answer.json["state"]["phase"] != "plant"


def test_talk_is_never_late(api: InProcess, time: WatchedTime) -> None:
    """What is said changes nothing at the table."""
    party = clocked(api)
    time.watch(100)
    assert send(party, {"type": "say", "text": "sorry"}).status == 200
    assert "time_expired" not in types_in(api, party)


def test_a_dry_run_records_nothing(api: InProcess, time: WatchedTime) -> None:
    """It says what would happen to the command, and the game stands as it stood."""
    party = clocked(api)
    time.watch(30)
    path = f"/v1/games/{party.game}/commands?dry_run=true"
    answer = api.call("POST", path, PLANT, token=party.tokens[0])
    assert (answer.status, answer.json["code"]) == (422, "time_over")
    assert "time_expired" not in types_in(api, party)


def test_a_repeated_command_gets_its_first_answer_however_late(api: InProcess, time: WatchedTime) -> None:
    """It was in time when it came first; that its seat's time is over now is another matter."""
    party = clocked(api)
    first = send(party, PLANT, Idempotency_Key="once")
    time.watch(60)
    for client in (api, InProcess(api.store)):
        again = client.call(
            "POST",
            f"/v1/games/{party.game}/commands",
            PLANT,
            token=party.tokens[0],
            headers={"Idempotency-Key": "once"},
        )
        assert (again.status, again.json) == (200, first.json)
    assert "time_expired" not in types_in(api, party)


def test_a_refused_command_of_another_seat_records_nothing(api: InProcess, time: WatchedTime) -> None:
    """A refused command of another seat enters nothing, so nothing is recorded before it."""
    party = clocked(api)
    time.watch(30)
    answer = send(party, PLANT, seat=1)
    assert (answer.status, answer.json["code"]) == (422, "not_your_turn")
    assert "time_expired" not in types_in(api, party)


def test_any_seat_may_ask_that_what_is_over_is_recorded(api: InProcess, time: WatchedTime) -> None:
    """So may a spectator and the key that set the game up; nobody else."""
    for which in ("seat", "spectator", "key"):
        party = clocked(api)
        watch = api.call("POST", f"/v1/games/{party.game}/spectators", {"name": "Eve"}, token=api.key)
        tokens = {"seat": party.tokens[1], "spectator": watch.json["token"], "key": api.key}
        early = ask(party, tokens[which])
        assert (early.status, early.json["code"]) == (422, "nothing_expired")
        assert early.json["over_at"] - early.json["deadline"] == 1000
        assert early.json["over_at"] - time.now == 21_000
        time.watch(21)
        answer = ask(party, tokens[which])
        assert (answer.status, answer.json["recorded"]) == (200, 1)
        assert answer.json["events"][0]["entry"]["type"] == "time_expired"
        assert answer.json["version"] == api.get(f"/v1/games/{party.game}")["version"]
        assert ask(party, None).status == 401
        assert ask(party, clocked(api).tokens[0]).status == 403


def test_a_game_without_a_clock_has_nothing_to_expire(api: InProcess, time: WatchedTime) -> None:
    """422 with a code of its own."""
    party = api.people()
    time.watch(1000)
    answer = ask(party, party.tokens[0])
    assert (answer.status, answer.json["code"]) == (422, "no_clock")


def test_nothing_of_others_is_over_while_nobody_watches(api: InProcess, time: WatchedTime) -> None:
    """Another seat records nothing, and is told to come again."""
    party = clocked(api)
    time.be_away(60)
    answer = ask(party, party.tokens[1])
    assert (answer.status, answer.json["code"]) == (503, "time_uncertain")
    assert int(answer.headers["retry-after"]) >= 1
    assert "time_expired" not in types_in(api, party)


def test_after_an_outage_what_was_lost_is_given_back_first(api: InProcess, time: WatchedTime) -> None:
    """The seat plays as if nothing had been; the gap is recorded once, and what settles after it too."""
    party = clocked(api)
    time.watch(10)
    lost_from = time.now
    time.be_away(60)
    time.beat()
    assert ask(party, party.tokens[1]).json["code"] == "time_uncertain"
    assert send(party, PLANT).status == 200
    given_back = [
        each["entry"] for each in events_of(api, party.game) if each["entry"]["type"] == "time_credited"
    ]
    assert [each["data"] for each in given_back] == [
        {"since": lost_from, "until": time.now, "reason": "outage"}
    ]
    assert given_back[0]["actor"] == "clock"
    settled = time.now + SETTLING
    time.watch(40)
    answer = ask(party, party.tokens[1])
    assert answer.status == 200
    found = [each["entry"] for each in answer.json["events"]]
    assert (found[0]["type"], found[0]["data"]["until"]) == ("time_credited", settled)
    assert found[1]["type"] == "time_expired"


def test_a_silence_that_is_short_is_no_outage(api: InProcess, time: WatchedTime) -> None:
    """A sweeper that is busy for a moment takes nobody's time into account."""
    party = clocked(api)
    for _ in range(8):
        time.be_away(LONGEST_SILENCE / 1000)
        time.beat()
    answer = ask(party, party.tokens[1])
    assert [each["entry"]["type"] for each in answer.json["events"]].count("time_credited") == 0
    assert answer.json["events"][0]["entry"]["type"] == "time_expired"


def test_whoever_is_first_it_is_recorded_once(api: InProcess, time: WatchedTime) -> None:
    """Two processes, the late seat itself and others that ask, all at the same moment."""
    other = InProcess(api.store)
    for _ in range(5):
        party = clocked(api)
        elsewhere = Party(other, party.game, party.tokens, party.dice)
        time.watch(21)
        with ThreadPoolExecutor(8) as threads:
            asked = [threads.submit(ask, each, each.tokens[1]) for each in (party, elsewhere) * 3]
            late = [threads.submit(send, each, PLANT) for each in (party, elsewhere)]
        assert {each.result().status for each in asked} <= {200, 422}
        assert {each.result().status for each in late} <= {422}
        assert types_in(api, party).count("time_expired") == 1


def test_a_dispute_stops_the_clocks(api: InProcess, time: WatchedTime) -> None:
    """While it holds the game up nobody's time runs; afterwards everybody has what they had."""
    party = clocked(api)
    time.watch(15)
    path = f"/v1/games/{party.game}/disputes"
    case = {"reason": "other", "text": "my line", "pause": True, "version": 2}
    opened = api.call("POST", path, case, token=party.tokens[1])
    assert opened.status == 201, opened.body
    time.watch(1000)
    answer = ask(party, party.tokens[2])
    assert (answer.status, answer.json["code"], answer.json["deadline"]) == (422, "nothing_expired", None)


def test_a_game_with_silent_seats_comes_to_its_end(api: InProcess, time: WatchedTime) -> None:
    """One seat never says anything, and the others play on."""
    party = clocked(api, strikes=100)
    for _ in range(4000):
        state = api.get(f"/v1/games/{party.game}", party.tokens[1])
        if state["status"] == "finished":
            break
        looked = party.legal(1)
        awaited = [seat for seat in looked["waiting_for"] if seat != 0]
        if not awaited:
            time.watch(21)
            assert ask(party, party.tokens[1]).status == 200
            continue
        legal = party.legal(awaited[0])["commands"]
        party.send(awaited[0], _going_on(legal))
    assert api.get(f"/v1/games/{party.game}")["status"] == "finished"
    assert types_in(api, party).count("time_expired") > 3


def _going_on(legal: list[Any]) -> Any:
    kinds = ("end_trading", "draw", "reveal", "plant", "plant_aside", "harvest")
    ready = [each for each in legal if "form" not in each]
    return next(each for kind in kinds for each in ready if each["type"] == kind)
