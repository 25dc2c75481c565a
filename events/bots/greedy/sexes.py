"""What the sexes change in the greedy bot's play, where it otherwise thinks in varieties.

The top card of a field decides what it pays. So a female is worth having on top when a field is sold: it is planted
last, babies move it up, a rotation may bring it back, and a field under it is sold before it is covered again.
"""

from events import commands as c
from events.bots.greedy.evaluation import EMPTY_FIELD, valuation_for
from events.bots.situation import Situation
from events.rules.definition.rule_system import Rules

WORTH_SELLING = 0.3
"""A field with a female on top is sold where that is so much better than letting it grow."""
_PLANTED_FIRST = ("baby", "", "male", "female")
"""Of what lies aside for one field a baby goes first, because it moves a miss, and a female last, to stay on top."""


def move_miss(situation: Situation) -> c.Command | None:
    """A miss goes as far up as a trade lets her."""
    moves = [each for each in situation.legal if isinstance(each, c.MoveMiss)]
    return max(moves, key=lambda move: (move.miss + move.places, move.places), default=None)


def sold_female(situation: Situation, thought: Situation) -> c.Command | None:
    """Sell a field with a female on top that is worth more now than by growing on; `thought` is in varieties."""
    for number, field in enumerate(situation.own["fields"]):
        harvest = c.Harvest(number)
        if field and situation.rules.beans[field[-1]].sex == "female" and harvest in situation.legal:
            grown = valuation_for(thought).worth((situation.rules.variety[field[-1]], len(field)))
            if thought.own["pays"][number] >= grown - EMPTY_FIELD + WORTH_SELLING:
                return harvest
    return None


def with_sexes(situation: Situation, chosen: c.Command | None) -> c.Command | None:
    """The command chosen, with the best card for it, the best move of a miss, or the best rotation."""
    if not _has_sexes(situation.rules):
        return chosen
    match chosen:
        case c.Plant(field):
            plants = [each for each in situation.legal if isinstance(each, c.Plant) and each.field == field]
            return max(plants, key=_height, default=chosen)
        case c.PlantAside(_, field):
            return _best_aside(situation, field) or chosen
        case c.Harvest():
            return _best_rotation(situation, chosen)
        case _:
            return chosen


def _has_sexes(rules: Rules) -> bool:
    """Whether some cards of the game have a sex."""
    return any(bean.sex for bean in rules.beans.values())


def _best_aside(situation: Situation, field: int) -> c.PlantAside | None:
    sexes = {each["number"]: situation.rules.beans[each["card"]].sex for each in situation.own["aside"]}
    chosen = [each for each in situation.legal if isinstance(each, c.PlantAside) and each.field == field]
    if not situation.own["fields"][field]:
        return None
    return max(
        chosen, key=lambda each: (-_PLANTED_FIRST.index(sexes[each.card]), _height(each)), default=None
    )


def _height(planting: c.Plant | c.PlantAside) -> int:
    """How high the miss stands that a planting moves; as low as can be where it moves none."""
    return -1 if planting.miss is None else planting.miss + planting.places


def _best_rotation(situation: Situation, harvest: c.Harvest) -> c.Harvest:
    """The harvest with the rotation after which another field pays most more than now; without one if none does."""
    ways = [
        each
        for each in situation.legal
        if isinstance(each, c.Harvest) and (each.field, each.reward) == (harvest.field, harvest.reward)
    ]
    return max(
        ways, key=lambda each: (_compute_gain(situation, each.rotate), each.rotate is None), default=harvest
    )


def _compute_gain(situation: Situation, rotated: int | None) -> int:
    """How much more a field pays when its top card goes to the bottom."""
    if rotated is None:
        return 0
    field = tuple(situation.own["fields"][rotated])
    after = (field[-1], *field[:-1])
    return situation.rules.coins_for(after) - situation.rules.coins_for(field)
