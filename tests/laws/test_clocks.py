"""Time as a function of the log: whose runs, when it is over, and what is done then, in every system."""

import pytest
from msgspec.structs import replace

from events import commands as c
from events.game.clock import SECOND, Clock
from events.game.table import Table, new_table
from events.game.timekeeping import expiry_of
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import CLOCK
from events.rules.systems.registry import system_named
from tests.laws.games import TABLES
from tests.laws.sweep import check
from tests.laws.swept import Game
from tests.support.clocked_disputes import InterruptedGame
from tests.support.clocked_games import QUICK, ClockedGame
from tests.support.depth import depth
from tests.support.recorded_games import BEGINNING
from tests.support.second_verifier import SecondVerifier
from tests.support.watched_games import WatchedGame

GAMES = depth(2, 40)
"""So many are played of each system with each number of players; `make laws` plays more."""
every_table = pytest.mark.parametrize(("system", "players"), TABLES)


@every_table
def test_every_law_holds_and_all_who_read_the_game_read_the_same(
    second_verifier: SecondVerifier, system: str, players: int
) -> None:
    """With silent seats, leavings, outages, disputes and take-backs, to the end; the laws are in `clocks.py`."""
    for seed in (3, *range(6, 5 + GAMES)):
        assert check(Game(system, players, "clocked", seed), second_verifier).finding == ""


def test_in_these_games_everything_happens() -> None:
    """Else they would show nothing."""
    games = [WatchedGame(seed, system, players) for system, players in TABLES for seed in (3, 6)]
    types = {entry.type for game in games for entry in game.play_whole().log}
    assert types >= {
        "time_expired",
        "time_credited",
        "seat_resigned",
        "seat_taken_over",
        "seat_returned",
        "end_offered",
        "game_paused",
        "game_resumed",
        "take_back_asked",
        "take_back_declined",
        "game_rewound",
    }
    assert any(game.late for game in games)
    results = [game.table.state.result for game in games]
    assert {result.reason for result in results if result is not None} >= {"abandoned", "drawn", "called_off"}


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
def test_a_question_that_is_not_answered_takes_the_time_of_the_seat_that_asks(
    system: str, players: int
) -> None:
    """A take-back lapses when that time is over; it adds and takes no time of another seat."""
    game = InterruptedGame(6, system, players)
    game.play_for(30)
    seat = game.ask_take_back()
    before = game.clock.banks
    (wait,) = game.clock.waits
    game.at = game.clock.over_at(wait)
    game.send(CLOCK, expiry_of(wait))

    assert (wait.awaited.seat, wait.awaited.kind) == (seat, "bank")
    assert [entry.type for entry in game.log[-2:]] == ["time_expired", "take_back_declined"]
    assert game.clock.banks[1:] == before[1:]
    assert game.clock.left(seat, game.at) == 0
