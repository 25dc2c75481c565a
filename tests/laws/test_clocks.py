"""Time as a function of the log: whose runs, when it is over, and what is done then, in every system."""

import pytest
from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.game.clock import SECOND, Clock
from events.game.log_facts import EMPTY, LogFacts
from events.game.table import Table, new_table, open_table
from events.game.timekeeping import expiry_of, find_over
from events.log.codec import decode_command, decode_event
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.catalogues.catalogue import Catalogue, shipped_catalogue
from events.rules.evolving.evolve import evolve
from events.rules.move import CLOCK
from events.rules.systems.registry import system_named
from events.rules.table.state import INITIAL_STATE, GameState
from events.rules.table.waiting import is_held_up, waiting_for
from tests.laws.games import TABLES
from tests.support.clocked_disputes import InterruptedGame
from tests.support.clocked_games import IMPATIENT, QUICK, ClockedGame
from tests.support.depth import depth
from tests.support.recorded_games import BEGINNING

GAMES = depth(2, 500)
"""So many are played of each system with each number of players."""
every_table = pytest.mark.parametrize(("system", "players"), TABLES)


def games(system: str, players: int) -> list[ClockedGame]:
    """Games in which nobody, one or two seats are silent, the last seat now and then a bot's."""
    return [
        ClockedGame(seed, system, players, bots=seed % 2).play(frozenset(range(seed % 3)))
        for seed in (1, 3, *range(4, 2 + GAMES))
    ]


def moments(log: list[RecordedEvent]) -> list[tuple[RecordedEvent, GameState, LogFacts, GameState]]:
    """Each entry with the table and the facts before it, and the table after it."""
    found, state, facts = [], INITIAL_STATE, EMPTY
    for entry in log:
        event = decode_event(entry)
        after = evolve(state, event)
        found.append((entry, state, facts, after))
        state, facts = after, facts.after(entry, event, after)
    return found


@every_table
def test_the_clock_follows_from_the_log_alone(system: str, players: int) -> None:
    """Whoever folds the stored entries has the same clock as whoever appended them."""

    def catalogue(_hash: str) -> Catalogue:
        return game.table.rules.catalogue

    for game in games(system, players):
        assert game.table.state.status == "finished"
        assert open_table(game.log, game.table.secret, catalogue) == game.table


@every_table
def test_time_expires_once_and_not_before_its_deadline_and_grace(system: str, players: int) -> None:
    """Each expiry names a wait that ran until then, and none is named twice."""
    for game in games(system, players):
        seen = set()
        for entry, _, facts, _ in moments(game.log):
            event = decode_event(entry)
            if not isinstance(event, e.TimeExpired):
                continue
            assert facts.clock is not None
            wait = facts.clock.wait_for(event.seat, event.offer)
            assert wait is not None
            assert event.deadline == wait.deadline <= entry.at - QUICK.grace * SECOND
            assert (event, wait.since) not in seen
            seen.add((event, wait.since))


@every_table
def test_nobody_acts_whose_time_is_over(system: str, players: int) -> None:
    """What a seat sends was in time; moves that the clock forces stand behind the expiry, at its moment."""
    for game in games(system, players):
        forced, expired_at = -1, -1
        for entry, _, facts, _ in moments(game.log):
            if not entry.command or facts.clock is None:
                continue
            command = decode_command(entry.command)
            if entry.actor == "clock":
                forced = command.seat if isinstance(command, c.ExpireTime) else -1
                expired_at = entry.at
            elif entry.actor.startswith("seat:") and not isinstance(command, c.Say):
                seat = int(entry.actor.removeprefix("seat:"))
                assert find_over(facts.clock, entry.at, seat) is None or (seat, entry.at) == (
                    forced,
                    expired_at,
                )


@every_table
def test_a_bank_runs_for_its_own_turn_and_nobody_elses_slowness(system: str, players: int) -> None:
    """While a bank runs nothing else does, and it is the active player's; nobody saves more than the cap."""
    most = max(QUICK.cap, QUICK.bank) * SECOND
    for game in games(system, players):
        for _, state, facts, _ in moments(game.log):
            if facts.clock is None:
                continue
            assert all(0 <= left <= most for left in facts.clock.banks)
            if any(wait.awaited.kind == "bank" for wait in facts.clock.waits):
                assert [wait.awaited.seat for wait in facts.clock.waits] == [state.active]


@every_table
def test_whoever_is_waited_for_has_a_deadline_unless_it_is_a_bot(system: str, players: int) -> None:
    """Between any two commands: every seat that the game waits for, or in trading whoever owes it an answer."""
    for game in games(system, players):
        for entry, state, facts, _ in moments(game.log):
            if not entry.command or facts.clock is None or is_held_up(state):
                continue
            awaited = {seat for seat in waiting_for(state) if state.seats[seat].kind != "bot"}
            running = {wait.awaited.seat for wait in facts.clock.waits}
            assert awaited <= running or any(wait.awaited.offer is not None for wait in facts.clock.waits)


