"""Whatever happens around a deadline, the laws of time hold: hypothesis looks for a way that breaks one.

It moves the time of a game to moments around each deadline and each grace, lets seats act, leave and come back, in
time or too late, has what is over recorded or left unrecorded, and the service be away.
"""

from typing import Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from events.game.clock import SECOND
from events.game.table import open_table
from events.game.timekeeping import expiry_of, find_over
from events.rules import errors
from events.rules.move import CLOCK
from events.rules.systems.registry import BY_KEY
from replay.verification.verify import verify_lines
from service.storage.life_marks import MAINTENANCE, OUTAGE
from tests.laws.clocks import TIME_LAWS, nobody_loses_time_by_an_outage
from tests.laws.games import TABLES
from tests.laws.moments import moments_of
from tests.support.depth import depth
from tests.support.recorded_games import RecordedGame
from tests.support.second_verifier import SecondVerifier, check_agreement
from tests.support.strategies import Dice, next_command
from tests.support.watched_games import LEAVE, WatchedGame

BOUNDED: Final = settings(
    max_examples=depth(60, 400),
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SEEDS: Final = st.integers(0, 2**32 - 1)
AROUND: Final = st.sampled_from((-SECOND, -1, 0, 1, SECOND, 5 * SECOND))
"""Milliseconds from a deadline, or from the end of its grace."""


class ClockMachine(RuleBasedStateMachine):
    """A game by the clock, and what it says at any moment."""

    system: str
    second: SecondVerifier
    game: WatchedGame

    @initialize(seed=st.integers(0, 11), table=st.integers(0, 9))
    def set_up(self, seed: int, table: int) -> None:
        """Begin a game of the system with some number of players, by one of the clocks."""
        tables = [players for key, players in TABLES if key == self.system]
        self.game = WatchedGame(seed, self.system, tables[table % len(tables)])

    @rule(seed=SEEDS, count=st.integers(1, 30), pause=st.integers(0, 3 * SECOND))
    def play_on(self, seed: int, count: int, pause: int) -> None:
        """Somebody acts, again and again, after so many milliseconds."""
        dice = Dice(seed)
        for _ in range(count):
            if self.game.table.state.status == "running":
                self.game.at += pause
                self._act(dice)

    @precondition(lambda self: self.game.clock.waits)
    @rule(place=st.integers(0, 9), around=AROUND, after_grace=st.booleans(), seed=SEEDS)
    def act_around_a_deadline(self, place: int, around: int, seed: int, *, after_grace: bool) -> None:
        """Somebody acts while the time is nearly over, just over, or over for long."""
        self._move_to(place, around, after_grace=after_grace)
        self._act(Dice(seed))

    @precondition(lambda self: self.game.clock.waits)
    @rule(place=st.integers(0, 9), around=AROUND, after_grace=st.booleans())
    def record_around_a_deadline(self, place: int, around: int, *, after_grace: bool) -> None:
        """What is over then is recorded, and nothing else is."""
        self._move_to(place, around, after_grace=after_grace)
        clock, at, version = self.game.clock, self.game.at, self.game.table.version
        self.game.expire_all()
        is_over = any(at >= clock.over_at(wait) for wait in clock.waits)
        assert (self.game.table.version > version) == is_over
        assert find_over(self.game.clock, self.game.at) is None

    @rule(lost=st.integers(1, 300 * SECOND), reason=st.sampled_from((OUTAGE, MAINTENANCE)))
    def be_away(self, lost: int, reason: str) -> None:
        """Also while something is over already."""
        if self.game.table.state.status == "running":
            self.game.be_away(lost, reason)

    @rule()
    def leave_and_reopen(self) -> None:
        """The game comes back from its log, with its clock, as it was."""
        game = self.game
        assert open_table(game.log, game.table.secret, lambda _: game.table.rules.catalogue) == game.table

    def _move_to(self, place: int, around: int, *, after_grace: bool) -> None:
        """Let time pass until shortly before or after a deadline, or the end of its grace; it does not go back."""
        clock = self.game.clock
        wait = clock.waits[place % len(clock.waits)]
        moment = clock.over_at(wait) if after_grace else wait.deadline
        self.game.at = max(self.game.at, moment + around)

    def _act(self, dice: Dice) -> None:
        """Whoever is waited for, or somebody else, acts now: in time, or too late and then exactly so."""
        game = self.game
        seat, command = next_command(game.table.rules, game.table.state, dice, LEAVE)
        is_over, began = find_over(game.clock, game.at, seat) is not None, game.table.version
        try:
            game.send(seat, command)
        except errors.TimeOver:
            assert is_over
            assert "time_expired" in self._types_after(began)
        else:
            types = self._types_after(began)
            assert "time_expired" not in types
            assert not is_over or types[0] in {"time_credited", "talked"}

    def _types_after(self, version: int) -> list[str]:
        return [entry.type for entry in self.game.log[version:]]

    @precondition(lambda self: hasattr(self, "game"))
    @invariant()
    def nothing_is_recorded_too_early(self) -> None:
        """Of each seat that is waited for, a millisecond before it may be."""
        game = self.game
        for wait in game.clock.waits:
            with pytest.raises(errors.NothingExpired):
                game.table.submit(CLOCK, expiry_of(wait), game.clock.over_at(wait) - 1)

    def teardown(self) -> None:
        """Every law holds for what was recorded, and both verifiers read it."""
        if not hasattr(self, "game"):
            return
        recorded = RecordedGame(self.game.table, tuple(self.game.log))
        moments = moments_of(recorded.log)
        for law in TIME_LAWS:
            law(moments)
        nobody_loses_time_by_an_outage(moments, self.game.gaps)
        record = recorded.record()
        check_agreement(verify_lines(record), self.second.report(record))


@pytest.mark.deep
@pytest.mark.parametrize("key", BY_KEY)
def test_no_moment_around_a_deadline_breaks_a_law(second_verifier: SecondVerifier, key: str) -> None:
    """Every rule system, in as many ways as hypothesis finds within its bounds."""

    class Machine(ClockMachine):
        """The machine on tables of this system."""

        system = key
        second = second_verifier

    run_state_machine_as_test(Machine, settings=BOUNDED)
