"""What a clock says at one version, as text: what each player has left, and until when something is due."""

from collections.abc import Iterable

from events.game.clock import Clock, Wait
from events.rules.table.state import GameState
from replay.commentary import Commentary
from replay.commentary.texts import duration
from replay.terminal.table_text import Line, when, wrap_units
from replay.timeline.timeline import Step


def clock_lines(tell: Commentary, step: Step) -> list[Line]:
    """A line for each player who has a clock, behind an empty one; none in a game without a clock."""
    lines: list[Line] = []
    for place, text in enumerate(clock_texts(tell, step)):
        lines += wrap_units("" if place else tell.label("clock"), [[(text, "")]])
    return [[], *lines] if lines else []


def clock_texts(tell: Commentary, step: Step) -> list[str]:
    """For each player who has a clock what is left when this has happened, and what is due first, or late already."""
    return describe_clock(tell, step.state, step.clock, step.form.entry["at"])


def describe_clock(tell: Commentary, state: GameState, clock: Clock | None, at: int) -> list[str]:
    """The same of a table and its clock at a moment (milliseconds since the epoch)."""
    if clock is None:
        return []
    return [
        _of_seat(tell, state, clock, seat, at)
        for seat, player in enumerate(state.seats[: len(clock.banks)])
        if player.kind != "bot"
    ]


def running_text(tell: Commentary, step: Step) -> str:
    """For whom time runs when this has happened, and how much of it there is; empty where none does."""
    if step.clock is None:
        return ""
    at = step.form.entry["at"]
    first = _first_of_each(step.clock.waits)
    return " · ".join(
        tell.table("clock", player=tell.player(step.state, seat), left=duration(wait.deadline - at))
        for seat, wait in first.items()
    )


def _first_of_each(waits: Iterable[Wait]) -> dict[int, Wait]:
    """What is due first of each seat, the most urgent one first."""
    found: dict[int, Wait] = {}
    for wait in sorted(waits, key=lambda each: each.deadline):
        found.setdefault(wait.awaited.seat, wait)
    return found


def _of_seat(tell: Commentary, state: GameState, clock: Clock, seat: int, at: int) -> str:
    player, left = tell.player(state, seat), duration(clock.left(seat, at))
    due = _first_of_each(clock.waits).get(seat)
    if due is None:
        return tell.table("clock", player=player, left=left)
    until, offer = _until(due, at), due.awaited.offer
    if due.deadline <= at:
        if offer is None:
            return tell.table("clock.over", player=player, left=left, until=until)
        return tell.table("clock.offer.over", player=player, left=left, offer=offer, until=until)
    if due.awaited.kind == "bank":
        return tell.table("clock.bank", player=player, left=left, until=until)
    time = duration(due.deadline - at)
    if offer is None:
        return tell.table("clock.answer", player=player, left=left, time=time, until=until)
    return tell.table("clock.offer", player=player, left=left, time=time, offer=offer, until=until)


def _until(wait: Wait, at: int) -> str:
    """The date of a deadline; in a log without dates how far away it is, or how long ago it was."""
    sign = "+" if wait.deadline > at else "-"
    return when(wait.deadline) or f"{sign}{duration(abs(wait.deadline - at))}"
