"""How the greedy bot offers gifts, answers them and bluffs in `the-duel`.

Two play, so what the one loses the other wins: everything is weighed by how far it moves the two apart, in coins.
What the opponent holds is not known; how likely it holds a bean follows from the cards in sight.
"""

from collections.abc import Iterable

from events import commands as c
from events.bots.greedy.counting import outlook
from events.bots.situation import Situation, cards_of
from events.bots.systems.the_duel.worth import best_gain
from events.domain_events import Card

BLUFF_CALLED = 2.0
"""What an accepted bluff moves: a coin that the one loses and the other gets."""
IN_HAND = 0.5
"""How much a hand card counts that is kept: its turn to be planted has still to come."""
REFUSED = 0.3
"""What it is worth that a gift is refused: now the opponent has to offer something."""
TAKES_IT = 0.75
"""A gift is taken for certain where it gains a quarter of a coin, and never where it costs so much."""
CANDOUR = 0.25
"""How often somebody bluffs with a variety it does not hold, for each time it offers one that it holds."""


def offer_gift(situation: Situation) -> c.Command | None:
    """Push the first gift card: the one that promises most."""
    return _best(situation, [each for each in situation.legal if isinstance(each, c.OfferGift)])[1]


def answer_gift(situation: Situation) -> c.Command | None:
    """Accept what is worth more than the best gift to offer in return, be it a bluff."""
    variety = situation.view["duel"]["gifts"][-1]["variety"]
    real = likely_real(situation, variety)
    accepted = real * best_gain(situation, situation.seat, variety) + (1 - real) * BLUFF_CALLED
    promised, counter = _best(
        situation, [each for each in situation.legal if isinstance(each, c.CounterGift)]
    )
    return c.AcceptGift() if counter is None or accepted >= promised else counter


def give(situation: Situation) -> c.Command | None:
    """Hand over a revealed card before one of the hand."""
    gifts = (c.GiveRevealed, c.GiveFromHand)
    return next((each for each in situation.legal if isinstance(each, gifts)), None)


def likely_real(situation: Situation, variety: Card) -> float:
    """How likely the opponent holds the bean that it offers: certain where it cannot bluff, or shows the bean."""
    other = situation.view["seats"][1 - situation.seat]
    shown = () if situation.active else cards_of(situation.view["revealed"])
    if variety in shown or not other["coins"]:
        return 1.0
    held: float = 1 - (1 - outlook(situation).share(variety)) ** other["hand"]["size"]
    return held / (held + (1 - held) * CANDOUR) if held else 0.0


def _best(
    situation: Situation, pushes: Iterable[c.OfferGift | c.CounterGift]
) -> tuple[float, c.Command | None]:
    """The gift card to push, and what it promises."""
    weighed = [(_promise(situation, each.variety), each) for each in pushes]
    return max(weighed, key=lambda each: each[0], default=(0.0, None))


def _promise(situation: Situation, variety: Card) -> float:
    """What pushing a gift card promises: what happens if it is accepted, and if it is not, as likely as that is."""
    theirs = best_gain(situation, 1 - situation.seat, variety)
    taken = min(1.0, max(0.0, theirs + TAKES_IT))
    kept = _value_gift(situation, variety)
    accepted = -BLUFF_CALLED if kept is None else -theirs - kept
    return taken * accepted + (1 - taken) * REFUSED


def _value_gift(situation: Situation, variety: Card) -> float | None:
    """What the bean that would be given away is worth to its giver; None where there is none: a bluff."""
    gain = best_gain(situation, situation.seat, variety)
    if situation.active and variety in cards_of(situation.view["revealed"]):
        return gain
    return IN_HAND * gain if variety in cards_of(situation.own["hand"]["cards"]) else None
