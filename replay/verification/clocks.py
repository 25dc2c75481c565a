"""The time in a record of a game with a clock: each deadline, expiry and credit is computed again, for any viewer.

Whom a game waits for is open to everybody, so every scope shows whether time was over. What the clock's bot does for
a seat follows from all hands and the secret: only the whole record of a finished game shows whether it was just that.
"""

from typing import Final

import msgspec

from events import commands as c
from events import domain_events as e
from events.game.clock import Clock
from events.game.forcing import Forcing, begin_forcing, next_forced
from events.game.timekeeping import check_time
from events.log.actors import actor_number
from events.rules.definition.rule_system import Rules
from events.rules.errors import RuleViolation
from events.rules.interventions.time import check_clock
from events.rules.move import CLOCK, DEALER
from events.rules.table.state import GameState
from replay.records.report import ClockReport, Discrepancy
from replay.verification.entry import VerifiedEntry

CHECK: Final = "clock"


class ClockChecks:
    """Holds the commands of one game against its clock."""

    def __init__(self, event: e.GameCreated, clock: Clock) -> None:
        """Begin with the first event of a game, and its clock then.

        Raises:
            Discrepancy: no game can be played with this clock.
        """
        try:
            check_clock(event.clock, event.close_after)
        except RuleViolation as refused:
            raise Discrepancy(CHECK, str(refused)) from refused
        self._clock = clock
        self._forcing: Forcing | None = None
        self._expired_at = 0
        """When the time was recorded to be over for which a move is forced."""
        self._owed: type[e.DomainEvent] | None = None
        """What an expiry brings about with its next entry."""
        self._expired = self._forced = self._recomputed = 0
        self._credits: list[e.TimeCredited] = []

    def follow(self, rules: Rules, before: GameState, entry: VerifiedEntry, key: bytes | None) -> None:
        """Check what an entry says about time, or does in it, and move on to the clock after it.

        `before` is the table before it. `key`: that of the game's salts, where all hands are open too.

        Raises:
            Discrepancy: of the check `clock`.
        """
        command, event = entry.command, entry.event
        if self._owed is not None and (command is not None or type(event) is not self._owed):
            raise Discrepancy(CHECK, f"the time that was over also brought about {self._owed.__name__}")
        self._owed = None
        if command is not None:
            self._check_command(rules, before, entry, command, key)
        elif isinstance(event, e.CLOCK):
            raise Discrepancy(CHECK, f"{type(event).__name__} is what no command of the clock brought about")
        if isinstance(event, e.TimeExpired):
            self._expired += 1
            self._owed = _owed_after(before, event)
        elif isinstance(event, e.TimeCredited):
            self._credits.append(event)
        self._clock = self._clock.after(entry.at, event, entry.state)

    def _check_command(
        self, rules: Rules, before: GameState, entry: VerifiedEntry, command: c.Command, key: bytes | None
    ) -> None:
        actor = actor_number(entry.actor)
        if actor == DEALER and before.due is not None:
            return
        if self._is_forced(rules, before, entry, key):
            return
        if (actor == CLOCK) != isinstance(command, c.CLOCK_COMMANDS):
            raise Discrepancy(CHECK, "time is recorded by the clock, and it does nothing else")
        try:
            check_time(self._clock, actor, command, entry.at)
        except RuleViolation as refused:
            raise Discrepancy(CHECK, str(refused)) from refused
        self._forcing, self._expired_at = begin_forcing(command, before), entry.at

    def _is_forced(self, rules: Rules, before: GameState, entry: VerifiedEntry, key: bytes | None) -> bool:
        """Whether the command of an entry is one that the clock forces; where it has to be, no other may be there."""
        forcing = self._forcing
        if forcing is None or not forcing.goes_on(before):
            self._forcing = None
            return False
        expected = None if key is None else next_forced(rules, before, forcing, key, entry.version - 1)
        if key is not None and expected is None:
            self._forcing = None
            return False
        if (entry.actor, entry.at) != (f"seat:{forcing.seat}", self._expired_at):
            raise Discrepancy(CHECK, f"a move for seat {forcing.seat} is missing, whose time was over")
        if key is not None:
            if entry.command != expected:
                raise Discrepancy(CHECK, f"the clock's bot sends {expected} there, not {entry.command}")
            self._recomputed += 1
        self._forced += 1
        self._forcing = forcing._replace(left=forcing.left - 1)
        return True

    def missing(self, state: GameState) -> str:
        """What is missing after the last entry, with the table there; empty for nothing."""
        if self._owed is not None:
            return f"{self._owed.__name__}, which the time that was over brought about,"
        forcing = self._forcing
        if forcing is not None and state.due is None and forcing.goes_on(state):
            return f"a move for seat {forcing.seat}, whose time was over,"
        return ""

    def report(self) -> ClockReport:
        """What has come out."""
        return ClockReport(
            msgspec.structs.asdict(self._clock.settings),
            expired=self._expired,
            forced=self._forced,
            recomputed=self._recomputed,
            credits=len(self._credits),
            credited=sum(each.until - each.since for each in self._credits),
            reasons=tuple(dict.fromkeys(each.reason for each in self._credits)),
        )


def _owed_after(before: GameState, event: e.TimeExpired) -> type[e.DomainEvent] | None:
    if event.offer is not None:
        return e.OfferDeclined
    return None if before.take_back is None else e.TakeBackDeclined
