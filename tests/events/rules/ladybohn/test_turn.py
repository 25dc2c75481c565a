"""The phases of a turn and their order, planting from the hand, drawing. Sections of the Ladybohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.move import DEALER
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import MISS, MISTER, PLAIN, field_of, table
from tests.support.tables import seat_with

IN_ORDER = ("plant", "reveal", "trade", "plant_aside", "draw")
"""The phases of a turn; revealing and trading are the booklet's second."""


def test_a_turn_has_four_phases_in_this_order() -> None:
    """Déroulement: planting from the hand, revealing and trading, planting what lies aside, drawing."""
    table(hand=(MISTER, "blue_male", "soy_male"), draw_pile=(MISS, MISTER, *(PLAIN,) * 9)) \
        .when(c.Plant(0)).then(e.BeanPlanted(0, 0, MISTER)) \
        .when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue_male"), e.PhaseBegan("reveal")) \
        .when(c.Reveal()).then(e.CardsRevealed(0, (MISS, MISTER)), e.PhaseBegan("trade")) \
        .when(c.EndTrading()).then(e.TradingEnded(0, (MISS, MISTER)), e.PhaseBegan("plant_aside")) \
        .when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, MISS)) \
        .when(c.PlantAside(2, 0)).then(e.AsidePlanted(0, 2, 0, MISTER), e.PhaseBegan("draw")) \
        .when(c.Draw()).then(e.CardsDrawn(0, (PLAIN,) * 3), e.TurnBegan(1, 2), e.PhaseBegan("plant"))  # fmt: skip


