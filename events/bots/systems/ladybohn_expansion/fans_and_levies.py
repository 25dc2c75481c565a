"""How the greedy bot chooses between fans, swaps its hand for one, and levies coins, in `ladybohn-expansion`."""

from collections.abc import Sequence

from events import commands as c
from events import domain_events as e
from events.bots.greedy.evaluation import growing, valuation_for
from events.bots.greedy.plans import gain_of_planting
from events.bots.situation import Situation, cards_of
from events.domain_events import Card

WORTH_SWAPPING = 0.5
"""The hand is swapped for a fan that gains so much more."""


def choose_fan(situation: Situation) -> c.Command | None:
    """Both fans match: the card joins the one that then gives up the better card."""
    fans, sizes = situation.view["fans"], situation.rules.setup.fans
    choices = [each for each in situation.legal if isinstance(each, c.ChooseFan)]
    return max(
        choices, key=lambda each: _worth(situation, [fans[each.fan][sizes[each.fan] - 1]]), default=None
    )


def swap_hand(situation: Situation) -> c.Command | None:
    """The swap for a fan that fits the fields clearly better than the hand; at most one in a turn."""
    swaps = [each for each in situation.legal if isinstance(each, c.SwapHand)]
    if not swaps or _has_swapped(situation):
        return None
    fans = situation.view["fans"]
    best = max(swaps, key=lambda each: _worth(situation, hand=fans[each.fan]))
    hand = cards_of(situation.own["hand"]["cards"])
    gained = _worth(situation, hand=fans[best.fan]) - _worth(situation, hand=hand)
    return best if gained >= WORTH_SWAPPING else None


def levy(situation: Situation) -> c.Command | None:
    """Take from as many as possible, the richest of those who can be named."""
    seats = situation.view["seats"]
    levies = [each for each in situation.legal if isinstance(each, c.Levy)]

    def wealth(each: c.Levy) -> tuple[int, int]:
        return len(each.seats), sum(len(seats[seat]["coins"]) for seat in each.seats)

    return max(levies, key=wealth, default=None)


def _has_swapped(situation: Situation) -> bool:
    return any(
        isinstance(each, e.HandSwapped) and each.seat == situation.seat for each in situation.turn_events
    )


def _worth(situation: Situation, more: Sequence[Card] = (), hand: Sequence[Card] = ()) -> float:
    """What the own fields gain from the cards aside, more like these, and this hand."""
    aside = (*cards_of(situation.own["aside"]), *more)
    return gain_of_planting(valuation_for(situation), growing(situation.own["fields"]), aside, hand)
