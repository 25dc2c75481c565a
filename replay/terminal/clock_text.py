"""What a clock says at one version, as text: what each player has left, and until when something is due."""

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
    """For each player who has a clock what is left when this has happened, and what is due first, if anything is."""
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


def _of_seat(tell: Commentary, state: GameState, clock: Clock, seat: int, at: int) -> str:
    player, left = tell.player(state, seat), duration(clock.left(seat, at))
    due = min(
        (each for each in clock.waits if each.awaited.seat == seat),
        key=lambda wait: wait.deadline,
        default=None,
    )
    if due is None:
        return tell.table("clock", player=player, left=left)
    until = _until(due, at)
    if due.awaited.kind == "bank":
        return tell.table("clock.bank", player=player, left=left, until=until)
    if due.awaited.offer is None:
        return tell.table("clock.answer", player=player, left=left, until=until)
    return tell.table("clock.offer", player=player, left=left, offer=due.awaited.offer, until=until)


def _until(wait: Wait, at: int) -> str:
    """The date of a deadline; in a log without dates how far away it is."""
    return when(wait.deadline) or f"+{duration(wait.deadline - at)}"
