"""The events of `bean-duel`: how they read, and on which tables they make sense."""

from collections.abc import Callable
from typing import Any

from events import domain_events as e
from events.rules.rule_system import Rules
from events.rules.state import GameState
from replay.report import Discrepancy
from replay.words import Words, player

# --- how they read -----------------------------------------------------------------------------------------


def _discards_joined(words: Words, _state: GameState, event: e.DiscardsJoined) -> str:
    join = "joins" if len(event.cards) == 1 else "join"
    return f"From the top of the discard pile {words.cards(event.cards)} {join} the revealed cards."


def _revealed_planted(words: Words, state: GameState, event: e.RevealedPlanted) -> str:
    card = words.count(1, event.card)
    return f"{player(state, event.seat)} planted {card} that lay open on field {event.field}."


def _revealed_discarded(words: Words, state: GameState, event: e.RevealedDiscarded) -> str:
    return f"{player(state, event.seat)} discarded {words.count(1, event.card)} that lay open."


def _hand_card_discarded(words: Words, state: GameState, event: e.HandCardDiscarded) -> str:
    return f"{player(state, event.seat)} discarded {words.count(1, event.card)} from the hand."


SENTENCES: dict[type[e.DomainEvent], Callable[[Words, GameState, Any], str]] = {
    e.DiscardsJoined: _discards_joined,
    e.RevealedPlanted: _revealed_planted,
    e.RevealedDiscarded: _revealed_discarded,
    e.HandCardDiscarded: _hand_card_discarded,
}
"""One sentence per event type."""

# --- on which tables they make sense -----------------------------------------------------------------------


def _joined(rules: Rules, state: GameState, event: e.DiscardsJoined) -> None:
    top = state.discard_pile[::-1][: len(event.cards)]
    if not event.cards or event.cards != top:
        raise Discrepancy("fold", "the cards that joined did not lie on top of the discard pile")
    varieties = {rules.variety[card] for _, card in state.revealed}
    if not varieties.issuperset(rules.variety[card] for card in event.cards):
        raise Discrepancy("fold", "a card joined that matches no revealed one")


def _lay_open(_rules: Rules, state: GameState, event: e.RevealedPlanted | e.RevealedDiscarded) -> None:
    if (event.number, event.card) not in state.revealed:
        raise Discrepancy("fold", f"{event.card} did not lie open as number {event.number}")


def _was_in_hand(_rules: Rules, state: GameState, event: e.HandCardDiscarded) -> None:
    may_be = {
        card for number, card in state.seats[event.seat].hand if event.number in (number, e.UNKNOWN_NUMBER)
    }
    if not may_be.intersection({event.card, e.UNKNOWN_CARD}):
        raise Discrepancy("fold", f"seat {event.seat} had no such {event.card} in hand")


CHECKS: dict[type[e.DomainEvent], Callable[[Rules, GameState, Any], None]] = {
    e.DiscardsJoined: _joined,
    e.RevealedPlanted: _lay_open,
    e.RevealedDiscarded: _lay_open,
    e.HandCardDiscarded: _was_in_hand,
}
"""The check of each event type."""