@every_table
def test_after_an_expiry_the_phase_does_not_wait_for_that_seat(system: str, players: int) -> None:
    """Its bot has made the moves that were due, in the same step."""
    for game in games(system, players):
        found = moments(game.log)
        for place, (entry, before, _, _) in enumerate(found):
            event = decode_event(entry)
            if not isinstance(event, e.TimeExpired) or event.offer is not None:
                continue
            later = next((each for each in found[place + 1 :] if each[0].at != entry.at), None)
            if later is not None and later[1].status == "running":
                moved_on = (later[1].turn, later[1].phase) != (before.turn, before.phase)
                assert moved_on or event.seat not in waiting_for(later[1])


@every_table
def test_a_moment_decides_whether_a_command_is_late(system: str, players: int) -> None:
    """A millisecond before deadline and grace are over nothing may be recorded, and from then on nothing be sent."""
    for seed in range(GAMES):
        game = ClockedGame(seed, system, players)
        for step in range(60):
            waits = game.clock.waits
            if game.table.state.status != "running" or not waits:
                break
            wait = waits[step % len(waits)]
            over, expiry = game.clock.over_at(wait), expiry_of(wait)
            refuses(game.table, CLOCK, expiry, over - 1, errors.NothingExpired)
            refuses(
                game.table, CLOCK, replace(expiry, deadline=expiry.deadline + 1), over, errors.NothingExpired
            )
            for late in (c.EndTrading(), c.Resign()):
                refuses(game.table, wait.awaited.seat, late, over, errors.TimeOver)
            game.at = max(game.at, over)
            game.expire_all()


@every_table
def test_time_that_is_given_back_counts_for_nobody(system: str, players: int) -> None:
    """Every deadline moves by what was lost of its wait, and what was given back is not given twice."""
    game = ClockedGame(3, system, players)
    before: Clock = game.clock
    game.at += 40 * SECOND
    game.send(CLOCK, c.CreditTime(game.at - 30 * SECOND, game.at, "outage"))
    for was, now in zip(before.waits, game.clock.waits, strict=True):
        assert now.deadline == was.deadline + 30 * SECOND
    refuses(game.table, CLOCK, c.CreditTime(game.at - 1, game.at, "outage"), game.at, errors.BadCredit)
    refuses(game.table, CLOCK, c.CreditTime(game.at, game.at + 1, "outage"), game.at, errors.BadCredit)


def refuses(table: Table, actor: int, command: c.Command, at: int, error: type[errors.RuleViolation]) -> None:
    """A command is refused with this error."""
    with pytest.raises(error):
        table.submit(actor, command, at)


def test_a_clock_needs_times_in_order() -> None:
    """Where times may run backwards no deadline means anything."""
    with pytest.raises(errors.BadClock):
        new_table(
            "clocked",
            "classic",
            3,
            options={},
            catalogue=shipped_catalogue(system_named("classic").catalogue),
            secret="ab" * 32,
            at=BEGINNING,
            clock=QUICK,
        )


@every_table
def test_a_question_that_is_not_answered_gives_nobody_time(system: str, players: int) -> None:
    """A take-back lapses for want of an answer; no bank is larger after it, not that of the active player either."""
    game = InterruptedGame(6, system, players)
    game.play_for(30)
    game.ask_take_back()
    before, asked = game.clock.banks, {wait.since for wait in game.clock.waits}
    game.at += (QUICK.answer + QUICK.grace) * SECOND
    game.expire_all()

    assert game.log[-1].type == "take_back_declined"
    assert game.clock.banks == before
    assert asked == {game.log[-3].at}
    assert {wait.since for wait in game.clock.waits} == {game.at}


@every_table
def test_the_clocks_bot_makes_moves_and_decides_nothing_else(system: str, players: int) -> None:
    """It does not leave, end or take back a game, trade, or buy for whoever is silent."""
    own = (
        c.TAKE_BACKS,
        c.LEAVING,
        c.BuyField,
        c.Say,
        c.Offer,
        c.Counter,
        c.Accept,
        c.Decline,
        c.Withdraw,
        c.Ready,
    )
    for game in games(system, players):
        expired_at = -1
        for entry in game.log:
            if entry.type == "time_expired":
                expired_at = entry.at
            elif entry.command and entry.actor.startswith("seat:") and entry.at == expired_at:
                assert not isinstance(decode_command(entry.command), own)


@every_table
def test_a_bot_takes_over_after_so_many_strikes(system: str, players: int) -> None:
    """At the very expiry that makes them so many; the seat has no clock then. Where nobody is left the game ends."""
    game = ClockedGame(3, system, players).play(frozenset({0}))
    strikes = [0] * players
    for place, entry in enumerate(game.log):
        event = decode_event(entry)
        if isinstance(event, e.TimeExpired) and event.strikes:
            strikes[event.seat] = event.strikes
        follows = isinstance(event, e.TimeExpired) and event.strikes >= IMPATIENT
        after = decode_event(game.log[place + 1]) if place + 1 < len(game.log) else None
        assert follows == (isinstance(after, e.SeatTakenOver) and after.reason == "time")
    assert strikes[0] == IMPATIENT
    away = all(seat.away for seat in game.table.state.seats)
    result = game.table.state.result
    assert result is not None
    assert away == (result.reason == "abandoned")
