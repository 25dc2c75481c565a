"""The piles that the dealer shuffles: which cards the one due must consist of, and how often it was shuffled.

A pile is known by the name that stands in its shuffles' purpose, `<pile>/<number>`.
"""

from typing import TYPE_CHECKING

from events.domain_events.base import Card
from events.rules.state import GameState

if TYPE_CHECKING:
    from events.rules.rule_system import Rules

DRAW_PILE = "draw"
BONUS_PILE = "bonus"


def cards_to_shuffle(rules: "Rules", state: GameState) -> tuple[Card, ...]:
    """The cards of the shuffle that is due, in their order before it.

    A whole deck, a discard pile, or what is left of a pile that is dealt anew since the game went back.
    """
    due = state.due
    dealing = due is not None and due.purpose == "deal"
    if due is not None and state.redeal[:1] == (due.pile,):
        return cards_in(state, due.pile)
    if due is not None and due.pile == BONUS_PILE:
        return rules.bonus_deck if dealing or state.duel is None else state.duel.discards
    return rules.deck if dealing else state.discard_pile


def cards_in(state: GameState, pile: str) -> tuple[Card, ...]:
    """What lies in the pile, top card first."""
    if pile == BONUS_PILE:
        return state.duel.pile if state.duel is not None else ()
    return state.draw_pile


def shuffles_of(state: GameState, pile: str) -> int:
    """How often the pile was shuffled."""
    if pile == BONUS_PILE:
        return state.duel.shuffles if state.duel is not None else 0
    return state.shuffles
