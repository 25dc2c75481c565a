"""How the bot that looks ahead plays `the-duel`: by plans; what it may think about besides is compared with them."""

from collections.abc import Callable, Iterable, Mapping
from statistics import fmean

from events import commands as c
from events.bots.lookahead.duelling.gifts import Gifts
from events.bots.lookahead.duelling.plans import Plans, lying_before
from events.bots.lookahead.duelling.prospects import Prospects
from events.bots.situation import Situation
from events.bots.systems.the_duel.duelling import play_duel
from events.domain_events.base import Card
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.table.state import GameState, NumberedCard

Play = Callable[[Prospects], c.Command | None]


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


def _plant_from_hand(prospects: Prospects) -> c.Command | None:
    """Plant the front card where that and the second one come to most; the second one only where it gains."""
    hand = tuple(card for _, card in prospects.state.seats[prospects.seat].hand)
    if not hand:
        return c.Reveal()
    following = () if prospects.state.planted else hand[1:2]
    worth, way = Plans(prospects, prospects.seat).best_way(hand[0], following)
    if prospects.state.planted and worth < prospects.worth(prospects.fields, prospects.held):
        return c.Reveal()
    return c.Harvest(way.field) if way.harvest else c.Plant(way.field)


def _plant_aside(prospects: Prospects) -> c.Command | None:
    """Begin the best plan for what lies there."""
    _, step = Plans(prospects, prospects.seat).best(lying_before(prospects, prospects.seat))
    if step is None:
        return None
    if step.harvest and step.field is not None:
        return c.Harvest(step.field)
    if step.pool == "aside" and step.field is not None:
        return c.PlantAside(_number(prospects.state.seats[prospects.seat].aside, step.card), step.field)
    number = _number(prospects.state.revealed, step.card)
    return c.DiscardRevealed(number) if step.field is None else c.PlantRevealed(number, step.field)


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
