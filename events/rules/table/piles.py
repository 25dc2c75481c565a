"""The piles that the dealer shuffles: which cards the one due must consist of, and how often it was shuffled.

A pile is known by the name that stands in its shuffles' purpose, `<pile>/<number>`.
"""

from typing import TYPE_CHECKING

from events.domain_events.base import Card
from events.rules.table.addition import BONUS_PILE, DRAW_PILE, Pile
from events.rules.table.state import GameState

if TYPE_CHECKING:
    from events.rules.definition.rule_system import Rules

_NOT_LAID_YET = Pile((), (), 0)


def pile_of(state: GameState, name: str) -> Pile:
    """The pile with the discards beside it: the draw pile, or one of the game's own."""
    addition = state.addition
    own = addition.piles().get(name) if addition is not None else None
    if own is not None:
        return own
    return _NOT_LAID_YET if name == BONUS_PILE else Pile(state.draw_pile, state.discard_pile, state.shuffles)


def shuffles_of(state: GameState, name: str) -> int:
    """How often the pile was shuffled."""
    return pile_of(state, name).shuffles


def cards_to_shuffle(rules: "Rules", state: GameState) -> tuple[Card, ...]:
    """The cards of the shuffle that is due, in their order before it.

    A whole deck, a discard pile, or what is left of a pile that is dealt anew since the game went back.
    """
    due = state.due
    name = due.pile if due is not None else DRAW_PILE
    pile = pile_of(state, name)
    if due is not None and state.redeal[:1] == (name,):
        return pile.cards
    if pile is _NOT_LAID_YET or (due is not None and due.purpose == "deal"):
        return rules.bonus_deck if name == BONUS_PILE else rules.deck
    return pile.discards
