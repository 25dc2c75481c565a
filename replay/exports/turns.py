"""The turns of a game: which versions belong to each, and what came of it."""

from dataclasses import dataclass

from events import domain_events as e
from replay.timeline import Timeline


@dataclass(slots=True)
class Turn:
    """One turn, or with number 0 what was before the first.

    Attributes:
        turn: its number.
        seat: whose turn it was.
        first, last: its first and last version.
        planted: cards planted, by anybody.
        trades: trades made.
        earned: coins earned by harvests, by anybody.
    """

    turn: int
    seat: int
    first: int
    last: int
    planted: int = 0
    trades: int = 0
    earned: int = 0


def turns_of(timeline: Timeline) -> list[Turn]:
    """The turns of a timeline in order, the time before the first among them."""
    turns = [Turn(0, 0, 1, 0)]
    for version in range(1, timeline.last + 1):
        event = timeline.at(version).event
        if isinstance(event, e.TurnBegan):
            turns.append(Turn(event.turn, event.seat, version, version))
        turn = turns[-1]
        turn.last = version
        match event:
            case e.BeanPlanted() | e.AsidePlanted() | e.RevealedPlanted():
                turn.planted += 1
            case e.TradeMade():
                turn.trades += 1
            case e.FieldHarvested():
                turn.earned += event.coins
            case e.FieldPaidFromPiles():
                turn.earned += len(event.from_discard_pile) + len(event.from_draw_pile) + event.from_field
    return turns
