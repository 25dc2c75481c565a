"""Whole games by the clock in which everything happens: silence, lateness, leaving, outages, pauses and going back.

What is over and what is given back the service's own functions say; only its store is not there.
"""

from typing import Final

from events import commands as c
from events.game.clock import SECOND
from events.game.table import open_with_history
from events.game.timekeeping import find_over
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.move import ARBITER, CLOCK, Earlier
from events.rules.table.absence import is_person
from events.rules.table.state import GameState
from service.play.lost_time import next_credit
from service.play.timekeeping import TimeUncertain, next_due
from service.storage.life_marks import MAINTENANCE, OUTAGE, SETTLING, Gap, Life
from tests.support.clocked_games import QUICK, ClockedGame
from tests.support.recorded_games import RecordedGame
from tests.support.strategies import next_command
from tests.support.tables import OptionValues

SHARP: Final = c.ClockSettings(bank=0, increment=0, cap=8, answer=8, grace=0)
"""Everybody has eight seconds, and not one more; after three strikes a bot takes the seat over."""
STRICT: Final = c.ClockSettings(bank=30, increment=2, cap=30, answer=5, grace=1, strikes=1)
"""Who is late once is replaced by a bot."""
CLOCKS: Final = (QUICK, STRICT, SHARP, QUICK)
LEAVE: Final = 10
"""So many times in a thousand somebody leaves, comes back or speaks of the end, where people do."""
AWAY: Final = 8
"""So many times in a thousand the service is away."""
INTERRUPT: Final = 4
"""So many times in a thousand a game is held up, in every third game."""
REACH: Final = 40
"""Entries over which a game goes back at most."""
LONGEST: Final = 20_000
"""Steps after which a game is given up as endless."""


class WatchedGame(ClockedGame):
    """A game by the clock whose time somebody watches, but for outages.

    Attributes:
        gaps: when the service was back after each outage, and the gap with its time for settling.
    """

    def __init__(self, seed: int, system: str, players: int, options: OptionValues | None = None) -> None:
        """Deal the game of this seed: up to two of its seats are silent, and the last one is now and then a bot's."""
        self.gaps: list[tuple[int, Gap]] = []
        super().__init__(seed, system, players, CLOCKS[seed % len(CLOCKS)], seed // 3 % 2, options=options)
        self._silent = frozenset(range(seed % 3))
        self._case = 0
        self._is_interrupted = seed // 2 % 3 == 0

    def play_whole(self) -> RecordedGame:
        """Play to the end."""
        for _ in range(LONGEST):
            if self.table.state.status != "running":
                return RecordedGame(self.table, tuple(self.log))
            seats = self.table.state.seats
            self._step(frozenset(seat for seat in self._silent if seats[seat].kind != "bot"))
            if self._is_interrupted and self.dice.below(1000) < INTERRUPT:
                self._interrupt()
        raise AssertionError(f"a game by the clock has not ended after {LONGEST} steps")

    def expire_all(self) -> None:
        """Record whatever is over by now, as soon as that is certain."""
        while find_over(self.clock, self.at) is not None:
            try:
                self._record()
            except TimeUncertain as uncertain:
                self.at = uncertain.until

    def send(self, actor: int, command: c.Command) -> list[RecordedEvent]:
        """Send a command now; where it seems to come too late, that is recorded, or time is given back.

        Raises:
            RuleViolation: it is refused; TimeOver where it came too late.
        """
        try:
            return self._submit(actor, command)
        except errors.TimeOver:
            if self._record(actor):
                raise
            return self._submit(actor, command)

    def be_away(self, lost: int, reason: str) -> None:
        """Nobody watches for so many milliseconds; the gap is given back as soon as somebody does again."""
        since = self.at
        self.at += lost
        self.gaps.append((self.at, Gap(since, self.at + SETTLING, reason)))
        while command := next_credit(self.table, self.at, self._life.gaps):
            self._submit(CLOCK, command)

    # --- what the clock has recorded ------------------------------------------------------------------------

    def _record(self, seat: int | None = None) -> bool:
        """Record what is over, of a seat or of any, and first what is given back; whether anything was over.

        Raises:
            TimeUncertain: nobody can say yet.
        """
        is_over = False
        while command := next_due(self.table, self.at, self._life, seat):
            self._submit(CLOCK, command)
            is_over |= isinstance(command, c.ExpireTime)
        # Moves that the clock forces are told by their moment: nothing else may happen at it.
        self.at += is_over
        return is_over

    @property
    def _life(self) -> Life:
        return Life(self.at, tuple(gap for _, gap in self.gaps))

    def _submit(self, actor: int, command: c.Command) -> list[RecordedEvent]:
        self.table, entries = self.table.submit(actor, command, self.at, self._earlier)
        self.log += entries
        return entries

    def _earlier(self, version: int) -> GameState | None:
        """A table that the game can go back to; it is folded anew, which is seldom needed."""
        return self._history()(version)

    def _history(self) -> Earlier:
        return open_with_history(self.log, self.table.secret, lambda _hash: self.table.rules.catalogue)[1]

    # --- what happens besides moves -------------------------------------------------------------------------

    def _choose(self) -> tuple[int, c.Command]:
        return next_command(self.table.rules, self.table.state, self.dice, LEAVE)

    def _give_back(self) -> None:
        """Now and then the service is away."""
        if self.dice.below(1000) < AWAY:
            lost = self.dice.pick((4, 20, 200)) * SECOND + self.dice.below(SECOND)
            self.be_away(lost, self.dice.pick((OUTAGE, MAINTENANCE)))

    def _interrupt(self) -> None:
        """Hold the game up: by a dispute, which may send it back, or by a question whether to take something back."""
        self.expire_all()
        earlier, state, version = self._history(), self.table.state, self.table.version
        back_to = [
            each for each in range(max(1, version - REACH), version) if earlier(each) not in (None, state)
        ]
        asking = [
            seat for seat, player in enumerate(state.seats) if is_person(player) and seat not in self._silent
        ]
        if state.status != "running" or not back_to or not asking:
            return
        if self.dice.chance(50):
            self._pause_by_dispute(self.dice.pick(back_to))
        else:
            self._submit(self.dice.pick(asking), c.AskTakeBack(self.dice.pick(back_to), seen_confirmed=True))
            self._answer_take_back()

    def _pause_by_dispute(self, back_to: int) -> None:
        self._case += 1
        self._submit(ARBITER, c.PauseGame(self._case, "clock"))
        self.at += self.dice.below(300 * SECOND)
        if self.dice.chance(50):
            self._submit(ARBITER, c.ResumeGame(self._case))
            return
        ruling = c.RuleGame(self._case, "rewound", "Ada", "the trade", "Heard.", back_to, seen_confirmed=True)
        self._submit(ARBITER, ruling)

    def _answer_take_back(self) -> None:
        """Everybody answers who has not agreed; who is silent lets the question lapse."""
        while (asked := self.table.state.take_back) is not None:
            seat = next(each for each in range(self.table.rules.players) if each not in asked.agreed)
            if seat in self._silent:
                self.at = max(self.at, min(map(self.clock.over_at, self.clock.waits)))
                self.expire_all()
                continue
            self.at += self.dice.below(4 * SECOND)
            try:
                self.send(seat, c.AgreeTakeBack() if self.dice.chance(80) else c.DeclineTakeBack())
            except errors.TimeOver:
                self.late += 1
                self.expire_all()
