"""How the greedy bot plays where fields grow several varieties and gifts are offered: `the-duel`.

Bonus cards are claimed at once. A bean is planted where it adds most, and discarded where it would only cost.
"""

from collections.abc import Mapping, Sequence

from events import commands as c
from events.bots.situation import Play, Situation, cards_of
from events.bots.systems.the_duel.gifts import answer_gift, give, offer_gift
from events.bots.systems.the_duel.worth import begun, best_gain, fields_of, gain, loss, pays
from events.domain_events import Card

HOPELESS = 3
"""A bonus card is discarded when so many of its symbols are missing everywhere."""


def play_duel(situation: Situation) -> c.Command | None:
    """Claim what can be claimed; harvest what can grow no dearer; else the play of the phase."""
    claim = next((each for each in situation.legal if isinstance(each, c.ClaimBonus)), None)
    if claim is not None or not situation.awaited:
        return claim
    for number, field in enumerate(situation.own["fields"]):
        if field and pays(situation, field) == situation.rules.pay[field[-1]][-1]:
            harvest = c.Harvest(number)
            if harvest in situation.legal:
                return harvest
    play = _PLAYS.get(situation.view["phase"])
    return play(situation) if play is not None else None


# --- planting ----------------------------------------------------------------------------------------------


def _plant_from_hand(situation: Situation) -> c.Command | None:
    hand = cards_of(situation.own["hand"]["cards"])
    plants = [(each.field, each) for each in situation.legal if isinstance(each, c.Plant)]
    optional = c.Reveal() in situation.legal
    added, plant = _best(situation, [(hand[0], field, each) for field, each in plants])
    if plant is not None and (not optional or added > 0):
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
    added, plant = _best(situation, ways)
    if plant is not None and added > 0:
        return plant
    discards = [each for each in situation.legal if isinstance(each, c.DiscardRevealed)]
    worst = min(
        discards, key=lambda each: best_gain(situation, situation.seat, revealed[each.card]), default=None
    )
    if worst is not None and best_gain(situation, situation.seat, revealed[worst.card]) < 0:
        return worst
    return plant or _make_room(situation)


def _best(
    situation: Situation, ways: Sequence[tuple[Card, int, c.Command]]
) -> tuple[float, c.Command | None]:
    """The planting that gains most: ways are a card, a field and the command."""
    fields = fields_of(situation, situation.seat)
    weighed = [
        (gain(situation, situation.seat, fields[field], card), command) for card, field, command in ways
    ]
    return max(weighed, key=lambda each: each[0], default=(0.0, None))


def _make_room(situation: Situation) -> c.Command | None:
    harvests = [each for each in situation.legal if isinstance(each, c.Harvest)]
    fields = fields_of(situation, situation.seat)
    return min(harvests, key=lambda each: loss(situation, situation.seat, fields[each.field]), default=None)


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
    return min(len(sequence) - begun(sequence, field) for field in fields)


_PLAYS: Mapping[str, Play] = {
    "plant": _plant_from_hand,
    "reveal": lambda _: c.Reveal(),
    "offer_gift": offer_gift,
    "answer_gift": answer_gift,
    "give": give,
    "plant_aside": _plant_aside,
    "draw": lambda _: c.Draw(),
    "bonus": _decide,
}
"""What to do in each phase."""
