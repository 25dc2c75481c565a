"""How the bot that looks ahead plays `the-duel`: by plans; what it may think about besides is compared with them."""

from collections.abc import Callable, Iterable, Mapping
from statistics import fmean
from typing import NamedTuple

from events import commands as c
from events.bots.lookahead.duelling.gifts import Gifts
from events.bots.lookahead.duelling.plans import Plans, Step, lying_before
from events.bots.lookahead.duelling.prospects import Prospects
from events.bots.situation import Situation
from events.bots.systems.the_duel.duelling import play_duel
from events.domain_events.base import Card
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.table.state import GameState, NumberedCard

Play = Callable[[Prospects], c.Command | None]


class Planned(NamedTuple):
    """A command, and what the best plan that begins with it comes to."""

    command: c.Command
    coins: float


def play_shrewdly(situation: Situation, state: GameState) -> c.Command | None:
    """Plan where the phase calls for it; claims, full fields and all else are as the greedy bot's."""
    play = _PLAYS.get(state.phase)
    if play is None or not situation.awaited or _is_plain(situation, state):
        return play_duel(situation)
    return play(Prospects(situation, state))


def _is_plain(situation: Situation, state: GameState) -> bool:
    """Whether a bonus card can be claimed, or a field can grow no dearer and may be harvested."""
    rules, fields = situation.rules, state.seats[situation.seat].fields
    full = [
        c.Harvest(number)
        for number, field in enumerate(fields)
        if field and rules.coins_for(field) == rules.pay[field[-1]][-1]
    ]
    return any(isinstance(each, c.ClaimBonus) or each in full for each in situation.legal)


def plans_from(situation: Situation, state: GameState) -> list[Planned]:
    """What there is to plant, the best plan first, which is played; none where nothing is planned."""
    weigh = _WEIGHED.get(state.phase)
    if weigh is None or not situation.awaited or _is_plain(situation, state):
        return []
    return weigh(Prospects(situation, state))


def _weigh_hand(prospects: Prospects) -> list[Planned]:
    """Plant the front card where that and the second one come to most; the second one only where it gains."""
    hand = tuple(card for _, card in prospects.state.seats[prospects.seat].hand)
    if not hand:
        return []
    is_second = prospects.state.planted
    ways = Plans(prospects, prospects.seat).ways(hand[0], () if is_second else hand[1:2])
    found = [
        Planned(c.Harvest(way.field) if way.harvest else c.Plant(way.field), worth) for worth, way in ways
    ]
    if is_second:
        found.append(Planned(c.Reveal(), prospects.worth(prospects.fields, prospects.held)))
    return _best_first(found)


def _weigh_aside(prospects: Prospects) -> list[Planned]:
    """Begin the best plan for what lies there."""
    plans = Plans(prospects, prospects.seat).all(lying_before(prospects, prospects.seat))
    return _best_first(Planned(_begin(prospects, step), worth) for worth, step in plans)


def _best_first(planned: Iterable[Planned]) -> list[Planned]:
    """Each command once, with the best plan that begins with it."""
    found: dict[c.Command, Planned] = {}
    for each in sorted(planned, key=lambda each: -each.coins):
        found.setdefault(each.command, each)
    return [*found.values()]


def _begin(prospects: Prospects, step: Step) -> c.Command:
    """The command with which a plan begins."""
    if step.harvest and step.field is not None:
        return c.Harvest(step.field)
    if step.pool == "aside" and step.field is not None:
        return c.PlantAside(_number(prospects.state.seats[prospects.seat].aside, step.card), step.field)
    number = _number(prospects.state.revealed, step.card)
    return c.DiscardRevealed(number) if step.field is None else c.PlantRevealed(number, step.field)


def _plant_from_hand(prospects: Prospects) -> c.Command:
    planned = _weigh_hand(prospects)
    return planned[0].command if planned else c.Reveal()


def _plant_aside(prospects: Prospects) -> c.Command | None:
    planned = _weigh_aside(prospects)
    return planned[0].command if planned else None


def _number(cards: Iterable[NumberedCard], variety: Card) -> int:
    return next(number for number, card in cards if card == variety)


def _decide(prospects: Prospects) -> c.Command:
    """Discard the bonus card that promises least, where one that nobody has seen promises more."""
    hopes = {each: prospects.hope(each, prospects.fields) for each in prospects.held}
    worst = min(hopes, key=lambda each: hopes[each], default=None)
    drawn = [prospects.hope(each, prospects.fields) for each in prospects.unseen]
    return c.DiscardBonus(worst) if worst and drawn and hopes[worst] < fmean(drawn) else c.KeepBonus()


_PLAYS: Mapping[str, Play] = {
    "plant": _plant_from_hand,
    "offer_gift": lambda prospects: Gifts(prospects).offer(),
    "answer_gift": lambda prospects: Gifts(prospects).answer(duel_of(prospects.state).gifts[-1].variety),
    "plant_aside": _plant_aside,
    "bonus": _decide,
}
"""What is planned, by the phase."""
_WEIGHED: Mapping[str, Callable[[Prospects], list[Planned]]] = {
    "plant": _weigh_hand,
    "plant_aside": _weigh_aside,
}
"""Where plans are compared with each other, by the phase."""
