"""Negotiating by family, babies planted by the trade itself, and the moves they leave. Sections of the booklet."""

from typing import Any

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.disclosure import PUBLIC
from events.rules import errors
from events.rules.decide import decide
from events.rules.legal import legal_commands
from events.rules.player_view import player_view
from tests.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, field_of, table
from tests.support.given import Given
from tests.support.tables import seat_with


def trading(**asked: Any) -> Given:
    """Phase 2: the active player has three cards, seat 1 two, seat 2 grows red beans with a miss among them."""
    others = {
        1: seat_with(hand=("soy_female", "soy_male")),
        2: seat_with(hand=(PLAIN, "soy_baby"), fields=((MISTER, MISS, MISTER), ())),
    }
    settings: dict[str, Any] = {
        "phase": "trade",
        "hand": (MISTER, BABY, MISS),
        "revealed": (BABY, "blue_male"),
        "others": others,
    }
    return table(**(settings | asked))


# --- families only -----------------------------------------------------------------------------------------


def test_an_offer_names_families_only() -> None:
    """Phase 2, Important: only the variety is said, in an order that gives nothing away."""
    offered = (
        trading(hand=(MISTER, BABY, "blue_baby", MISS))
        .when(c.Offer(1, hand=(4, 3, 2)))
        .then(e.OfferMade(1, 0, 1, (2, 3, 4), ("blue", "red", "red")))
    )
    for viewer in (PUBLIC, 1, 2):
        view = player_view(offered.state, viewer)
        assert view["offers"][0]["hand_cards"] == ["blue", "red", "red"]
        assert "hand" not in view["offers"][0]
        assert (
            "red_baby" not in msgspec.json.encode({**view, "revealed": [], "seats": view["offers"]}).decode()
        )
    for seat in (1, 2):
        assert "_baby" not in str(legal_commands(offered.rules, offered.state, seat))


def test_wants_are_by_family_and_any_member_pays() -> None:
    """Phase 2, Important: what is asked for is a variety; a mister, a miss and a baby all fulfil it."""
    asked = trading().when(c.Offer(1, revealed=(2,), want={"soy": 1})).then_among_others()
    trading().when(c.Offer(1, revealed=(2,), want={"soy_female": 1})).then_refused(errors.NoSuchVariety)
    for number, card in ((1, "soy_female"), (2, "soy_male")):
        asked.when(c.Accept(1, hand=(number,)), by=1).then(
            e.TradeMade(1, 0, 1, ("blue_male",), (card,), (), (2,), (number,))
        )


def test_refusing_a_payment_tells_no_sex_either() -> None:
    """Phase 2, Important: who can't pay learns the family that is wanted, and what they hold themselves."""
    offered = trading().when(c.Offer(2, hand=(3,), want={"blue": 1})).then_among_others()
    offered.when(c.Accept(1), by=2).then_refused(errors.PaymentMismatch)
    with pytest.raises(errors.PaymentMismatch) as refused:
        decide(offered.rules, offered.state, 2, c.Accept(1))
    assert "female" not in str(refused.value)


def test_the_trade_shows_the_cards() -> None:
    """Phase 2: the cards lie open once the trade is made."""
    trading().when(c.Offer(1, hand=(3,), want={"soy": 2})).then_among_others() \
        .when(c.Accept(1, hand=(1, 2)), by=1) \
        .then(e.TradeMade(1, 0, 1, (MISS,), ("soy_male", "soy_female"), (3,), (), (1, 2)))  # fmt: skip


# --- babies ------------------------------------------------------------------------------------------------


def given_baby() -> Given:
    """The active player gave seat 2 a red baby, planted on its red field with a miss."""
    offered = trading().when(c.Offer(2, hand=(2,))).then_among_others()
    return offered.when(c.Accept(1), by=2).then(
        e.TradeMade(1, 0, 2, (BABY,), (), (2,)), e.AsidePlanted(2, 1, 0, BABY), e.MissMoveOpened(2, 0)
    )


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
        .when(c.MoveMiss(0, 3, 1), by=2).then_refused(errors.NoMoveOpen)  # fmt: skip
    assert field_of(after, 2) == (MISTER, MISTER, BABY, BABY, MISS)


def test_a_revealed_baby_that_is_kept_is_planted_in_phase_3() -> None:
    """Négociation des bébés: it was neither traded nor given."""
    kept = (
        trading(fields=((MISTER,), ()))
        .when(c.EndTrading())
        .then(e.TradingEnded(0, (BABY, "blue_male")), e.PhaseBegan("plant_aside"))
    )
    kept.when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, BABY))


# --- the move that a trade leaves --------------------------------------------------------------------------


