"""The table `harvests`."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from events import domain_events as e
from replay.across.dataset.columns import At, Counts, GameId, Month, System, Turn, Version
from replay.across.dataset.told_game import ToldGame


class HarvestRow(NamedTuple):
    """One field that was sold."""

    game: GameId
    system: System
    month: Month
    version: Version
    at: At
    turn: Turn
    seat: Annotated[int, "The seat whose field it was."]
    field: Annotated[int, "The field's number, from 0."]
    variety: Annotated[str, "The variety that grew there."]
    cards: Annotated[tuple[str, ...], "The field's cards from bottom to top."]
    beans: Annotated[int, "How many cards these are."]
    coins: Annotated[int, "How many coins it paid."]
    from_piles: Annotated[int, "How many of these came from the piles and not from the field, in `ladybohn`."]
    final: Annotated[bool, "Whether it was sold because the game had ended."]
    counts: Counts


def harvest_rows(told: ToldGame) -> Iterator[HarvestRow]:
    """The rows of a game in their order."""
    for step in told.steps:
        event = step.event
        if not isinstance(event, e.FieldHarvested | e.FieldPaidFromPiles):
            continue
        yield HarvestRow(
            *told.place,
            version=step.version,
            at=told.moment(step.at),
            turn=step.after.turn,
            seat=event.seat,
            field=event.field,
            variety=told.variety(event.cards[-1]) if event.cards else "",
            cards=event.cards,
            beans=len(event.cards),
            coins=event.coins,
            from_piles=event.coins - event.from_field if isinstance(event, e.FieldPaidFromPiles) else 0,
            final=event.final,
            counts=step.in_effect,
        )
