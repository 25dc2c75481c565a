"""The two fans of `ladybohn-expansion`: what joins them at the reveal, and swapping a hand for one of them."""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move
from events.rules.phases.drawing import begin_trading
from events.rules.phases.trading import lapse_offers
from events.rules.systems.ladybohn_expansion.errors import HandDoesNotFit, NoSuchFan
from events.rules.systems.ladybohn_expansion.table import table_of
from events.rules.table.state import GameState, NumberedCard

CHOOSING = "fans"
"""The phase in which the active player chooses between the fans."""


# --- at the reveal -----------------------------------------------------------------------------------------


def after_revealing(move: Move) -> None:
    """Put the revealed cards that match on the fans, ladies first; where both fans match, wait for the choice."""
    while (joining := next_to_join(move.rules, move.state)) is not None:
        number, card, fans = joining
        if len(fans) > 1:
            if move.state.phase != CHOOSING:
                move.emit(e.PhaseBegan(CHOOSING))
            return
        move.emit(e.RevealedPutOnFan(move.state.active, number, fans[0], card))
    _overflow(move)
    begin_trading(move)


def next_to_join(rules: Rules, state: GameState) -> tuple[int, e.Card, tuple[int, ...]] | None:
    """The revealed card that joins a fan next, with the fans whose top card is of its variety.

    What joins a fan leaves the variety on its top as it was, so no card can come to match later.
    """
    for number, card in sorted(state.revealed, key=lambda each: _ladies_first(rules, each)):
        matching = tuple(
            place for place, fan in enumerate(fans_of(state)) if rules.variety[fan[0]] == rules.variety[card]
        )
        if matching:
            return number, card, matching
    return None


def _ladies_first(rules: Rules, revealed: NumberedCard) -> tuple[bool, int]:
    number, card = revealed
    return rules.beans[card].sex != "female", number


def _overflow(move: Move) -> None:
    """Each fan gives the cards that it has too many, from its bottom: once, whatever they are."""
    for number, (fan, size) in enumerate(zip(fans_of(move.state), move.rules.setup.fans, strict=True)):
        if len(fan) > size:
            move.emit(e.FanOverflowed(move.state.active, number, fan[size:]))


def choose_fan(move: Move, command: c.ChooseFan) -> None:
    """Say which of the fans the card joins; then the placing goes on."""
    _check_fan(move.state, command.fan)
    joining = next_to_join(move.rules, move.state)
    if joining is not None:
        number, card, _ = joining
        move.emit(e.RevealedPutOnFan(move.seat, number, command.fan, card))
    after_revealing(move)


def legal_choices(_rules: Rules, state: GameState, _seat: int) -> Iterator[c.Command]:
    """Both fans: only where both match there is a choice."""
    for number in range(len(fans_of(state))):
        yield c.ChooseFan(number)


# --- at any time -------------------------------------------------------------------------------------------


def swap_hand(move: Move, command: c.SwapHand) -> None:
    """Swap the whole hand for a fan of the same size, both orders kept; offers with cards of the hand lapse."""
    _check_fan(move.state, command.fan)
    fan, hand = fans_of(move.state)[command.fan], move.own.hand
    if len(hand) != len(fan):
        raise HandDoesNotFit(
            f"Fan {command.fan} has {len(fan)} cards, your hand has {len(hand)}: only equal numbers are swapped."
        )
    move.emit(e.HandSwapped(move.seat, command.fan, tuple(card for _, card in hand), fan))
    lapse_offers(move)


def legal_swaps(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every fan with as many cards as the hand."""
    for number, fan in enumerate(fans_of(state)):
        if len(fan) == len(state.seats[seat].hand):
            yield c.SwapHand(number)


def fans_of(state: GameState) -> tuple[tuple[e.Card, ...], ...]:
    """The fans, top cards first."""
    return table_of(state).fans


def _check_fan(state: GameState, number: int) -> None:
    if not 0 <= number < len(fans_of(state)):
        raise NoSuchFan(f"There are fans 0 to {len(fans_of(state)) - 1}; there is no fan {number}.")


CHOOSE_FAN = Rule(choose_fan, legal_choices)
SWAP_HAND = Rule(swap_hand, legal_swaps, active_only=False)
