"""Offers, counter-offers, withdrawals and take-backs stretch no seat's time (issue 43, from the attack).

The sources are `docs/record-format.md`, section Time, and `docs/http-api.md`.
"""

import random
from typing import Any

import pytest

from tests.service.in_process import NAMES, InProcess
from tests.support.http_play import Answer, Party
from tests.support.watched_time import WatchedTime

CLOCK = {"bank": 100, "increment": 0, "cap": 100, "answer": 20, "grace": 1, "bot": "random"}


@pytest.fixture
def time(store: Any, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """Return a clock that moves only when the test moves it."""
    return WatchedTime(store, monkeypatch)


def send(party: Party, seat: int, command: dict[str, Any]) -> Answer:
    """Send a command as a seat; it is accepted."""
    path = f"/v1/games/{party.game}/commands"
    answer = party.api.call("POST", path, command, token=party.tokens[seat])
    assert answer.status == 200, answer.body
    return answer


def trading(api: InProcess, **clock: int) -> Party:
    """Return a game of three people in which seat 0 is trading, and no time has passed."""
    made = api.create([{"name": name} for name in NAMES[:3]], clock=CLOCK | clock)
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(1))
    send(party, 0, {"type": "plant", "field": 0})
    send(party, 0, {"type": "reveal"})
    return party


def offer(party: Party, seat: int, to: int | None) -> int:
    """Make an offer; return its number."""
    variety = next(
        iter(next(each for each in party.legal(seat)["commands"] if each["type"] == "offer")["form"]["want"])
    )
    made = send(party, seat, {"type": "offer", "to": to, "want": {variety: 1}})
    return next(
        int(each["entry"]["data"]["offer"])
        for each in made.json["events"]
        if each["entry"]["type"] == "offer_made"
    )


def waits(party: Party) -> dict[tuple[int, str], int]:
    """Return when what the game waits for is over, by seat and kind."""
    table = party.api.call("GET", f"/v1/games/{party.game}", token=party.tokens[0]).json
    return {(each["seat"], each["kind"]): each["deadline"] for each in table["clock"]["waits"]}


def expire(party: Party) -> None:
    """Have what is over recorded."""
    answer = party.api.call("POST", f"/v1/games/{party.game}/expiries", token=party.tokens[1])
    assert answer.status == 200, answer.body


def ask(party: Party, seat: int = 0) -> None:
    """Ask to go back, as a seat."""
    path = f"/v1/games/{party.game}/take-backs"
    versions = party.api.call("GET", path, token=party.tokens[seat]).json["versions"]
    stop = min(each["version"] for each in versions)
    send(party, seat, {"type": "ask_take_back", "to_version": stop, "seen_confirmed": True})


def ask_and_withdraw(party: Party, seat: int = 0) -> None:
    """Ask to go back, and take the question back at once."""
    ask(party, seat)
    send(party, seat, {"type": "decline_take_back"})


def test_a_silent_seat_stops_the_bank_once_in_a_turn(api: InProcess, time: WatchedTime) -> None:
    """Offers to a seat that is gone buy the active player 20 seconds, not 20 for each of them."""
    party = trading(api)
    began = time.now
    offer(party, 0, 1)
    assert waits(party) == {(1, "answer"): began + 20_000}
    time.watch(21)
    expire(party)
    bank = waits(party)[0, "bank"]
    for _ in range(3):
        offer(party, 0, 1)
        assert waits(party) == {(0, "bank"): bank}
        time.watch(5)
    assert waits(party) == {(0, "bank"): began + 121_000}


def test_withdrawing_and_offering_again_restarts_nothing(api: InProcess, time: WatchedTime) -> None:
    """What is left of 20 seconds runs on for the next offer, and no second is added to the bank."""
    party = trading(api)
    began = time.now
    number = offer(party, 0, 1)
    time.watch(15)
    send(party, 0, {"type": "withdraw", "offer": number})
    assert waits(party) == {(0, "bank"): began + 115_000}
    time.watch(10)
    offer(party, 0, 1)
    assert waits(party) == {(1, "answer"): time.now + 5_000}


def test_countering_and_withdrawing_the_counter_offer_restarts_nothing(
    api: InProcess, time: WatchedTime
) -> None:
    """Seat 1 answers an offer to all with another one, takes it back, and has what was left of its time."""
    party = trading(api)
    number = offer(party, 0, None)
    time.watch(15)
    form = next(each for each in party.legal(1)["commands"] if each["type"] == "counter")["form"]
    counter = {"type": "counter", "offer": number, "want": {next(iter(form["want"])): 1}}
    made = send(party, 1, counter).json["events"]
    send(party, 1, {"type": "withdraw", "offer": made[-1]["entry"]["data"]["offer"]})
    assert waits(party)[1, "answer"] == time.now + 5_000


