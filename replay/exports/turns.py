"""The turns of a game: which versions belong to each, and what came of it."""

from dataclasses import dataclass

from events import domain_events as e
from replay.timeline.timeline import Timeline


@dataclass(slots=True)
class Turn:
    """One turn, or with number 0 what was before the first; where the game went back, what follows is another one.

    Attributes:
        turn: its number.
        seat: whose turn it was.
        first, last: its first and last version.
        counts: whether anything of it counts.
        planted: cards planted, by anybody; of this and what follows only what counts.
        trades: trades made.
        earned: coins earned by harvests, by anybody.
    """

    turn: int
    seat: int
    first: int
    last: int
    counts: bool = False
    planted: int = 0
    trades: int = 0
    earned: int = 0


def split_into_turns(timeline: Timeline) -> list[Turn]:
    """The turns of a timeline in order, the time before the first among them."""
    turns, counted = [Turn(0, 0, 1, 0)], True
    for version in range(1, timeline.last + 1):
        step = timeline.at(version)
        event = step.event
        if isinstance(event, e.TurnBegan):
            turns.append(Turn(event.turn, event.seat, version, version))
        elif step.counts and not counted:
            turns.append(Turn(turns[-1].turn, turns[-1].seat, version, version))
        elif isinstance(event, e.GameRewound):
            turns[-1].turn, turns[-1].seat = step.state.turn, step.state.active
        counted = step.counts
        turn = turns[-1]
        turn.last = version
        if not step.counts:
            continue
        turn.counts = True
        match event:
            case e.BeanPlanted() | e.AsidePlanted() | e.RevealedPlanted():
                turn.planted += 1
            case e.TradeMade():
                turn.trades += 1
            case e.FieldHarvested() | e.FieldPaidFromPiles():
                turn.earned += event.coins
    return turns