@pytest.mark.parametrize(
    ("command", "phases"),
    [
        (c.Plant(0), {"plant"}), (c.Reveal(), {"plant", "reveal"}), (c.Offer(1, revealed=(1,)), {"trade"}),
        (c.EndTrading(), {"trade"}), (c.PlantAside(1, 0), {"plant_aside"}), (c.Draw(), {"draw"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("phase", IN_ORDER)
def test_each_phase_has_its_own_commands(command: c.Command, phases: set[str], phase: str) -> None:
    """Déroulement: what belongs to one phase is refused in the others."""
    before = table(phase=phase, planted=1, revealed=(PLAIN,) if phase == "trade" else (), aside=(PLAIN,))
    if phase in phases:
        before.when(command).then_among_others()
    else:
        before.when(command).then_refused(errors.WrongPhase)


@pytest.mark.parametrize(
    ("phase", "command"),
    [("plant", c.Plant(0)), ("reveal", c.Reveal()), ("trade", c.EndTrading()), ("draw", c.Draw())],
)
def test_the_turn_is_the_active_players(phase: str, command: c.Command) -> None:
    """Déroulement: the four phases are those of the player whose turn it is."""
    table(phase=phase).when(command, by=1).then_refused(errors.NotYourTurn)


# --- phase 1 -----------------------------------------------------------------------------------------------


def test_the_front_card_must_be_planted() -> None:
    """Phase 1: the front card of the hand, no other, and before anything is revealed."""
    before = table(hand=(MISTER, "blue_male", "soy_male"), fields=((), ("blue_male",)))
    before.when(c.Plant(1)).then_refused(errors.FieldHoldsOtherBean)
    before.when(c.Reveal()).then_refused(errors.MustPlantFirst)
    after = before.when(c.Plant(0)).then(e.BeanPlanted(0, 0, MISTER))
    assert after.state.seats[0].hand == ((2, "blue_male"), (3, "soy_male"))


def test_who_has_no_room_must_sell_a_field_first() -> None:
    """Phase 1: where another family grows on every field, one of them is sold whole before the card is planted."""
    before = table(hand=(MISTER, PLAIN), fields=(("blue_male",) * 2, ("soy_male",) * 2))
    before.when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.Plant(1)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.Reveal()).then_refused(errors.MustPlantFirst) \
        .when(c.Harvest(1)).then(e.FieldHarvested(0, 1, ("soy_male",) * 2, 1)) \
        .when(c.Plant(1)).then(e.BeanPlanted(0, 1, MISTER))  # fmt: skip


@pytest.mark.parametrize("protection", ["lenient", "strict"])
def test_a_single_bean_is_protected_from_making_room(protection: str) -> None:
    """Phase 1: the rule about fields with one card holds here too; with one card on each, either may be sold."""
    options: dict[str, str | int | bool] = {"bean_protection": protection}
    table(hand=(MISTER, PLAIN), fields=(("blue_male",), ("soy_male",) * 2), options=options) \
        .when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.Harvest(0)).then_refused(errors.BeanProtected) \
        .when(c.Harvest(1)).then_among_others() \
        .when(c.Plant(1)).then(e.BeanPlanted(0, 1, MISTER))  # fmt: skip
    for number in (0, 1):
        singles = table(hand=(MISTER, PLAIN), fields=(("blue_male",), ("soy_male",)), options=options)
        singles.when(c.Harvest(number)).then_among_others() \
            .when(c.Plant(number)).then(e.BeanPlanted(0, number, MISTER))  # fmt: skip


def test_the_second_card_may_be_planted_and_a_third_may_not() -> None:
    """Phase 1: the card that is now in front, by the same rules, or not at all."""
    first = table(hand=(MISTER, "blue_male", "soy_male")).when(c.Plant(0)).then(e.BeanPlanted(0, 0, MISTER))
    first.when(c.Reveal()).then(e.CardsRevealed(0, (PLAIN,) * 2), e.PhaseBegan("trade"))
    first.when(c.Plant(0)).then_refused(errors.FieldHoldsOtherBean) \
        .when(c.Plant(1)).then(e.BeanPlanted(0, 1, "blue_male"), e.PhaseBegan("reveal")) \
        .when(c.Plant(1)).then_refused(errors.WrongPhase)  # fmt: skip


def test_without_a_hand_phase_1_is_skipped() -> None:
    """Phase 1: judged when the turn begins; the turn then begins with revealing."""
    table(phase="draw", others={1: seat_with()}) \
        .when(c.Draw()).then(e.CardsDrawn(0, (PLAIN,) * 3), e.TurnBegan(1, 2), e.PhaseBegan("reveal")) \
        .when(c.Plant(0)).then_refused(errors.WrongPhase) \
        .when(c.Reveal()).then(e.CardsRevealed(1, (PLAIN,) * 2), e.PhaseBegan("trade"))  # fmt: skip


def test_a_field_takes_as_many_cards_of_its_family_as_there_are() -> None:
    """Les champs de haricots: a field has no largest size."""
    grown = (MISTER,) * 5 + (MISS,) + ("red_baby",)
    after = table(hand=("red_baby", PLAIN), fields=(grown, ())).when(c.Plant(0)).then_among_others()
    assert field_of(after) == (*grown, "red_baby")


# --- phase 4 -----------------------------------------------------------------------------------------------


def test_three_cards_join_the_back_of_the_hand_as_they_were_drawn() -> None:
    """Phase 4: one by one behind the others; nobody but their owner sees them."""
    after = (
        table(phase="draw", hand=("blue_male",), draw_pile=(MISS, "soy_baby", MISTER, PLAIN))
        .when(c.Draw())
        .then_among_others(e.CardsDrawn(0, (MISS, "soy_baby", MISTER)))
    )
    assert after.state.seats[0].hand == ((1, "blue_male"), (2, MISS), (3, "soy_baby"), (4, MISTER))
    assert after.state.draw_pile == (PLAIN,)
    assert e.CardsDrawn.private == {"cards": "seat"}


@pytest.mark.parametrize(("active", "following"), [(0, 1), (1, 2), (2, 0)])
def test_then_it_is_the_turn_of_the_player_to_the_left(active: int, following: int) -> None:
    """Phase 4: with the three cards the turn is over."""
    table(phase="draw", active=active).when(c.Draw()).then(
        e.CardsDrawn(active, (PLAIN,) * 3), e.TurnBegan(following, 2), e.PhaseBegan("plant")
    )


def test_an_exhausted_pile_is_made_anew_from_the_discards() -> None:
    """Phase 4: shuffled at once, by the dealer; the draw goes on from the new pile, which lies face down."""
    after = table(phase="draw", draw_pile=(MISTER,), discard_pile=(PLAIN, MISS, "soy_baby")) \
        .when(c.Draw()).then(
            e.CardsDrawn(0, (MISTER,)), e.PileExhausted("draw", 1), e.DealerCalled("shuffle", "draw", "draw", 0, 2)) \
        .when(c.Say("go on"), by=1).then_refused(errors.DealerMustAct) \
        .when(c.Shuffle("draw", (PLAIN, MISS, MISS)), by=DEALER).then_refused(errors.NotAPermutation) \
        .when(c.Shuffle("draw", (MISS, "soy_baby", PLAIN)), by=DEALER).then(
            e.PileShuffled("draw", 2, (MISS, "soy_baby", PLAIN)), e.CardsDrawn(0, (MISS, "soy_baby")),
            e.TurnBegan(1, 2), e.PhaseBegan("plant"))  # fmt: skip
    view = player_view(after.state, PUBLIC)
    assert (view["draw_pile"], view["discard_pile"]) == ({"size": 1, "exhaustions": 1}, [])
