"""Counting cards, as every player may: which are still to come, and how much of the game is left."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from events.bots.situation import Situation, cards_of
from events.domain_events import Card


@dataclass(frozen=True, slots=True)
class Outlook:
    """What may still come."""

    unseen: Counter[Card]
    """Cards of each variety in the draw pile and in the other players' hands."""
    hidden: int
    """How many cards that is."""
    to_come: int
    """How many cards will still be turned up or drawn, as far as can be told."""

    def share(self, card: Card) -> float:
        """How much of what is unseen is of this variety."""
        return self.unseen[card] / self.hidden if self.hidden else 0.0


def outlook(situation: Situation) -> Outlook:
    """Count what this seat can see."""
    seen = Counter(_collect_seen(situation))
    unseen = Counter({card: copies - seen[card] for card, copies in situation.rules.copies.items()})
    return Outlook(unseen, unseen.total(), _to_come(situation))


def _collect_seen(situation: Situation) -> list[Card]:
    view = situation.view
    seen = [*view["discard_pile"], *cards_of(view["revealed"]), *cards_of(situation.own["hand"]["cards"])]
    for fan in view.get("fans", ()):
        seen += fan
    for seat in view["seats"]:
        seen += seat["coins"]
        seen += cards_of(seat["aside"])
        for field in seat["fields"]:
            seen += field
    for seat, cards in _count_offered(view["offers"]).items():
        if seat != situation.seat:
            seen += cards.elements()
    return seen


def _count_offered(offers: list[dict[str, Any]]) -> dict[int, Counter[Card]]:
    """The hand cards that each seat has shown by offering them; several offers may name the same ones."""
    shown: dict[int, Counter[Card]] = {}
    for offer in offers:
        shown.setdefault(offer["seat"], Counter())
        shown[offer["seat"]] |= Counter[Card](offer["hand_cards"])
    return shown


def _to_come(situation: Situation) -> int:
    """The draw pile, and for each reshuffle left a pile that shrinks as cards become coins."""
    view, setup = situation.view, situation.rules.setup
    pile: int = view["draw_pile"]["size"]
    reshuffles = max(0, setup.exhaustions - 1 - view["draw_pile"]["exhaustions"])
    in_play = sum(situation.rules.copies.values()) - sum(len(seat["coins"]) for seat in view["seats"])
    shrinks = 0.6
    return pile + round(sum(in_play * shrinks**nth for nth in range(1, reshuffles + 1)))
