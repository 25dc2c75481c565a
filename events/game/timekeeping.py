"""What a clock allows at a moment: commands in time, and what is recorded in its name no sooner and no later."""

from typing import Final

from events import commands as c
from events.game.clock import SECOND, Clock, Wait
from events.rules import errors

TALK: Final = (c.Say,)
"""What may be sent when the time is over, too."""


def check_time(clock: Clock | None, actor: int, command: c.Command, at: int) -> None:
    """Refuse what the clock does not allow at this moment (milliseconds since the epoch).

    Raises:
        NoClock, NothingExpired, BadCredit: what is asked in its name does not hold.
        TimeOver: the seat's time for this is over, and that is not recorded yet.
    """
    if isinstance(command, c.CLOCK_COMMANDS):
        if clock is None:
            raise errors.NoClock("This game is played without a clock.")
        if isinstance(command, c.ExpireTime):
            _check_expiry(clock, command, at)
        else:
            _check_credit(clock, command, at)
    elif clock is not None and not isinstance(command, TALK):
        over = find_over(clock, at, actor)
        if over is not None:
            raise errors.TimeOver(
                f"Your time was over at {over.deadline}, and the grace of {clock.settings.grace} seconds is, too; it"
                f" is {at} (milliseconds since the epoch)."
            )


def check_untouched(close_after: int | None, last: int, command: c.Command, at: int) -> None:
    """Refuse to close a game sooner than its first event says, in seconds; `last` is the time of its last entry.

    Raises:
        BadClosing
    """
    if isinstance(command, c.CloseGame) and close_after is not None and at < last + close_after * SECOND:
        raise errors.BadClosing(
            f"This game may be closed when nothing has happened in it for {close_after} seconds, from"
            f" {last + close_after * SECOND} on (milliseconds since the epoch)."
        )


def find_over(clock: Clock, at: int, seat: int | None = None) -> Wait | None:
    """What the game has waited for too long, of this seat or of any: the one whose time was over first."""
    over = [each for each in clock.waits if seat in {None, each.awaited.seat} and at >= clock.over_at(each)]
    return min(over, key=lambda each: (each.deadline, each.awaited.seat), default=None)


def expiry_of(wait: Wait) -> c.ExpireTime:
    """The command that records that the time for this is over."""
    return c.ExpireTime(wait.awaited.seat, wait.deadline, wait.awaited.offer)


def _check_expiry(clock: Clock, command: c.ExpireTime, at: int) -> None:
    wait = clock.wait_for(command.seat, command.offer)
    if wait is None:
        raise errors.NothingExpired(f"No time of seat {command.seat} runs now.")
    if command.deadline != wait.deadline:
        raise errors.NothingExpired(
            f"The time of seat {command.seat} is over at {wait.deadline}, not at {command.deadline}."
        )
    left = clock.over_at(wait) - at
    if left > 0:
        raise errors.NothingExpired(
            f"The time of seat {command.seat} is over at {wait.deadline}; with the grace, that may be recorded in"
            f" {-(-left // SECOND)} seconds."
        )


def _check_credit(clock: Clock, command: c.CreditTime, at: int) -> None:
    if command.until > at:
        raise errors.BadCredit(f"Time is given back once it has passed; {command.until} is yet to come.")
    if command.since < clock.credited_until:
        raise errors.BadCredit(f"The time before {clock.credited_until} was given back already.")
