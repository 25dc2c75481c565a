"""What is recorded in the name of a game's clock: that time was over, and that time counts for nobody.

Everybody may record it: the sweeper, whoever comes too late, another seat. All do it in the same way, on an exact
version and under a command id that follows from what is recorded, so it happens once. And nobody does it where
nobody watched the time: what was lost in a gap is given back first (`service.play.lost_time`).
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Protocol, TypeVar

from events import commands as c
from events.game.clock import SECOND, Clock, Wait
from events.game.log_facts import LogFacts
from events.game.table import Table
from events.game.timekeeping import expiry_of, find_over
from events.rules.errors import TimeOver
from events.rules.move import CLOCK
from events.rules.table.state import GameState
from service.play.deciding import Refused, Request
from service.play.lost_time import count_lost, next_credit
from service.play.steps import Call, Steps
from service.play.tables import LoadedGame
from service.storage.life_marks import Gap, Life

MOST_AT_ONCE: Final = 64
"""Of what is over, and given back, in one game at once."""
SOON: Final = 500
"""Milliseconds after which it may be known whether games could be played until now."""
CLOSING: Final = {"open": "never_begun", "running": "untouched"}
"""Why a game is closed, by its status."""
FINGERPRINT: Final = "clock"
"""Of every request in the clock's name: its id says all."""


class TimeUncertain(Exception):
    """Whether time is over cannot be said yet: nobody watched it, or the service has just come back.

    Attributes:
        until: when to ask again (milliseconds since the epoch).
    """

    def __init__(self, until: int) -> None:
        """Say when to ask again."""
        super().__init__("nobody can say yet whether this time is over")
        self.until = until


class Applied(Protocol):
    """What an append brought about."""

    @property
    def loaded(self) -> LoadedGame:
        """The game after it."""
        ...


_Applied = TypeVar("_Applied", bound=Applied)
Attempt = Callable[[LoadedGame, Request], Steps[_Applied | LoadedGame | None]]
"""Decides a request on a game and appends what follows; where others were faster the newer game, if it is known."""


def next_due(table: Table, at: int, life: Life, seat: int | None = None) -> c.Command | None:
    """What is to be recorded next at a moment, of a seat or of any; None where nothing is over.

    A seat that asks for itself gets back what was lost up to now, so that it can act. Others wait until a gap has
    ended, and until it is known that games could be played up to the moment when the time was over.

    Raises:
        TimeUncertain: something of others seems to be over, and cannot be recorded yet.
    """
    clock = table.log.clock
    over = None if clock is None else find_over(clock, at, seat)
    if clock is None or over is None:
        return None
    if seat is not None:
        return next_credit(table, at, life.gaps_until(at)) or expiry_of(over)
    if life.alive < clock.over_at(over):
        # Had an outage begun before, nobody would know of it yet.
        raise TimeUncertain(at + SOON)
    unsettled = max((gap.until for gap in life.gaps), default=0)
    if unsettled > at:
        raise TimeUncertain(unsettled)
    return next_credit(table, at, life.gaps) or expiry_of(over)


def is_overdue(table: Table, at: int, gaps: Iterable[Gap] = ()) -> bool:
    """Return whether any seat's time is over at a moment and unrecorded, once all that gaps have cost is credited."""
    clock, at = table.log.clock, max(at, table.log.at)
    if clock is None or find_over(clock, at) is None:
        return False
    return find_over(count_lost(clock, at, gaps), at) is not None


def earliest(clock: Clock | None) -> tuple[int, Wait] | None:
    """When the first thing that a game waits for is over, and what it is; None where it waits for none."""
    if clock is None or not clock.waits:
        return None
    wait = min(clock.waits, key=lambda each: (clock.over_at(each), each.awaited.seat))
    return clock.over_at(wait), wait


def closes_at(log: LogFacts, state: GameState) -> int | None:
    """From when on a game may be closed that nobody plays; None where it may not be.

    One that a dispute holds up waits for its arbiters, however long that takes.
    """
    if log.close_after is None or state.status not in CLOSING or state.paused_by:
        return None
    return log.at + log.close_after * SECOND


