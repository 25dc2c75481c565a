"""Who acts after an outage, or while nobody watches the time, has what was lost given back first."""

import random
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from replay.verification.verify import verify_lines
from service.storage.life_marks import LONGEST_SILENCE, LifeMarks
from service.timekeeping.sweeper import Sweeper
from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, Party, events_of
from tests.support.second_verifier import SecondVerifier
from tests.support.watched_time import QUICK, WatchedTime

BOTH_WAYS = True
PLANT = {"type": "plant", "field": 0}
TALK = {"type": "say", "text": "back again"}
CLOCK = QUICK | {"bank": 100, "cap": 100}
"""A clock of 100 seconds."""


@pytest.fixture
def time(store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """The time in the test's hand."""
    return WatchedTime(store, monkeypatch)


@pytest.fixture
def party(api: InProcess, time: WatchedTime) -> Party:
    """A game by the clock, 10 seconds after its beginning."""
    made = api.create([{"name": name} for name in NAMES[:3]], clock=CLOCK)
    time.watch(10)
    return Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))


def send(party: Party, body: Any, seat: int = 0, query: str = "", **headers: str) -> Answer:
    """Send as a seat; headers are named with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/v1/games/{party.game}/commands{query}"
    return party.api.call("POST", path, body, token=party.tokens[seat], headers=named)


def next_move(party: Party) -> Any:
    """Something that brings the first seat's turn on."""
    ready = [each for each in party.legal(0)["commands"] if "form" not in each]
    return next(each for each in ready if each["type"] in {"plant", "reveal", "end_planting", "harvest"})


def entries(answer: Answer) -> list[Any]:
    """The entries that an answer brings."""
    return [each["entry"] for each in answer.json["events"]]


def given_back(party: Party) -> list[tuple[int, int, str]]:
    """What was given back in a game, in order."""
    found = [each["entry"] for each in events_of(party.api, party.game)]
    return [
        (each["data"]["since"], each["data"]["until"], each["data"]["reason"])
        for each in found
        if each["type"] == "time_credited"
    ]


def deadline(party: Party) -> int:
    """Until when the only one whose time runs has time."""
    (wait,) = party.api.call("GET", f"/v1/games/{party.game}").json["clock"]["waits"]
    return int(wait["deadline"])


def test_who_acts_before_the_sweeper_has_come_does_not_pay(party: Party, time: WatchedTime) -> None:
    """What was lost stands before the command, in the same step and at the same moment."""
    lost_from, before = time.now, deadline(party)
    time.be_away(60)
    time.beat()
    answer = send(party, PLANT)
    assert answer.status == 200
    assert [each["type"] for each in entries(answer)][:2] == ["time_credited", "bean_planted"]
    assert {each["at"] for each in entries(answer)} == {time.now}
    assert [each["actor"] for each in entries(answer)[:2]] == ["clock", "seat:0"]
    assert given_back(party) == [(lost_from, time.now, "outage")]
    assert deadline(party) == before + 60_000


def test_who_acts_while_nobody_watches_does_not_pay_either(party: Party, time: WatchedTime) -> None:
    """Only what watches is away; what is found out later about the gap is given back where that ended."""
    lost_from, before = time.now, deadline(party)
    time.be_away(60)
    assert send(party, PLANT).status == 200
    acted = time.now
    assert deadline(party) == before + 60_000
    time.be_away(30)
    Sweeper(party.api.store).perform(time.now)  # type: ignore[attr-defined]
    assert send(party, next_move(party)).status == 200
    assert given_back(party) == [(lost_from, acted, "outage"), (acted, time.now, "outage")]
    assert deadline(party) == before + 90_000


def test_a_planned_stop_is_maintenance_also_before_it_is_over(party: Party, time: WatchedTime) -> None:
    """Whoever was told to stop has said so, and that is the reason, whoever gives it back."""
    lost_from = time.now
    Sweeper(party.api.store).plan_stop()  # type: ignore[attr-defined]
    time.be_away(60)
    assert send(party, PLANT).status == 200
    assert given_back(party) == [(lost_from, time.now, "maintenance")]


def test_a_command_that_is_late_only_by_the_outage_counts(party: Party, time: WatchedTime) -> None:
    """However long it was; and one that was late before is refused, once what is over is recorded."""
    time.be_away(3600)
    assert send(party, PLANT).status == 200
    time.beat()
    time.watch(101)
    late = send(party, PLANT)
    assert (late.status, late.json["code"]) == (422, "time_over")


def test_a_time_that_was_over_before_the_outage_stays_over(party: Party, time: WatchedTime) -> None:
    """Nobody has looked at it while it was watched; that is no reason to give it back."""
    time.watch(100)
    over = deadline(party)
    time.be_away(60)
    late = send(party, PLANT)
    assert (late.status, late.json["code"]) == (422, "time_over")
    expired = [each["entry"] for each in events_of(party.api, party.game)]
    (found,) = [each["data"]["deadline"] for each in expired if each["type"] == "time_expired"]
    assert found > over


