"""A rule system that nobody printed: what adding one takes, where it needs no words of its own.

It is `classic` with hands of four cards, three revealed ones, and a phase 4 of its own: who has an empty field draws
one card more. Nothing but this module and the list of rule systems knows of it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType

from events import commands as c
from events.rules.definition.rule_system import Phase, Rule, Setup
from events.rules.move import Move
from events.rules.phases import drawing, standard
from events.rules.systems import registry
from events.rules.systems.classic import CLASSIC
from tests.support.corrected_rules import registered

MORE = 1
"""So many cards more for who has an empty field."""


def draw_more(move: Move, _command: c.Draw) -> None:
    """Draw to the back of the hand, one card more with an empty field."""
    has_empty_field = not all(move.own.fields)
    drawing.take(move, "draw", move.seat, move.rules.setup.draw + MORE * has_empty_field)


DRAW = Phase("draw", MappingProxyType({c.Draw: Rule(draw_more, drawing.legal_draws)}))
FALLOW = replace(
    CLASSIC,
    key="fallow",
    title="Bohnanza with fallow fields",
    setup=lambda _players: Setup(hand_sizes=(4,), reveal=3, counts_drawn=False),
    phases=(*standard.PHASES[:-1], DRAW),
)


@contextmanager
def fallow() -> Iterator[None]:
    """This system is one of those that there are, for a while."""
    with registered(*registry.ALL, FALLOW):
        yield
