"""Tables of gifts for tests of `the-duel`, and what is legal on them."""

from events import commands as c
from events.commands.leaving import LEAVING
from events.rules.legal import legal_commands
from tests.support.duels import given_duel, side
from tests.support.given import Given

EIGHT = ("garden", "red", "black_eyed", "soy", "green", "stink", "chili", "blue")
"""The varieties, from the lowest to the highest."""


def answering(*gifts: str, own: tuple[str, ...] = ("red",), other: tuple[str, ...] = ("soy",)) -> Given:
    """These gift cards were pushed, by the active player and the other in turn; nobody has a coin."""
    pushed = tuple((place % 2, variety) for place, variety in enumerate(gifts))
    return given_duel(
        side(own), side(other), phase="answer_gift", gifts=pushed, revealed=("blue", "chili", "blue")
    )


def offers(table: Given, seat: int) -> list[str]:
    """The varieties that a seat may offer now."""
    legal = legal_commands(table.rules, table.state, seat)
    return [each.variety for each in legal if isinstance(each, c.OfferGift | c.CounterGift)]


def legal_types(table: Given, seat: int) -> set[str]:
    """The types of what a seat may send now that plays: neither table talk nor leaving."""
    legal = legal_commands(table.rules, table.state, seat)
    played = (each for each in legal if isinstance(each, c.Command) and not isinstance(each, LEAVING))
    return {str(each.__struct_config__.tag) for each in played}
