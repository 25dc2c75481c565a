"""How the greedy bot plays where fields grow several varieties and gifts are offered: `the-duel`.

Bonus cards are claimed at once. A bean is worth what it adds to the field that it fits best; unwanted beans are
offered, a gift is accepted where it does no harm, and a bluff is the last resort.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from events import commands as c
from events.domain_events import Card
from service.bots.evaluation import EMPTY_FIELD, between
from service.bots.situation import Situation, cards_of

COMING = 1.2
"""So many more cards a field may be expected to get."""
HARMLESS = -0.25
"""A gift is accepted unless it costs more than this."""
BLUFF_CALLED = 2.0
"""What an accepted bluff costs: a coin that the other one gets."""
HOPELESS = 3
"""A bonus card is discarded when so many of its symbols are missing everywhere."""

Fields = Sequence[Sequence[Card]]


def play_duel(situation: Situation) -> c.Command | None:
    """Claim what can be claimed; harvest what can grow no dearer; else the play of the phase."""
    claim = next((each for each in situation.legal if isinstance(each, c.ClaimBonus)), None)
    if claim is not None or not situation.awaited:
        return claim
    for number, field in enumerate(situation.own["fields"]):
        if field and _pay(situation, field) == situation.rules.pay[field[-1]][-1]:
            harvest = c.Harvest(number)
            if harvest in situation.legal:
                return harvest
    play = _PLAYS.get(situation.view["phase"])
    return play(situation) if play is not None else None


# --- what beans are worth ----------------------------------------------------------------------------------


def _pay(situation: Situation, field: Sequence[Card]) -> int:
    return situation.rules.pay[field[-1]][len(field)] if field else 0


def _worth(situation: Situation, field: Sequence[Card]) -> float:
    """What a field may be expected to pay in the end."""
    if not field:
        return EMPTY_FIELD
    pay = situation.rules.pay[field[-1]]
    return max(float(pay[len(field)]), between(pay, min(len(field) + COMING, len(pay) - 1)))


def _gain(situation: Situation, field: Sequence[Card], card: Card) -> float:
    return _worth(situation, (*field, card)) - _worth(situation, field)


def _best_gain(situation: Situation, seat: int, card: Card) -> float:
    """What a card adds to the fields of a seat, with a harvest where it fits nowhere."""
    fields: Fields = situation.view["seats"][seat]["fields"]
    rules = situation.rules
    opened = rules.system.fields_for
    numbers = opened(rules, tuple(map(tuple, fields)), card) if opened is not None else ()
    if numbers:
        return max(_gain(situation, fields[number], card) for number in numbers)
    return max(_gain(situation, (), card) - _loss(situation, field) for field in fields)


def _loss(situation: Situation, field: Sequence[Card]) -> float:
    """What harvesting a field now gives up."""
    return _worth(situation, field) - _pay(situation, field) - EMPTY_FIELD


# --- planting ----------------------------------------------------------------------------------------------


def _plant_from_hand(situation: Situation) -> c.Command | None:
    hand = cards_of(situation.own["hand"]["cards"])
    plants = [(each.field, each) for each in situation.legal if isinstance(each, c.Plant)]
    optional = c.Reveal() in situation.legal
    gain, plant = _best(situation, [(hand[0], field, each) for field, each in plants])
    if plant is not None and (not optional or gain > 0):
        return plant
    return c.Reveal() if optional else _make_room(situation)


def _plant_aside(situation: Situation) -> c.Command | None:
    revealed = {each["number"]: each["card"] for each in situation.view["revealed"]}
    aside = {each["number"]: each["card"] for each in situation.own["aside"]}
    ways: list[tuple[Card, int, c.Command]] = []
    for each in situation.legal:
        if isinstance(each, c.PlantRevealed):
            ways.append((revealed[each.card], each.field, each))
        elif isinstance(each, c.PlantAside):
            ways.append((aside[each.card], each.field, each))
    gain, plant = _best(situation, ways)
    if plant is not None and gain > 0:
        return plant
    discards = [each for each in situation.legal if isinstance(each, c.DiscardRevealed)]
    worst = min(
        discards, key=lambda each: _best_gain(situation, situation.seat, revealed[each.card]), default=None
    )
    if worst is not None and _best_gain(situation, situation.seat, revealed[worst.card]) < 0:
        return worst
    return plant or _make_room(situation)


def _best(
    situation: Situation, ways: Sequence[tuple[Card, int, c.Command]]
) -> tuple[float, c.Command | None]:
    """The planting that gains most: ways are a card, a field and the command."""
    fields: Fields = situation.own["fields"]
    weighed = [(_gain(situation, fields[field], card), command) for card, field, command in ways]
    return max(weighed, key=lambda each: each[0], default=(0.0, None))


def _make_room(situation: Situation) -> c.Command | None:
    harvests = [each for each in situation.legal if isinstance(each, c.Harvest)]
    fields: Fields = situation.own["fields"]
    return min(harvests, key=lambda each: _loss(situation, fields[each.field]), default=None)


# --- gifts -------------------------------------------------------------------------------------------------


def _offer(situation: Situation) -> c.Command | None:
    offers = {each.variety: each for each in situation.legal if isinstance(each, c.OfferGift)}
    chosen = _least_wanted(situation, list(offers))
    return None if chosen is None else offers[chosen]


def _answer(situation: Situation) -> c.Command | None:
    variety = situation.view["duel"]["gifts"][-1]["variety"]
    if _best_gain(situation, situation.seat, variety) > HARMLESS:
        return c.AcceptGift()
    counters = {each.variety: each for each in situation.legal if isinstance(each, c.CounterGift)}
    chosen = _least_wanted(situation, list(counters))
    return c.AcceptGift() if chosen is None else counters[chosen]


def _least_wanted(situation: Situation, varieties: Sequence[Card]) -> Card | None:
    """The variety to offer: best if neither wants it; a bluff only what the other will hardly accept."""
    held = {*cards_of(situation.own["hand"]["cards"])}
    if situation.active:
        held |= {*cards_of(situation.view["revealed"])}
    other = next(seat for seat in range(len(situation.view["seats"])) if seat != situation.seat)

    def weight(variety: Card) -> float:
        theirs = _best_gain(situation, other, variety)
        if variety in held:
            return -theirs - _best_gain(situation, situation.seat, variety)
        return -BLUFF_CALLED - theirs

    return max(varieties, key=weight, default=None)


def _give(situation: Situation) -> c.Command | None:
    gifts = (c.GiveRevealed, c.GiveFromHand)
    return next((each for each in situation.legal if isinstance(each, gifts)), None)


# --- bonus cards -------------------------------------------------------------------------------------------


def _decide(situation: Situation) -> c.Command | None:
    """Discard the bonus card of which most is missing, where that is much."""
    discards = [each for each in situation.legal if isinstance(each, c.DiscardBonus)]
    worst = max(discards, key=lambda each: _missing(situation, each.bonus), default=None)
    if worst is not None and _missing(situation, worst.bonus) >= HOPELESS:
        return worst
    return c.KeepBonus()


def _missing(situation: Situation, bonus: Card) -> int:
    """How many symbols have still to be planted, on whichever field has the most of them on top."""
    sequence = situation.rules.bonus[bonus].sequence
    fields = [field for seat in situation.view["seats"] for field in seat["fields"]]
    return min(len(sequence) - _begun(sequence, tuple(field)) for field in fields)


def _begun(sequence: tuple[Card, ...], field: tuple[Card, ...]) -> int:
    """How many of the first symbols are the top cards of a field."""
    most = min(len(sequence), len(field))
    return max((size for size in range(1, most + 1) if field[-size:] == sequence[:size]), default=0)


_PLAYS: Mapping[str, Callable[[Situation], c.Command | None]] = MappingProxyType(
    {
        "plant": _plant_from_hand,
        "reveal": lambda _: c.Reveal(),
        "offer_gift": _offer,
        "answer_gift": _answer,
        "give": _give,
        "plant_aside": _plant_aside,
        "draw": lambda _: c.Draw(),
        "bonus": _decide,
    }
)
"""What to do in each phase."""