def test_the_owner_moves_a_miss_whenever_they_like() -> None:
    """Rapprochement des miss: it blocks nobody; also past the baby, to the top."""
    after = given_baby().when(c.MoveMiss(0, 1, 2), by=2).then(e.MissMoved(2, 0, 1, 2, owed=True))
    assert field_of(after, 2) == (MISTER, MISTER, BABY, MISS)
    later = given_baby().when(c.EndTrading()).then_among_others(e.PhaseBegan("plant_aside"))
    later.when(c.MoveMiss(0, 1, 1), by=2).then(e.MissMoved(2, 0, 1, 1, owed=True))


def test_it_is_shown_to_everybody() -> None:
    """Everything on the table is: who may move a miss, and where."""
    assert player_view(given_baby().state, PUBLIC)["miss_moves"] == [{"seat": 2, "field": 0}]


def test_nobody_else_has_that_move() -> None:
    """Rapprochement des miss: the field's owner, on this field."""
    given_baby().when(c.MoveMiss(0, 1, 1), by=1).then_refused(errors.NoMoveOpen) \
        .when(c.MoveMiss(1, 1, 1), by=2).then_refused(errors.NoMoveOpen) \
        .when(c.MoveMiss(2, 1, 1), by=2).then_refused(errors.NoSuchField)  # fmt: skip


@pytest.mark.parametrize(
    ("miss", "places", "error"),
    [(1, 3, errors.BadMove), (1, 0, errors.BadMove), (0, 1, errors.NotAMiss), (9, 1, errors.NotAMiss)],
)
def test_it_moves_a_miss_one_or_two_places(miss: int, places: int, error: type[errors.RuleViolation]) -> None:
    """Rapprochement des miss: as with any baby."""
    given_baby().when(c.MoveMiss(0, miss, places), by=2).then_refused(error)


def test_it_is_not_listed_without_a_use() -> None:
    """Rules of the house: a miss on the top can go nowhere; a baby on her makes the move useful again."""
    useless = table(phase="trade", open_moves=((0, 0),), fields=((MISTER, MISS), ()))
    useless.when(c.MoveMiss(0, 1, 1)).then_refused(errors.BadMove)
    useful = table(phase="trade", open_moves=((0, 0),), fields=((MISTER, MISS, BABY), ()))
    useful.when(c.MoveMiss(0, 1, 1)).then(e.MissMoved(0, 0, 1, 1, owed=True))


def test_a_baby_planted_there_keeps_it_open() -> None:
    """Rules of the house: only a card other than a baby closes it."""
    before = table(
        phase="plant_aside", open_moves=((0, 0),), aside=(BABY, PLAIN), fields=((MISS, MISTER), ())
    )
    before.when(c.PlantAside(1, 0, 0, 2)).then(e.AsidePlanted(0, 1, 0, BABY), e.MissMoved(0, 0, 0, 2)) \
        .when(c.MoveMiss(0, 2, 1)).then_refused(errors.BadMove) \
        .when(c.PlantAside(2, 1)).then(e.AsidePlanted(0, 2, 1, PLAIN), e.PhaseBegan("draw"))  # fmt: skip


def test_another_card_planted_there_closes_it() -> None:
    """Rules of the house: until a card other than a baby is planted there; other fields don't matter."""
    before = table(
        phase="plant_aside", open_moves=((0, 0),), aside=(MISTER, PLAIN), fields=((MISS, BABY), ())
    )
    before.when(c.PlantAside(2, 1)).then(e.AsidePlanted(0, 2, 1, PLAIN)) \
        .when(c.PlantAside(1, 0)).then(
            e.AsidePlanted(0, 1, 0, MISTER), e.MissMovesLapsed(0, 0), e.PhaseBegan("draw")) \
        .when(c.MoveMiss(0, 0, 1)).then_refused(errors.NoMoveOpen)  # fmt: skip


def test_the_harvest_closes_it() -> None:
    """Rules of the house: or until the field is harvested."""
    given_baby().when(c.Harvest(0), by=2).then(
        e.FieldHarvested(2, 0, (MISTER, MISS, MISTER, BABY), 0), e.MissMovesLapsed(2, 0)
    ).when(c.MoveMiss(0, 0, 1), by=2).then_refused(errors.NoMoveOpen)


def test_the_end_of_the_turn_closes_it() -> None:
    """Rules of the house: or until the turn ends."""
    before = table(phase="draw", open_moves=((0, 0), (0, 0), (2, 1)), fields=((MISS, BABY), ()))
    before.when(c.Draw()).then(
        e.CardsDrawn(0, (PLAIN,) * 3),
        e.MissMovesLapsed(0, 0),
        e.MissMovesLapsed(2, 1),
        e.TurnBegan(1, 2),
        e.PhaseBegan("plant"),
    )
