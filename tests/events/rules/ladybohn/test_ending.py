"""How a game ends: when, how the fields are sold, who wins. Sections of the Ladybohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
from tests.support.tables import seat_with

GARDEN, LADY = "garden_male", "garden_female"
LAST = 2
"""Exhaustions before the one that ends the game."""


@pytest.mark.parametrize("pile", [1, 2, 3])
def test_the_third_exhaustion_ends_the_game_at_once_in_phase_4(pile: int) -> None:
    """Fin de la partie: nothing more is drawn, no new pile is made; also where the last card owed was the last."""
    table(
        phase="draw", draw_pile=(MISTER,) * pile, discard_pile=(PLAIN,) * 9, exhaustions=LAST, coins=(PLAIN,)
    ).when(c.Draw()).then(
        e.CardsDrawn(0, (MISTER,) * pile),
        e.PileExhausted("draw", 3),
        e.GameEnded((1, 0, 0), (0,), "exhausted_while_drawing"),
        e.DealerCalled("secret"),
    )  # fmt: skip


@pytest.mark.parametrize("before", [0, 1])
def test_the_first_two_exhaustions_do_not_end_it(before: int) -> None:
    """Fin de la partie: it ends with the third draw pile only."""
    table(phase="draw", draw_pile=(MISTER,) * 3, exhaustions=before).when(c.Draw()).then_among_others(
        e.PileExhausted("draw", before + 1), e.TurnBegan(1, 2)
    )


def test_run_out_in_phase_2_the_turn_goes_on_to_the_end_of_phase_3() -> None:
    """Fin de la partie: one card is revealed where there is only one; trading and planting are still played."""
    table(phase="reveal", draw_pile=(MISTER,), discard_pile=(PLAIN,) * 9, exhaustions=LAST) \
        .when(c.Reveal()).then(e.CardsRevealed(0, (MISTER,)), e.PileExhausted("draw", 3), e.PhaseBegan("trade")) \
        .when(c.Offer(1, revealed=(1,))).then_among_others() \
        .when(c.Accept(1), by=1).then_among_others() \
        .when(c.EndTrading()).then(e.TradingEnded(0, ()), e.PhaseBegan("plant_aside")) \
        .when(c.PlantAside(1, 0), by=1).then(
            e.AsidePlanted(1, 1, 0, MISTER), e.FieldHarvested(1, 0, (MISTER,), 0, final=True),
            e.GameEnded((0, 0, 0), (0,), "exhausted_before_drawing"), e.DealerCalled("secret"))  # fmt: skip


def test_all_fields_are_sold_without_protection_and_hands_count_for_nothing() -> None:
    """Fin de la partie: single beans too, from the active player on; most coins win, however many cards one held."""
    others = {
        1: seat_with((PLAIN,) * 7, ((MISTER,), (PLAIN,) * 3)),
        2: seat_with((), ((MISS,), ("blue_male",) * 4)),
    }
    table(phase="draw", draw_pile=(BABY,), exhaustions=LAST, others=others, fields=((BABY,), (MISTER,) * 2)) \
        .when(c.Draw()).then(
            e.CardsDrawn(0, (BABY,)), e.PileExhausted("draw", 3),
            e.FieldHarvested(0, 0, (BABY,), 0, final=True),
            e.FieldHarvested(0, 1, (MISTER,) * 2, 1, final=True),
            e.FieldHarvested(1, 0, (MISTER,), 0, final=True),
            e.FieldHarvested(1, 1, (PLAIN,) * 3, 1, final=True),
            e.FieldHarvested(2, 0, (MISS,), 1, final=True),
            e.FieldHarvested(2, 1, ("blue_male",) * 4, 1, final=True),
            e.GameEnded((1, 1, 2), (2,), "exhausted_while_drawing"), e.DealerCalled("secret"))  # fmt: skip


@pytest.mark.parametrize(("seat", "phase"), [(0, "plant"), (1, "trade"), (1, "plant_aside")])
def test_the_last_exhaustion_by_a_harvest_lets_phase_3_be_finished(seat: int, phase: str) -> None:
    """Fin de la partie: whoever caused it, the turn goes on to the end of phase 3."""
    others = {seat: seat_with(hand=(PLAIN, PLAIN), fields=((GARDEN, LADY), ()), aside=())}
    others[2] = seat_with(aside=(MISTER,)) if phase == "plant_aside" else seat_with(hand=(PLAIN,))
    after = (
        table(phase=phase, others=others, draw_pile=(MISS,) * 3, exhaustions=LAST)
        .when(c.Harvest(0), by=seat)
        .then(e.FieldPaidFromPiles(seat, 0, (GARDEN, LADY), (), (MISS,) * 3), e.PileExhausted("draw", 3))
    )
    if phase == "plant":
        after = after.when(c.Plant(0)).then_among_others() \
            .when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("trade"))  # fmt: skip
    if phase == "plant_aside":
        after.when(c.PlantAside(1, 0), by=2).then_among_others(e.DealerCalled("secret"))
    else:
        after.when(c.EndTrading()).then_among_others(e.DealerCalled("secret"))


def test_the_last_exhaustion_after_phase_3_ends_the_game_at_once() -> None:
    """Fin de la partie: nothing lies aside any more, so it ends with the harvest; no card is drawn."""
    after = (
        table(
            phase="draw", others={1: seat_with(fields=((LADY,), ()))}, draw_pile=(MISS,) * 2, exhaustions=LAST
        )
        .when(c.Harvest(0), by=1)
        .then(
            e.FieldPaidFromPiles(1, 0, (LADY,), (), (MISS,) * 2),
            e.PileExhausted("draw", 3),
            e.CoinsShown(1, (0, 1), (MISS, MISS)),
            e.GameEnded((0, 2, 0), (1,), "exhausted_before_drawing"),
            e.DealerCalled("secret"),
        )
    )
    assert player_view(after.state, PUBLIC)["seats"][1]["coins"] == [MISS, MISS]


def test_fields_paid_from_the_piles_are_harvested_last_of_all() -> None:
    """Fin de la partie, rules of the house: seats clockwise, then these fields in the same order, uncounted."""
    others = {1: seat_with(fields=((MISTER, MISTER), (GARDEN, LADY))), 0: seat_with(fields=((PLAIN,), ()))}
    table(
        active=2, phase="draw", hand=(), others=others, fields=((LADY,), ("soy_male",) * 2), draw_pile=(MISS,) * 2,
        exhaustions=LAST,
    ).when(c.Draw()).then(
        e.CardsDrawn(2, (MISS, MISS)),
        e.PileExhausted("draw", 3),
        e.FieldHarvested(2, 1, ("soy_male",) * 2, 1, final=True),
        e.FieldHarvested(0, 0, (PLAIN,), 0, final=True),
        e.FieldHarvested(1, 0, (MISTER, MISTER), 1, final=True),
        e.FieldPaidFromPiles(2, 0, (LADY,), (MISTER, PLAIN), final=True),
        e.FieldPaidFromPiles(1, 1, (GARDEN, LADY), (LADY, "soy_male"), (), 1, final=True),
        e.GameEnded((0, 4, 3), (1,), "exhausted_while_drawing"),
        e.DealerCalled("secret"),
    )  # fmt: skip


def test_at_the_end_open_moves_lapse_and_all_coins_are_shown() -> None:
    """Rules of the house: what nobody had seen lies open once the game is over; draws then count for nothing."""
    others = {1: seat_with(coins=(MISTER, MISS)), 2: seat_with(fields=((LADY,), ()))}
    before = table(
        phase="plant_aside", aside=(PLAIN,), others=others, exhaustions=3, draw_pile=(BABY, MISS),
        open_moves=((0, 0),), unseen=((1, 1),), fields=((MISS, BABY), ()),
    )  # fmt: skip
    before.when(c.PlantAside(1, 1)).then(
        e.AsidePlanted(0, 1, 1, PLAIN),
        e.MissMovesLapsed(0, 0),
        e.FieldHarvested(0, 0, (MISS, BABY), 0, final=True),
        e.FieldHarvested(0, 1, (PLAIN,), 0, final=True),
        e.FieldPaidFromPiles(2, 0, (LADY,), (PLAIN, BABY), final=True),
        e.CoinsShown(1, (1,), (MISS,)),
        e.GameEnded((0, 2, 2), (1, 2), "exhausted_before_drawing"),
        e.DealerCalled("secret"),
    )


def test_what_the_final_harvest_draws_is_no_exhaustion() -> None:
    """Rules of the house: the game is over, whatever the payments leave of the piles."""
    table(phase="plant_aside", aside=(LADY,), exhaustions=3, draw_pile=(MISS, BABY)).when(
        c.PlantAside(1, 0)
    ).then(
        e.AsidePlanted(0, 1, 0, LADY),
        e.FieldPaidFromPiles(0, 0, (LADY,), (), (MISS, BABY), final=True),
        e.CoinsShown(0, (0, 1), (MISS, BABY)),
        e.GameEnded((2, 0, 0), (0,), "exhausted_before_drawing"),
        e.DealerCalled("secret"),
    )


def test_most_cards_in_hand_break_a_tie() -> None:
    """Fin de la partie: among those with the same and most coins, whoever held the most cards."""
    others = {1: seat_with(coins=(MISTER,), hand=(PLAIN,) * 2), 2: seat_with(coins=(MISS,), hand=(PLAIN,))}
    table(phase="draw", hand=(PLAIN,) * 9, others=others, draw_pile=(MISS,), exhaustions=LAST).when(
        c.Draw()
    ).then_among_others(e.GameEnded((0, 1, 1), (1,), "exhausted_while_drawing"))


def test_who_is_level_in_coins_and_cards_wins_together() -> None:
    """Rules of the house: what cards in hand don't settle is a shared victory; only the hand counts for it."""
    others = {1: seat_with((PLAIN, MISS), coins=(MISTER,)), 2: seat_with((PLAIN, BABY), coins=(MISS,))}
    table(
        phase="plant_aside", hand=(PLAIN,), coins=(MISTER,), aside=(BABY,), others=others, exhaustions=3
    ).when(c.PlantAside(1, 0)).then_among_others(e.GameEnded((1, 1, 1), (1, 2), "exhausted_before_drawing"))