def test_a_silence_that_is_short_is_no_outage(party: Party, time: WatchedTime) -> None:
    """Nothing is given back, and who acts meanwhile has used that time."""
    time.be_away(LONGEST_SILENCE / 1000)
    assert next(each["type"] for each in entries(send(party, PLANT))) == "bean_planted"


def test_what_is_given_back_leaves_no_trace_with_a_refused_command(party: Party, time: WatchedTime) -> None:
    """A refusal promises that nothing has happened."""
    before = party.api.call("GET", f"/v1/games/{party.game}").json["version"]
    time.be_away(60)
    for seat, body, query in (
        (0, {"type": "plant", "field": 9}, ""),
        (1, PLANT, ""),
        (0, PLANT, "?dry_run=true"),
    ):
        answer = send(party, body, seat, query)
        assert answer.status == (200 if query else 422)
    assert party.api.call("GET", f"/v1/games/{party.game}").json["version"] == before


def test_a_dry_run_says_what_would_be_given_back(party: Party, time: WatchedTime) -> None:
    """As the command itself does."""
    time.be_away(60)
    tried = send(party, PLANT, query="?dry_run=true")
    assert entries(tried)[0]["type"] == "time_credited"
    assert entries(tried) == entries(send(party, PLANT))


def test_what_was_decided_on_is_still_the_game_as_it_stood(party: Party, time: WatchedTime) -> None:
    """`If-Match` names the version before what is given back: the player has seen that one."""
    tag = party.api.call("GET", f"/v1/games/{party.game}", token=party.tokens[0]).headers["etag"]
    time.be_away(60)
    assert send(party, PLANT, If_Match=tag).status == 200
    assert send(party, PLANT, If_Match=tag).status == 412


def test_a_repeated_command_is_answered_as_at_first(party: Party, time: WatchedTime) -> None:
    """To the byte, by another process too; and nothing is given back again."""
    time.be_away(60)
    first = send(party, [PLANT, {"type": "plant", "field": 9}], Idempotency_Key="once")
    assert (first.status, first.json["applied"]) == (200, 1)
    time.beat()
    time.watch(5)
    for api in (party.api, InProcess(party.api.store)):  # type: ignore[attr-defined]
        again = send(Party(api, party.game, party.tokens, party.dice), [PLANT, {"type": "plant", "field": 9}],
                     Idempotency_Key="once")  # fmt: skip
        assert (again.status, again.body) == (200, first.body)
    assert len(given_back(party)) == 1


def test_talk_gives_nothing_back(party: Party, time: WatchedTime) -> None:
    """It changes nobody's time."""
    time.be_away(60)
    assert send(party, TALK, seat=1).status == 200
    assert given_back(party) == []


def test_a_case_that_holds_the_game_up_charges_nobody_for_an_outage(party: Party, time: WatchedTime) -> None:
    """It stops a bank, so what was lost is given back before."""
    lost_from = time.now
    time.be_away(60)
    path = f"/v1/games/{party.game}/disputes"
    case = {"reason": "other", "text": "my line", "pause": True, "version": 2}
    opened = party.api.call("POST", path, case, token=party.tokens[1])
    assert opened.status == 201, opened.body
    assert given_back(party) == [(lost_from, time.now, "outage")]
    assert party.api.call("GET", f"/v1/games/{party.game}").json["clock"]["banks"][0] == 90_000


def test_a_fresh_mark_is_asked_for_once_in_three_seconds(
    party: Party, time: WatchedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command of a game with a clock asks the store no second question each time."""
    looked: list[int] = []
    look = LifeMarks.look

    def count(marks: LifeMarks, partition: int) -> Any:
        looked.append(partition)
        return look(marks, partition)

    monkeypatch.setattr(LifeMarks, "look", count)
    time.beat()
    party.play(6)
    assert len(looked) == 1
    time.watch(5)
    party.play(6)
    assert len(looked) == 2


def test_both_verifiers_agree_on_commands_after_outages(party: Party, time: WatchedTime) -> None:
    """docs/record-format.md, time: a credit may stand before any command, at its moment."""
    for number in range(40):
        if number % 4 == 0:
            time.be_away(60)
        if number % 8 == 0:
            time.beat()
        party.play(1)
    assert len(given_back(party)) > 5
    record = party.api.call("GET", f"/v1/games/{party.game}/record").body.splitlines(keepends=True)
    report = verify_lines(record)
    assert report.ok, report.findings
    with SecondVerifier() as second:
        found = second.report(record)
    assert found["ok"], found
    assert found["clock"]["credits"] == report.clock.credits == len(given_back(party))  # type: ignore[union-attr]
