"""Whatever is done at a table, in whatever order, the laws hold: hypothesis looks for a way that breaks one.

It drives a table of any system by listed commands, filled forms and commands that are nearly legal, from any seat;
it leaves and reopens it from its log in between, and lets two seats act on the same version.
"""

from typing import Any

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

from events import commands as c
from events.game.table import Table, open_table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.evolving.evolve import evolve
from events.rules.legal import legal_commands
from events.rules.systems.registry import BY_KEY
from tests.laws.book import EVENT_LAWS, STATE_LAWS
from tests.laws.exactness import SEAT_KINDS
from tests.laws.games import TABLES
from tests.laws.order import whoever_is_waited_for_can_go_on
from tests.support.depth import depth
from tests.support.strategies import Dice, any_command, fill, next_command, opening
from tests.support.tables import STARTED, is_offered

BOUNDED = settings(
    max_examples=depth(20, 50),
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SEEDS = st.integers(0, 2**32 - 1)
SEATS = st.integers(0, 6)
FASTEST = 40
"""Commands at most that one step plays to get on, so that late phases are reached as well."""


class TableMachine(RuleBasedStateMachine):
    """A table, its log, and the laws between any two commands."""

    system: str

    def __init__(self) -> None:
        """Nothing is set up yet."""
        super().__init__()
        self.table: Table
        self.log: list[RecordedEvent]

    @initialize(seed=SEEDS, table=st.integers(0, 9))
    def set_up(self, seed: int, table: int) -> None:
        """Begin a game of the system with some number of players and any options."""
        tables = [players for key, players in TABLES if key == self.system]
        players, dice = tables[table % len(tables)], Dice(seed)
        options = {
            name: dice.pick(option.allowed(players)) for name, option in BY_KEY[self.system].options.items()
        }
        begun = opening(seed, players, options, system=self.system)
        self.table, self.log = begun.table, list(begun.log)

    @rule(seed=SEEDS, count=st.integers(1, FASTEST))
    def play_on(self, seed: int, count: int) -> None:
        """Legal commands of those who are waited for, and sometimes of others."""
        dice = Dice(seed)
        for _ in range(count):
            if self.table.state.status == "running":
                self._send(*next_command(self.table.rules, self.table.state, dice))

    @rule(seat=SEATS, seed=SEEDS)
    def send_a_listed_command(self, seat: int, seed: int) -> None:
        """A command ready to send, of any seat that has one."""
        seat %= self.table.rules.players
        listed = [each for each in self._legal(seat) if isinstance(each, c.Command)]
        if listed:
            self._send(seat, Dice(seed).pick(listed))

    @rule(seat=SEATS, seed=SEEDS)
    def fill_a_form(self, seat: int, seed: int) -> None:
        """An offer, a counter-offer, an acceptance or talk."""
        seat, dice = seat % self.table.rules.players, Dice(seed)
        forms = [each for each in self._legal(seat) if not isinstance(each, c.Command)]
        if forms:
            self._send(seat, fill(dice.pick(forms), dice))

    @rule(seat=SEATS, kind=st.sampled_from(SEAT_KINDS), seed=SEEDS)
    def send_a_nearly_legal_command(self, seat: int, kind: type[c.Command], seed: int) -> None:
        """It is accepted exactly if it is offered, and a refusal leaves everything as it was."""
        seat %= self.table.rules.players
        command = any_command(kind, self.table.state, seat, Dice(seed))
        if is_offered(self._legal(seat), command):
            self._send(seat, command)
            return
        before = (self.table.state, self.table.version, self.table.hash)
        with pytest.raises(errors.RuleViolation):
            self.table.submit(seat, command, STARTED)
        assert (self.table.state, self.table.version, self.table.hash) == before

    @rule()
    def leave_and_reopen(self) -> None:
        """The table comes back from its log as it was."""
        assert open_table(self.log, self.table.secret, installed_catalogue) == self.table

    @rule(first=SEATS, second=SEATS, seed=SEEDS)
    def act_on_the_same_version(self, first: int, second: int, seed: int) -> None:
        """Two seats choose on what they see; the later one finds its command legal still, or refused."""
        players, dice = self.table.rules.players, Dice(seed)
        chosen = [(seat, self._chosen(seat, dice)) for seat in (first % players, second % players)]
        for seat, command in chosen:
            if command is None:
                continue
            if is_offered(self._legal(seat), command):
                self._send(seat, command)
            else:
                with pytest.raises(errors.RuleViolation):
                    self.table.submit(seat, command, STARTED)

    @precondition(lambda self: hasattr(self, "table"))
    @invariant()
    def the_laws_hold(self) -> None:
        """What holds between any two commands."""
        for law in (*STATE_LAWS, whoever_is_waited_for_can_go_on):
            law(self.table.rules, self.table.state)

    def _legal(self, seat: int) -> list[Any]:
        return list(legal_commands(self.table.rules, self.table.state, seat))

    def _chosen(self, seat: int, dice: Dice) -> c.Command | None:
        choices = self._legal(seat)
        if not choices:
            return None
        chosen = dice.pick(choices)
        return chosen if isinstance(chosen, c.Command) else fill(chosen, dice)

    def _send(self, seat: int, command: c.Command) -> None:
        """Play a command that is legal, and look at each event."""
        state = self.table.state
        self.table, entries = self.table.submit(seat, command, STARTED + len(self.log))
        self.log += entries
        for entry in entries:
            event = decode_event(entry)
            before, state = state, evolve(state, event)
            for law in EVENT_LAWS:
                law(self.table.rules, before, event, state)
        assert state == self.table.state


@pytest.mark.deep
@pytest.mark.parametrize("key", BY_KEY)
def test_no_way_to_use_a_table_breaks_a_law(key: str) -> None:
    """Every rule system, in as many ways as hypothesis finds within its bounds."""

    class Machine(TableMachine):
        """The machine on tables of this system."""

        system = key

    run_state_machine_as_test(Machine, settings=BOUNDED)