def closing_of(loaded: LoadedGame, at: int, life: Life) -> c.CloseGame | None:
    """What closes a game that nobody has played for long enough, gaps in which nobody could not counted."""
    table = loaded.table
    moment = closes_at(table.log, table.state)
    if moment is None or not life.is_known_at(at):
        return None
    lost = max((gap.until for gap in life.gaps), default=0)
    if at < moment + max(0, lost - table.log.at):
        return None
    return c.CloseGame(CLOSING[table.state.status])


def next_moment(log: LogFacts, state: GameState) -> int | None:
    """When somebody has to look at a game next: something is over then, or it may be closed."""
    found = earliest(log.clock)
    moments = (None if found is None else found[0], closes_at(log, state))
    return min((each for each in moments if each is not None), default=None)


def request_of(command: c.Command, loaded: LoadedGame, at: int) -> Request:
    """The request that records this on a game as it stands, the same whoever sends it."""
    match command:
        case c.ExpireTime():
            what = "move" if command.offer is None else f"offer-{command.offer}"
            name = f"expire-{loaded.table.version}-{command.seat}-{what}"
        case c.CreditTime():
            name = f"credit-{command.since}-{command.until}"
        case _:
            raise TypeError(f"the clock asks for no {type(command).__name__}")
    expected = loaded.table.version, loaded.table.hash
    return Request(CLOCK, (command,), at, name, FINGERPRINT, expected)


def record_time(
    attempt: Attempt[_Applied],
    newest: Callable[[], LoadedGame],
    look: Callable[[], Life],
    loaded: LoadedGame,
    arrived: int,
    *,
    seat: int | None = None,
    gives_back: bool = False,
) -> Steps[tuple[LoadedGame, list[tuple[c.Command, _Applied]]]]:
    """Record what is over by a moment, of a seat or of any: the game then, and what was recorded.

    With `gives_back` instead what was lost up to then, also where nothing is over.

    Raises:
        TimeUncertain: it is of others, cannot be recorded yet, and nothing was.
        Refused: the log has no room for it.
    """
    recorded: list[tuple[c.Command, _Applied]] = []
    life: Life | None = None
    for _ in range(MOST_AT_ONCE):
        clock, at = loaded.table.log.clock, max(arrived, loaded.table.log.at)
        if clock is None or not (clock.waits if gives_back else find_over(clock, at, seat)):
            break
        if life is None:
            life = yield Call(look)
        try:
            table = loaded.table
            command = (
                next_credit(table, at, life.gaps, in_passing=True)
                if gives_back
                else next_due(table, at, life, seat)
            )
        except TimeUncertain:
            if recorded:
                break
            raise
        if command is None:
            break
        found = yield from attempt(loaded, request_of(command, loaded, at))
        if found is None:
            loaded = yield Call(partial(newest))
        elif isinstance(found, LoadedGame):
            loaded = found
        else:
            recorded.append((command, found))
            loaded = found.loaded
    return loaded, recorded


def is_late(stopped: Exception) -> bool:
    """Whether a command was refused since its seat's time was over, which is not recorded yet."""
    return isinstance(stopped, Refused) and isinstance(stopped.violation, TimeOver)


def too_late(recorded: list[c.Command], loaded: LoadedGame, place: int) -> Refused | None:
    """The refusal of a command that came after its seat's time, once that is recorded; None where none was over."""
    expiry = next((each for each in recorded if isinstance(each, c.ExpireTime)), None)
    if expiry is None:
        return None
    table = loaded.table
    what = "your move" if expiry.offer is None else f"your answer to offer {expiry.offer}"
    why = TimeOver(
        f"The time for {what} was over at {expiry.deadline} (milliseconds since the epoch), and your command came"
        f" after the grace. That has been recorded, and what followed: the game is at version {table.version}."
    )
    return Refused(why, table, place)
