"""Tables of `ladybohn` for tests; cards are written `red_male`, `red_female`, `red_baby`."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.domain_events import Card
from events.rules.definition.rule_system import Rules
from events.rules.systems.ladybohn.table import LadybohnTable
from events.rules.table.state import Field, Seat
from tests.support.given import Given, given
from tests.support.tables import OptionValues, rules_of, seat_with

MISTER, MISS, BABY = "red_male", "red_female", "red_baby"
"""The red family, of which most tests grow a field."""
PLAIN = "green_male"
"""A card that matters nowhere."""


def rules(players: int = 3, options: OptionValues | None = None) -> Rules:
    """The rules of `ladybohn` for a table."""
    return rules_of("ladybohn", players, options)


def table(
    *,
    others: Mapping[int, Seat] | None = None,
    open_moves: tuple[tuple[int, int], ...] = (),
    unseen: tuple[tuple[int, int], ...] = (),
    draw_pile: tuple[Card, ...] = (PLAIN,) * 20,
    options: OptionValues | None = None,
    **asked: Any,
) -> Given:
    """A running game for three, as in `given`; with open moves (seat and field) and unseen coins (seat and place)."""
    seats = {number: seat_with(hand=(PLAIN,)) for number in (0, 1, 2) if number != asked.get("active", 0)}
    asked.setdefault("hand", ("blue_male", "chili_male"))
    made = given(
        others=seats | dict(others or {}), draw_pile=draw_pile, rules=rules(options=options), **asked
    )
    if not open_moves and not unseen:
        return made
    return Given(made.rules, replace(made.state, ladybohn=LadybohnTable(open_moves, unseen)))


def field_of(given: Given, seat: int = 0, number: int = 0) -> Field:
    """What grows on a field."""
    return given.state.seats[seat].fields[number]


def trading(**asked: Any) -> Given:
    """Phase 2: the active player has three cards, seat 1 two, seat 2 grows red beans with a miss among them."""
    others = {
        1: seat_with(hand=("soy_female", "soy_male")),
        2: seat_with(hand=(PLAIN, "soy_baby"), fields=((MISTER, MISS, MISTER), ())),
    }
    settings: dict[str, Any] = {
        "phase": "trade",
        "hand": (MISTER, BABY, MISS),
        "revealed": (BABY, "blue_male"),
        "others": others,
    }
    return table(**(settings | asked))


def given_baby() -> Given:
    """The active player gave seat 2 a red baby, planted on its red field with a miss."""
    offered = trading().when(c.Offer(2, hand=(2,))).then_among_others()
    return offered.when(c.Accept(1), by=2).then(
        e.TradeMade(1, 0, 2, (BABY,), (), (2,)), e.AsidePlanted(2, 1, 0, BABY), e.MissMoveOpened(2, 0)
    )
