"""How the greedy bot plays the cards that lie open in the bean duel, and which hand card it throws away."""

from collections.abc import Mapping

from events import commands as c
from events.bots.greedy.evaluation import Growing, Valuation, growing, valuation_for
from events.bots.greedy.plans import gain_in_order
from events.bots.situation import Play, Situation, cards_of
from events.domain_events import Card

DENIED = 0.5
"""How much of what an open card would be worth to the opponent counts for planting it oneself."""
WORTH_DISCARDING = 0.2
"""A hand card is thrown away where the hand gains so much by it."""
NEXT_CARDS = 3
"""So many cards at the front of the hand are reckoned with."""


def play_offered(situation: Situation) -> c.Command | None:
    """What the opponent left: plant what gains, discard the rest."""
    planting = _best_planting(situation, denied=0.0)
    return planting or next((each for each in situation.legal if isinstance(each, c.DiscardRevealed)), None)


def play_revealed(situation: Situation) -> c.Command:
    """What was revealed: plant what gains, or what the opponent would like; leave the rest on offer."""
    return _best_planting(situation, DENIED) or c.Draw()


def discard_from_hand(situation: Situation) -> c.Command | None:
    """The hand card that is in the way most, if one clearly is."""
    discards = [each for each in situation.legal if isinstance(each, c.Discard)]
    if not discards:
        return None
    valuation, fields = valuation_for(situation), growing(situation.own["fields"])
    hand = situation.own["hand"]["cards"]
    kept = gain_in_order(valuation, fields, (), cards_of(hand))
    best, most = None, WORTH_DISCARDING
    for discard in discards:
        others = [each for each in hand if each["number"] != discard.card]
        gain = gain_in_order(valuation, fields, (), cards_of(others)) - kept
        if gain > most:
            best, most = discard, gain
    return best


def discard_or_reveal(situation: Situation) -> c.Command:
    """After planting from the hand."""
    return discard_from_hand(situation) or c.Reveal()


def _best_planting(situation: Situation, denied: float) -> c.Command | None:
    """The planting that gains most; None where none gains."""
    valuation = valuation_for(situation)
    fields = growing(situation.own["fields"])
    hand = cards_of(situation.own["hand"]["cards"])[:NEXT_CARDS]
    without = gain_in_order(valuation, fields, (), hand)
    best, most = None, 0.0
    for planting in situation.legal:
        if isinstance(planting, c.PlantRevealed):
            card = _card(situation, planting.card)
            gain = gain_in_order(valuation, fields, (card,), hand) - without
            gain += denied * _worth_to_opponent(situation, valuation, card)
            if gain > most:
                best, most = planting, gain
    return best


def _card(situation: Situation, number: int) -> Card:
    card: Card = next(each["card"] for each in situation.view["revealed"] if each["number"] == number)
    return card


def _worth_to_opponent(situation: Situation, valuation: Valuation, card: Card) -> float:
    """What the card adds to a field of the opponent; nothing where it grows nowhere."""
    fields: list[Growing] = [
        field
        for seat in situation.view["seats"]
        if seat["seat"] != situation.seat
        for field in growing(seat["fields"])
    ]
    return max((valuation.growth(card, beans) for grown, beans in fields if grown == card), default=0.0)


PLAYS: Mapping[str, Play] = {
    "offered": play_offered,
    "discard": discard_or_reveal,
    "plant_revealed": play_revealed,
}
"""What to do in the phases that only this game has."""
