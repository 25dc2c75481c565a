"""What a seat may ask for in `ladybohn` only."""

from events.commands.base import Command


class MoveMiss(Command, frozen=True):
    """Move a miss after a trade has planted a baby on her field (`ladybohn`).

    `miss` is her place in the field, counted from 0 at the bottom; she moves one or two `places` towards the top.
    """

    field: int
    miss: int
    places: int


LADYBOHN = MoveMiss
