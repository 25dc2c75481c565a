"""What a seat may ask for in `ladybohn-expansion` only."""

from events.commands.base import Command


class SwapHand(Command, frozen=True):
    """Swap the whole hand for the fan of this number, which has as many cards (`ladybohn-expansion`)."""

    fan: int


class ChooseFan(Command, frozen=True):
    """Say on top of which fan the revealed card goes that matches both (`ladybohn-expansion`)."""

    fan: int


class Levy(Command, frozen=True):
    """Take the top coin of up to three other players, in this order (`ladybohn-expansion`)."""

    seats: tuple[int, ...] = ()


LADYBOHN_EXPANSION = SwapHand | ChooseFan | Levy
