"""Babies that were traded or given are planted by the trade itself. Section: Phase 2, Négociation des bébés."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules.systems.ladybohn.errors import NoMoveOpen
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, field_of, given_baby, table, trading
from tests.support.tables import seat_with


def test_a_baby_is_planted_by_the_trade_where_its_family_grows() -> None:
    """Négociation des bébés: at once, on the field of its family."""
    after = given_baby()
    assert field_of(after, 2) == (MISTER, MISS, MISTER, BABY)
    assert after.state.seats[2].aside == ()


def test_the_active_player_plants_received_babies_too() -> None:
    """Négociation des bébés: whoever receives it; without a miss on the field there is nothing to move."""
    after = (
        trading(fields=(("soy_male",), ()))
        .when(c.Offer(2, hand=(1,), want={"soy": 1}))
        .then_among_others()
        .when(c.Accept(1, hand=(2,)), by=2)
        .then(
            e.TradeMade(1, 0, 2, (MISTER,), ("soy_baby",), (1,), (), (2,)),
            e.AsidePlanted(0, 1, 0, "soy_baby"),
        )
    )
    assert [card for _, card in after.state.seats[2].aside] == [MISTER]


@pytest.mark.parametrize(("giver", "receiver"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("gift", [True, False])
def test_a_baby_is_planted_by_trades_and_gifts_both_ways(giver: int, receiver: int, *, gift: bool) -> None:
    """Négociation des bébés: the active player and the others alike; it is planted there and nowhere else."""
    seats = {giver: seat_with((BABY,)), receiver: seat_with((PLAIN,), ((), (MISTER, MISTER)))}
    want = {} if gift else {"green": 1}
    after = (
        table(phase="trade", others=seats)
        .when(c.Offer(receiver, hand=(1,), want=want), by=giver)
        .then_among_others()
        .when(c.Accept(1, hand=() if gift else (1,)), by=receiver)
        .then_among_others(e.AsidePlanted(receiver, 1, 1, BABY))
    )
    assert field_of(after, receiver, 1) == (MISTER, MISTER, BABY)
    assert after.state.seats[receiver].aside == ()
    assert after.state.seats[giver].aside == (() if gift else ((1, PLAIN),))


def test_a_baby_without_a_field_of_its_family_waits_for_phase_3() -> None:
    """Négociation des bébés: as usual then."""
    trading().when(c.Offer(1, hand=(2,))).then_among_others() \
        .when(c.Accept(1), by=1).then(e.TradeMade(1, 0, 1, (BABY,), (), (2,))) \
        .when(c.EndTrading()).then_among_others(e.PhaseBegan("plant_aside")) \
        .when(c.PlantAside(1, 0), by=1).then(e.AsidePlanted(1, 1, 0, BABY))  # fmt: skip


def test_baby_and_mister_together_help_the_receiver_little() -> None:
    """Rapprochement des miss, the hint: the baby is planted first, the mister follows in phase 3 and covers it."""
    after = trading().when(c.Offer(2, hand=(1, 2))).then_among_others() \
        .when(c.Accept(1), by=2).then(
            e.TradeMade(1, 0, 2, (MISTER, BABY), (), (1, 2)),
            e.AsidePlanted(2, 2, 0, BABY), e.MissMoveOpened(2, 0)) \
        .when(c.EndTrading()).then_among_others(e.PhaseBegan("plant_aside")) \
        .when(c.PlantAside(1, 0), by=2).then(e.AsidePlanted(2, 1, 0, MISTER), e.MissMovesLapsed(2, 0))  # fmt: skip
    assert field_of(after, 2) == (MISTER, MISS, MISTER, BABY, MISTER)


def test_two_babies_of_one_trade_leave_two_moves() -> None:
    """Rapprochement des miss: one for each baby, in both directions of the trade."""
    after = trading().when(c.Offer(2, hand=(2,), revealed=(1,), want={"soy": 1})).then_among_others() \
        .when(c.Accept(1, hand=(2,)), by=2) \
        .then_among_others(e.MissMoveOpened(2, 0), e.MissMoveOpened(2, 0)) \
        .when(c.MoveMiss(0, 1, 2), by=2).then(e.MissMoved(2, 0, 1, 2, owed=True)) \
        .when(c.MoveMiss(0, 3, 1), by=2).then(e.MissMoved(2, 0, 3, 1, owed=True)) \
        .when(c.MoveMiss(0, 3, 1), by=2).then_refused(NoMoveOpen)  # fmt: skip
    assert field_of(after, 2) == (MISTER, MISTER, BABY, BABY, MISS)


def test_a_revealed_baby_that_is_kept_is_planted_in_phase_3() -> None:
    """Négociation des bébés: it was neither traded nor given."""
    kept = (
        trading(fields=((MISTER,), ()))
        .when(c.EndTrading())
        .then(e.TradingEnded(0, (BABY, "blue_male")), e.PhaseBegan("plant_aside"))
    )
    kept.when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, BABY))
