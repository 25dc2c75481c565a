"""Recorded whole games with clocks: silent seats, commands that come too late, and time that is given back."""

import random
from typing import Final

import msgspec

from events import commands as c
from events.game.clock import SECOND, Clock
from events.game.table import new_table
from events.game.timekeeping import expiry_of, find_over
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import CLOCK, HOST
from events.rules.systems.registry import system_named
from events.rules.table.waiting import waiting_for
from tests.support.recorded_games import BEGINNING, NAMES, RecordedGame
from tests.support.strategies import Dice, next_command
from tests.support.tables import OptionValues

QUICK: Final = c.ClockSettings(bank=60, increment=5, cap=90, answer=10, grace=2, strikes=100)
"""A clock by which time runs out now and then, and nobody loses the seat for it."""
IMPATIENT: Final = 4
"""Strikes in every fourth game, after which a bot takes a seat over."""
BOTS: Final = ("greedy", "random")


class ClockedGame:
    """A game while it is played by a clock.

    Attributes:
        table: the game as it stands.
        log: its entries.
        at: the moment (milliseconds since the epoch).
        late: commands that were refused because they came too late.
    """

    def __init__(
        self,
        seed: int,
        system: str,
        players: int,
        clock: c.ClockSettings = QUICK,
        bots: int = 0,
        *,
        options: OptionValues | None = None,
    ) -> None:
        """Deal the game of this seed; the last seats are bots."""
        self.dice, self.at, self.late = Dice(f"clock {seed} {system} {players}"), BEGINNING, 0
        secret = random.Random(seed).randbytes(32).hex()
        strikes = IMPATIENT if seed % 4 == 3 else clock.strikes
        clock = msgspec.structs.replace(clock, bot=BOTS[seed % len(BOTS)], strikes=strikes)
        catalogue = shipped_catalogue(system_named(system).catalogue)
        self.table, self.log = new_table(
            f"clocked-{seed}",
            system,
            players,
            options=options or {},
            catalogue=catalogue,
            secret=secret,
            at=self.at,
            clock=clock,
            close_after=c.DAY,
        )
        for seat, name in enumerate(NAMES[:players]):
            is_bot = seat >= players - bots
            self.send(
                HOST,
                c.TakeSeat(seat, name, "bot", "greedy", "seed")
                if is_bot
                else c.TakeSeat(seat, name, "human"),
            )

    @property
    def clock(self) -> Clock:
        """The clock as it stands."""
        clock = self.table.log.clock
        assert clock is not None
        return clock

    def send(self, actor: int, command: c.Command) -> list[RecordedEvent]:
        """Send a command now.

        Raises:
            RuleViolation: it is refused.
        """
        self.table, entries = self.table.submit(actor, command, self.at)
        self.log += entries
        return entries

    def expire_all(self) -> None:
        """Record whatever is over by now."""
        while (over := find_over(self.clock, self.at)) is not None:
            self.send(CLOCK, expiry_of(over))

    def play(self, silent: frozenset[int] = frozenset()) -> "ClockedGame":
        """Play to the end; these seats never say anything."""
        while self.table.state.status == "running":
            # Where a bot has taken a seat over somebody acts there again.
            seats = self.table.state.seats
            self._step(frozenset(seat for seat in silent if seats[seat].kind != "bot"))
        return self

    def _step(self, silent: frozenset[int]) -> None:
        self.at += self._pause(silent)
        self._give_back()
        awaited = waiting_for(self.table.state)
        if awaited and awaited[0] in silent and self.dice.chance(90):
            self.expire_all()
            return
        seat, command = self._choose()
        if seat in silent:
            self.expire_all()
            return
        try:
            self.send(seat, command)
        except errors.TimeOver:
            self.late += 1
            self.expire_all()

    def _give_back(self) -> None:
        """Now and then: time is given back."""
        if self.dice.chance(3):
            since = max(self.clock.credited_until, self.at - 1 - self.dice.below(20 * SECOND))
            if since < self.at:
                self.send(CLOCK, c.CreditTime(since, self.at, self.dice.pick(("outage", "maintenance"))))

    def _choose(self) -> tuple[int, c.Command]:
        """Who acts next, and how."""
        return next_command(self.table.rules, self.table.state, self.dice)

    def _pause(self, silent: frozenset[int]) -> int:
        """Milliseconds that pass: mostly short, now and then up to just before, at or behind a deadline."""
        waits = self.clock.waits
        if waits and (self.dice.chance(8) or {each.awaited.seat for each in waits} <= silent):
            around = self.clock.over_at(self.dice.pick(waits)) - self.at
            return max(0, around + self.dice.pick((-1, 0, 1, 700)))
        return self.dice.below(3 * SECOND)


def clocked_game(seed: int, system: str, players: int, bots: int = 0, silent: int = 0) -> RecordedGame:
    """A game by the clock in which so many of the first seats never act."""
    game = ClockedGame(seed, system, players, bots=bots).play(frozenset(range(silent)))
    return RecordedGame(game.table, tuple(game.log))
