"""How the bot that looks ahead plans in `the-duel`: several cards at once, bonus cards, what may yet come."""

from dataclasses import replace

import pytest

from events import commands as c
from events.bots.lookahead.duelling.plans import Lying, Plans, Step
from events.bots.lookahead.duelling.prospects import Prospects
from events.bots.lookahead.duelling.shrewd_play import play_shrewdly
from events.domain_events import Card
from events.rules.systems.the_duel.table import DuelSeat
from events.rules.table.state import Field
from events.rules.table.veiled import veil
from tests.events.bots.situations import situation_at
from tests.support.duels import given_duel, side
from tests.support.given import Given


def prospects_at(before: Given) -> Prospects:
    """What seat 0 may expect there."""
    return Prospects(situation_at(before), veil(before.state, 0))


def choice_at(before: Given) -> c.Command | None:
    """What the bot does on seat 0, if it thinks no further."""
    situation = replace(situation_at(before), table=veil(before.state, 0))
    assert situation.table is not None
    return play_shrewdly(situation, situation.table)


def planting(
    fields: tuple[Field, ...], revealed: tuple[Card, ...], bonus: tuple[Card, ...] = (), pile: int = 60
) -> Given:
    """Seat 0 has to plant what was revealed, and may discard one card."""
    return given_duel(
        side(("blue",), fields),
        side(("blue",)),
        phase="plant_aside",
        revealed=revealed,
        bonus=(DuelSeat(bonus=bonus), DuelSeat()),
        draw_pile=("chili",) * pile,
    )


def test_it_plants_in_the_order_that_finishes_a_bonus_card() -> None:
    """Soy before green, whichever lies first: black-eyed, soy, green is on a bonus card in hand."""
    fields = (("black_eyed",) * 2, ("blue",) * 3, ("chili",) * 3)
    before = planting(fields, ("green", "soy"), ("c40_345",))
    assert choice_at(before) == c.PlantRevealed(2, 0)
    assert choice_at(
        planting((fields[0] + ("soy",), *fields[1:]), ("green",), ("c40_345",))
    ) == c.PlantRevealed(1, 0)


def test_a_bonus_card_that_is_covered_afterwards_was_claimed_on_the_way() -> None:
    """A plan earns it at once, and what follows on that field does not take it back."""
    before = planting(
        (("black_eyed", "soy"), ("garden",) * 2, ("blue",) * 3), ("green", "green"), ("c40_345",)
    )
    prospects = prospects_at(before)
    plans = Plans(prospects, 0)
    with_it = plans.best(Lying(("green", "green")))[0]
    without = Plans(prospects_at(planting(prospects.fields, ("green", "green"))), 0)
    assert with_it - without.best(Lying(("green", "green")))[0] == pytest.approx(1.4, abs=0.01)


def test_it_discards_what_would_cost_a_field() -> None:
    """A blue bean goes on none of these fields, which are about to pay more."""
    before = planting((("green",) * 4, ("stink",) * 4, ("soy",) * 3), ("blue",))
    value, step = Plans(prospects_at(before), 0).best(Lying(("blue",), (), 1))
    assert step == Step("blue", "revealed", None)
    assert value > Plans(prospects_at(before), 0).best(Lying(("blue",), (), 0))[0]


def test_it_changes_a_bonus_card_for_one_that_may_promise_more() -> None:
    """Of a long sequence of which nothing lies anywhere; not one that lacks a single symbol."""
    hopeless, begun = "c100_123456", "c40_567"
    fields: tuple[Field, ...] = (("green", "stink"), ("stink",) * 2, ("chili",) * 2)

    def deciding(*bonus: Card) -> Given:
        seats = (DuelSeat(bonus=bonus), DuelSeat(decided=True))
        return given_duel(side(("chili",), fields), side(("blue",)), phase="bonus", bonus=seats)

    assert choice_at(deciding(begun, hopeless)) == c.DiscardBonus(hopeless)
    assert choice_at(deciding(begun)) == c.KeepBonus()


def test_what_may_still_come_counts_less_towards_the_end() -> None:
    """With an empty pile a field is worth what it pays, and a bonus card what lies there."""
    fields = (("soy",) * 4, ("green",) * 3, ())
    early, late = (prospects_at(planting(fields, ("blue",), ("c40_345",), pile)) for pile in (60, 0))
    assert early.worth(fields, early.held) > late.worth(fields, late.held) == 3.0


def test_it_gives_what_it_cannot_use_in_place_of_bluffing() -> None:
    """It gives what is in its own way, though it could bluff with what nobody can use."""
    soy: tuple[Field, ...] = (("soy",) * 3,) * 3
    able = given_duel(side(("soy", "blue"), soy, ("garden",)), side(("red",), soy), phase="offer_gift")
    assert choice_at(able) == c.OfferGift("blue")