def test_a_seat_that_is_ready_is_not_waited_for(api: InProcess, time: WatchedTime) -> None:
    """The active player's own time runs while an offer to it is open; it may still accept."""
    party = trading(api)
    began = time.now
    for seat in (1, 2):
        send(party, seat, {"type": "ready"})
    offer(party, 0, None)
    assert waits(party) == {(0, "bank"): began + 100_000}


def test_an_honest_answer_is_not_cut_short_by_the_offers_before(api: InProcess, time: WatchedTime) -> None:
    """Who has used up the time for answers still answers: then the active player's time runs, and nothing expires."""
    party = trading(api)
    offer(party, 0, 1)
    time.watch(21)
    expire(party)
    number = offer(party, 0, 1)
    time.watch(30)
    send(party, 1, {"type": "decline", "offer": number})


def test_a_question_of_the_active_player_stops_no_bank(api: InProcess, time: WatchedTime) -> None:
    """However often it asks: its own time runs until it withdraws the question or the others answer."""
    party = trading(api)
    bank = waits(party)
    assert bank == {(0, "bank"): time.now + 100_000}
    for seat in (0, 1, 2):
        ask(party)
        assert waits(party) == bank
        time.watch(25)
        send(party, seat, {"type": "decline_take_back"})
        assert waits(party) == bank


def test_a_question_of_another_seat_takes_its_own_time(api: InProcess, time: WatchedTime) -> None:
    """What it asks takes 25 seconds of its own bank, and none of the active player's."""
    party = trading(api)
    began = time.now
    for used in (25, 50):
        ask(party, 1)
        assert waits(party) == {(1, "bank"): began + 100_000}
        time.watch(25)
        send(party, 0, {"type": "decline_take_back"})
        assert waits(party) == {(0, "bank"): began + (100 + used) * 1000}


def test_a_seat_without_time_cannot_hold_the_game_up_with_questions(
    api: InProcess, time: WatchedTime
) -> None:
    """Once its bank is used up, each further question is over at once, without a strike."""
    party = trading(api)
    for seconds in (102, 0, 0):
        ask(party, 1)
        time.watch(seconds)
        expire(party)
        assert waits(party) == {(0, "bank"): time.now + 100_000}
    log = party.api.call("GET", f"/v1/games/{party.game}/events?after=0", token=party.tokens[0]).json
    over = [each["entry"] for each in log["events"] if each["entry"]["type"] == "time_expired"]
    assert [(each["data"]["seat"], "strikes" in each["data"]) for each in over] == [(1, False)] * 3


def test_a_question_may_be_answered_while_the_bank_of_the_seat_that_asked_runs(
    api: InProcess, time: WatchedTime
) -> None:
    """The others have no limit of their own; when they agree, the game goes back."""
    party = trading(api)
    ask(party)
    time.watch(90)
    send(party, 1, {"type": "agree_take_back"})
    agreed = send(party, 2, {"type": "agree_take_back"}).json["events"]
    assert "game_rewound" in [each["entry"]["type"] for each in agreed]


def test_a_bank_that_is_over_while_a_question_is_open_is_over_behind_it(
    api: InProcess, time: WatchedTime
) -> None:
    """The question lapses, and the moves are made for the seat at the same moment: it gets no second grace."""
    party = trading(api)
    ask(party)
    time.watch(102)
    expire(party)
    log = party.api.call("GET", f"/v1/games/{party.game}/events?after=0", token=party.tokens[0]).json
    last = [each["entry"] for each in log["events"] if each["entry"]["at"] == time.now]
    assert [each["type"] for each in last[:3]] == ["time_expired", "take_back_declined", "time_expired"]
    assert last[2]["data"]["strikes"] == 1


@pytest.mark.parametrize("asking", [0, 1])
def test_the_grace_is_granted_once(api: InProcess, time: WatchedTime, asking: int) -> None:
    """A question after the deadline, of the seat itself or of a friend, does not restart the grace."""
    party = trading(api, bank=30, grace=60)
    began = time.now
    for seconds in (40, 20, 20):
        time.watch(seconds)
        ask_and_withdraw(party, asking)
        assert waits(party) == {(0, "bank"): began + 30_000}
    time.watch(10)
    expire(party)


def test_a_question_restarts_no_answer_of_a_phase(api: InProcess, time: WatchedTime) -> None:
    """A seat that has to plant has the rest of its 20 seconds after a question, however many there are."""
    party = trading(api)
    send(party, 0, {"type": "end_trading"})
    planting = waits(party)
    assert planting == {(0, "answer"): time.now + 20_000}
    for _ in range(3):
        time.watch(6)
        ask_and_withdraw(party)
        assert waits(party) == planting


def test_a_seat_that_left_stops_nothing(api: InProcess, time: WatchedTime) -> None:
    """A bot plays for it, and bots have no clock."""
    party = trading(api)
    began = time.now
    send(party, 1, {"type": "resign"})
    offer(party, 0, 1)
    assert waits(party) == {(0, "bank"): began + 100_000}
