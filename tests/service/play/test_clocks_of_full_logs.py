"""A game whose log is nearly full still ends by its clock: expiries, forced moves and credits have room there."""

import random
from dataclasses import replace

import msgspec
import pytest

from events import commands as c
from events.game.clock import SECOND
from events.game.timekeeping import expiry_of, find_over
from events.rules.move import CLOCK
from events.rules.systems.registry import BY_KEY
from events.store.redis.redis_store import RedisEventStore
from replay.verification.verify import verify_lines
from service.play import budgets
from service.play.budgets import is_within_budget
from service.storage.life_marks import SETTLING
from tests.service.in_process import NAMES, InProcess
from tests.service.sweeping import catch_up, sweep
from tests.support.clocked_games import QUICK as PACED
from tests.support.clocked_games import ClockedGame
from tests.support.http_play import Party, events_of
from tests.support.second_verifier import SecondVerifier
from tests.support.watched_time import QUICK, WatchedTime

PATIENT = msgspec.structs.replace(PACED, strikes=100)
"""A clock by which no bot takes a seat over, so that every single move is an expiry."""
SILENT_SEED = 2
"""Of a game with those strikes."""
HELLO = {"type": "say", "text": "hello"}
OFFER = {"type": "offer", "want": {"blue": 1}}


@pytest.mark.parametrize("system", BY_KEY)
def test_there_is_room_for_every_move_to_be_forced_after_two_outages(system: str) -> None:
    """Nobody acts, and before each move that is forced two outages are given back: the most that a clock records."""
    game = ClockedGame(SILENT_SEED, system, max(BY_KEY[system].players), PATIENT)
    facts = msgspec.structs.replace(game.table.log, size=budgets.ROOMY_BYTES, hidden=budgets.ROOMY_HIDDEN)
    game.table = replace(game.table, log=facts)
    begun = game.table
    while game.table.state.status == "running":
        for _ in range(2):
            game.at += 5 * SECOND
            record(game, c.CreditTime(game.at - 2 * SECOND, game.at, "maintenance"))
        game.at = max(game.at, min(map(game.clock.over_at, game.clock.waits)))
        over = find_over(game.clock, game.at)
        assert over is not None
        record(game, expiry_of(over))

    after, before = game.table, begun
    assert after.version - before.version < budgets.MOST_ENTRIES - budgets.ROOMY_ENTRIES
    assert after.log.size - before.log.size < budgets.MOST_BYTES - budgets.ROOMY_BYTES
    assert after.log.hidden - before.log.hidden < budgets.MOST_HIDDEN - budgets.ROOMY_HIDDEN


def record(game: ClockedGame, command: c.Command) -> None:
    """Record something in the clock's name, which a nearly full log has to take."""
    assert is_within_budget(game.table, CLOCK, command)
    game.send(CLOCK, command)


@pytest.fixture
def time(store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """The time in the test's hand."""
    return WatchedTime(store, monkeypatch)


def sweep_newest(api: InProcess, time: WatchedTime) -> None:
    """Have noted which games wait until when, and what is over recorded."""
    catch_up(api)
    sweep(api, time)


def full_party(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> Party:
    """A game by the clock in which everybody has said all they may, and offered until the log takes no more."""
    monkeypatch.setattr(budgets, "MOST_TALK", 19)
    made = api.create([{"name": name} for name in NAMES[:3]], clock=QUICK | {"strikes": 100})
    party = Party(api, made["game"], [each["token"] for each in made["seats"]], random.Random(1))
    path = f"/v1/games/{party.game}/commands"
    for seat in range(3):
        answer = api.call("POST", path, [HELLO] * 20, token=party.tokens[seat]).json
        assert (answer["applied"], answer["stopped"]["code"]) == (19, "talk_budget_spent")
    for body in ({"type": "plant", "field": 0}, {"type": "reveal"}):
        assert api.call("POST", path, body, token=party.tokens[0]).status == 200
    version = api.get(f"/v1/games/{party.game}")["version"]
    room = budgets.MOST_ENTRIES - budgets.ROOMY_ENTRIES
    monkeypatch.setattr(budgets, "ROOMY_ENTRIES", version + 5)
    monkeypatch.setattr(budgets, "MOST_ENTRIES", version + 5 + room)
    answer = api.call("POST", path, [OFFER] * 6, token=party.tokens[0]).json
    assert (answer["applied"], answer["stopped"]["code"]) == (5, "log_full")
    return party


def test_the_clock_runs_a_full_game_to_its_end(
    api: InProcess, time: WatchedTime, monkeypatch: pytest.MonkeyPatch, second_verifier: SecondVerifier
) -> None:
    """Nobody says anything more; open offers, moves and outages alike, and both verifiers accept it."""
    party = full_party(api, monkeypatch)
    rounds = 0
    while api.get(f"/v1/games/{party.game}")["status"] == "running":
        rounds += 1
        assert rounds < 1000
        if rounds % 40 == 0:
            time.be_away(30)
            sweep_newest(api, time)
            time.watch(SETTLING / 1000)
        time.watch(21)
        sweep_newest(api, time)
    entries = [each["entry"]["type"] for each in events_of(api, party.game)]
    assert {"time_credited", "time_expired", "offer_declined"} <= set(entries)
    assert entries[-1] == "secret_revealed"

    record = api.call("GET", f"/v1/games/{party.game}/record").body
    assert verify_lines(record.splitlines(keepends=True)).ok
    assert second_verifier.report(record)["ok"]


def test_outages_do_not_fill_what_is_left_of_a_log(
    api: InProcess, time: WatchedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are of one wait: the first is given back at once, all others in one piece later."""
    party = full_party(api, monkeypatch)
    began = time.now
    for _ in range(12):
        time.be_away(30)
        sweep_newest(api, time)
    time.watch(SETTLING / 1000)
    for _ in range(3):
        time.watch(20)
        sweep_newest(api, time)
    found = [each["entry"] for each in events_of(api, party.game)]
    of_the_clock = [each for each in found if each["type"] in {"time_credited", "time_expired"}]
    first = next(place for place, each in enumerate(of_the_clock) if each["type"] == "time_expired")
    given_back = [each["data"] for each in of_the_clock[:first]]
    assert [(each["since"] - began, each["until"] - began) for each in given_back] == [
        (0, 30_000),
        (30_000, 12 * 30_000 + SETTLING),
    ]
    assert of_the_clock[first]["data"]["deadline"] == began + 12 * 30_000 + SETTLING + 20_000


def test_who_acts_while_nobody_watches_writes_one_credit_before_a_move(
    api: InProcess, time: WatchedTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all outages together, and none with what is refused: what is left of the log is for moves."""
    party = full_party(api, monkeypatch)
    began, before = time.now, api.get(f"/v1/games/{party.game}")["version"]
    for _ in range(3):
        time.be_away(30)
        time.beat()
    time.be_away(30)
    path = f"/v1/games/{party.game}/commands"
    for body in (OFFER, {"type": "plant", "field": 0}, {"type": "harvest", "field": 7}):
        assert api.call("POST", path, body, token=party.tokens[0]).status >= 400
        time.now += 1000
    assert api.get(f"/v1/games/{party.game}")["version"] == before
    assert api.call("POST", path, {"type": "end_trading"}, token=party.tokens[0]).status == 200
    given_back = [
        each["entry"]["data"]
        for each in events_of(api, party.game)
        if each["entry"]["type"] == "time_credited"
    ]
    assert [(each["since"] - began, each["until"] - began) for each in given_back] == [(0, 4 * 30_000 + 3000)]
