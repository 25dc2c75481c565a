"""Phase 4, the end of the game and the final harvest. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules.move import DEALER
from events.rules.phases.final_harvest import best_order
from events.rules.state import Field
from tests.rules.ladybohn_expansion.tables import (
    BLUE,
    BLUE_LADY,
    CHILI,
    GREEN,
    MAKE_UP,
    RED,
    SOY,
    SOY_LADY,
    STINK,
    STINK_LADY,
    added,
    rules_of_lady_bohn,
    table,
)
from tests.support.given import Given
from tests.support.tables import seat_with

# --- phase 4 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("active", [0, 2])
def test_everybody_draws_exactly_one_card_the_active_player_first(active: int) -> None:
    """The play course, C: clockwise from the player in turn, to the back of the hand."""
    at = table(phase="draw", active=active, draw_pile=(BLUE, RED, SOY, GREEN))
    second, third = (active + 1) % 3, (active + 2) % 3
    after = at.when(c.Draw()).then(
        e.CardsDrawn(active, (BLUE,)),
        e.CardsDrawn(second, (RED,)),
        e.CardsDrawn(third, (SOY,)),
        e.TurnBegan(second, 2),
        e.PhaseBegan("plant"),
    )
    assert [seat.hand[-1][1] for seat in after.state.seats][active] == BLUE


@pytest.mark.parametrize("left", [1, 2, 3])
def test_a_shuffle_in_the_middle_goes_on_with_who_is_next(left: int) -> None:
    """House: the pile is refilled the moment it empties, and the draw under way goes on."""
    pile, fresh = (BLUE, RED, SOY)[:left], (STINK, CHILI, GREEN, GREEN)
    at = table(phase="draw", draw_pile=pile, discard_pile=fresh)
    drawn = [e.CardsDrawn(seat, (card,)) for seat, card in enumerate(pile)]
    called = e.DealerCalled("shuffle", "draw", "draw", left - 1, 0)
    at = at.when(c.Draw()).then(*drawn, e.PileExhausted("draw", 1), called)
    rest = [e.CardsDrawn(seat, (fresh[seat - left],)) for seat in range(left, 3)]
    at.when(c.Shuffle("draw", fresh), by=DEALER).then(
        e.PileShuffled("draw", 2, fresh), *rest, e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )


def test_empty_draws_yield_nothing() -> None:
    """House: with nothing to draw and nothing to shuffle the others get nothing."""
    at = table(phase="draw", draw_pile=(BLUE,), discard_pile=(), exhaustions=0)
    at.when(c.Draw()).then(
        e.CardsDrawn(0, (BLUE,)), e.PileExhausted("draw", 1), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )


# --- when it ends ------------------------------------------------------------------------------------------


def test_the_turn_in_which_the_pile_runs_out_is_played_to_its_end() -> None:
    """End of the game: exhausted for the third time at the reveal, phases 3 and 4 are still played."""
    at = table(phase="reveal", hand=(), draw_pile=(RED, CHILI), exhaustions=2)
    at = at.when(c.Reveal()).then(
        e.CardsRevealed(0, (RED, CHILI)), e.PileExhausted("draw", 3), e.PhaseBegan("trade")
    )
    at = at.when(c.EndTrading()).then(e.TradingEnded(0, (RED, CHILI)), e.PhaseBegan("plant_aside"))
    at = at.when(c.PlantAside(1, 0)).then_among_others()
    at = at.when(c.PlantAside(2, 1)).then_among_others(e.PhaseBegan("draw"))
    after = at.when(c.Draw()).then_among_others(
        e.GameEnded((0, 0, 0), (0, 1, 2), "exhausted_in_this_turn"), e.DealerCalled("secret")
    )
    assert after.state.status == "ended"


def test_with_nothing_aside_phase_4_still_comes() -> None:
    """End of the game: neither ending of the basic game applies."""
    at = table(phase="trade", exhaustions=3, draw_pile=())
    at.when(c.EndTrading()).then(e.TradingEnded(0, ()), e.PhaseBegan("draw"))


def test_levies_are_still_taken_in_the_last_turn() -> None:
    """End of the game: the turn ends after the levies."""
    at = table(
        phase="draw", draw_pile=(BLUE,), exhaustions=2, levies=(0,), others={1: seat_with(coins=(RED,))}
    )
    at = at.when(c.Draw()).then(e.CardsDrawn(0, (BLUE,)), e.PileExhausted("draw", 3), e.PhaseBegan("levy"))
    at.when(c.Levy((1,))).then_among_others(
        e.CoinsLevied(0, (1,), (RED,)), e.GameEnded((1, 0, 0), (0,), "exhausted_in_this_turn")
    )


def test_the_second_exhaustion_is_not_the_end() -> None:
    """End of the game: emptied for the third time."""
    at = table(phase="draw", draw_pile=(BLUE, BLUE, BLUE), discard_pile=(), exhaustions=1)
    at.when(c.Draw()).then_among_others(e.PileExhausted("draw", 2), e.TurnBegan(1, 2))


# --- the final harvest -------------------------------------------------------------------------------------


def last_turn(*fields: tuple[Field, ...], coins: tuple[tuple[str, ...], ...] = (), **more: object) -> Given:
    """The last turn, in which nothing is left but to draw nothing; the fields and coins of each seat."""
    stacks = coins or ((),) * len(fields)
    others = {seat: seat_with(fields=fields[seat], coins=stacks[seat]) for seat in range(1, len(fields))}
    return table(
        phase="draw",
        draw_pile=(),
        exhaustions=3,
        hand=(),
        players=len(fields),
        fields=fields[0],
        coins=stacks[0],
        others=others,
        **more,  # type: ignore[arg-type]
    )


def test_andreas_five_make_up_beans() -> None:
    """End of the game, the worked example: Andrea has 5, Beate 1, Christa 1 and Dora none; Dora alone pays."""
    one = ((MAKE_UP,), ())
    at = last_turn(((MAKE_UP,) * 5, ()), one, one, ((), ()), coins=((), (RED,), (SOY,), (BLUE, RED)))
    at.when(c.Draw()).then(
        e.FieldHarvested(0, 0, (MAKE_UP,) * 5, 1, final=True),
        e.LevyEarned(0),
        e.FieldHarvested(1, 0, (MAKE_UP,), 0, final=True),
        e.FieldHarvested(2, 0, (MAKE_UP,), 0, final=True),
        e.CoinsLevied(0, (3,), (RED,), final=True),
        e.GameEnded((2, 1, 1, 1), (0,), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )


def test_all_other_fields_come_first_then_all_make_up_beans_then_levies() -> None:
    """End of the game: the make-up fields are harvested at the same moment; coins just earned can be levied."""
    at = last_turn(((MAKE_UP,) * 5, (SOY, SOY)), ((BLUE,) * 4, ()), ((), ()))
    at.when(c.Draw()).then(
        e.FieldHarvested(0, 1, (SOY, SOY), 1, final=True),
        e.FieldHarvested(1, 0, (BLUE,) * 4, 1, final=True),
        e.FieldHarvested(0, 0, (MAKE_UP,) * 5, 1, final=True),
        e.LevyEarned(0),
        e.CoinsLevied(0, (1,), (BLUE,), final=True),
        e.GameEnded((3, 0, 0), (0,), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )


def test_three_or_four_make_up_beans_bring_nothing_in_the_end() -> None:
    """House: a third field is of no use any more."""
    at = last_turn(((MAKE_UP,) * 4, ()), ((), ()), ((), ()))
    after = at.when(c.Draw()).then_among_others(e.FieldHarvested(0, 0, (MAKE_UP,) * 4, 0, final=True))
    assert not after.state.seats[0].third_field


def test_five_always_bring_coin_and_levy_in_the_end() -> None:
    """House: the choice would be no choice; a levy that can take from nobody is still taken."""
    at = last_turn(((MAKE_UP,) * 5, ()), ((), ()), ((), ()))
    at.when(c.Draw()).then_among_others(e.LevyEarned(0), e.CoinsLevied(0, final=True))


def test_pending_levies_are_taken_too() -> None:
    """End of the game: levies by seat from the active player, those still pending included."""
    coins = ((RED,) * 2, (SOY,) * 2, (BLUE,) * 2)
    at = last_turn(((), ()), ((MAKE_UP,) * 5, ()), ((), ()), coins=coins, levies=(1, 2))
    at.when(c.Draw()).then(
        e.FieldHarvested(1, 0, (MAKE_UP,) * 5, 1, final=True),
        e.LevyEarned(1),
        e.CoinsLevied(1, (2, 0), (BLUE, RED), final=True),
        e.CoinsLevied(1, (2, 0), (BLUE, RED), final=True),
        e.CoinsLevied(2, final=True),
        e.GameEnded((0, 7, 0), (1,), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )


def test_the_richest_three_pay_ties_clockwise_from_the_owner() -> None:
    """House: with more than three who can be named, the richest at that moment."""
    empty: tuple[Field, ...] = ((), ())
    coins = ((RED,), (RED,), (), (RED, SOY), (RED,))
    fields = (empty, empty, ((MAKE_UP,) * 5, ()), empty, empty)
    last_turn(*fields, coins=coins).when(c.Draw()).then_among_others(
        e.CoinsLevied(2, (3, 4, 0), (SOY, RED, RED), final=True)
    )


def test_promises_bind_in_the_final_harvest() -> None:
    """Make-up beans: a promise cannot be broken; it spares one levy, not two."""
    coins = ((), (RED, RED), (SOY, SOY))
    at = last_turn(
        ((MAKE_UP,) * 5, ()), ((), ()), ((), ()), coins=coins, levies=(), promises=((0, 1), (1, 0))
    )
    after = at.when(c.Draw()).then_among_others(e.CoinsLevied(0, (2,), (SOY,), (1,), final=True))
    assert [(each.seat, each.to) for each in added(after).promises] == [(1, 0)]


def test_the_quota_field_pays_nothing_for_males_in_the_end_either() -> None:
    """The ratio field: only males, no coin."""
    at = last_turn(((), (), (BLUE,) * 10), ((), ()), ((), ()), quota=0)
    at.when(c.Draw()).then_among_others(e.FieldHarvested(0, 2, (BLUE,) * 10, 0, final=True))


def test_the_final_order_and_rotations_earn_most() -> None:
    """House: field 1 is sold first, because that can turn the female of field 0 to the top."""
    fields = ((STINK, STINK_LADY, STINK, STINK), (SOY, SOY))
    at = last_turn(fields, ((), ()), ((), ()))
    at.when(c.Draw()).then_among_others(e.FieldHarvested(0, 0, fields[0], 1, final=True))
    turned = ((BLUE, BLUE, BLUE_LADY, BLUE), (SOY, SOY))
    assert best_order(rules_of_lady_bohn(), turned, None) == ((0, None), (1, None))
    worth = ((BLUE, BLUE_LADY, BLUE), (SOY, SOY))
    assert best_order(rules_of_lady_bohn(), worth, None) == ((1, 0), (0, None))


def test_a_final_rotation_is_told() -> None:
    """House: rotations of the final harvest are events like any other."""
    worth = ((BLUE, BLUE_LADY, BLUE), (SOY, SOY))
    last_turn(worth, ((), ()), ((), ())).when(c.Draw()).then(
        e.FieldHarvested(0, 1, (SOY, SOY), 1, final=True),
        e.FieldRotated(0, 0, BLUE),
        e.FieldHarvested(0, 0, (BLUE, BLUE, BLUE_LADY), 1, final=True),
        e.GameEnded((2, 0, 0), (0,), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )


@pytest.mark.parametrize(
    ("fields", "quota", "best"),
    [
        (((), ()), None, ()),
        (((BLUE,), (SOY, SOY)), None, ((0, None), (1, None))),
        (((MAKE_UP,) * 3, (SOY, SOY)), None, ((1, None),)),
        (((SOY_LADY, SOY), (), (RED, RED)), None, ((0, None), (2, None))),
        (((BLUE, BLUE_LADY, BLUE), (), (SOY_LADY,)), 2, ((2, 0), (0, None))),
        (((BLUE, BLUE_LADY, BLUE, BLUE), (SOY, SOY), (RED, RED)), None, ((0, None), (1, None), (2, None))),
        (((BLUE_LADY, BLUE, BLUE), (SOY,), (RED,)), None, ((1, 0), (2, 0), (0, None))),
        (((BLUE_LADY, BLUE, BLUE), (SOY,), ()), None, ((0, None), (1, None))),
    ],
)
def test_the_best_order(
    fields: tuple[Field, ...], quota: int | None, best: tuple[tuple[int, int | None], ...]
) -> None:
    """House: what earns most; ties: lowest field numbers first, no rotation before one; make-up beans wait."""
    assert best_order(rules_of_lady_bohn(), fields, quota) == best


def test_a_tie_is_shared() -> None:
    """House: the booklet has no tie rule, nor has the basic game's."""
    at = last_turn(((), ()), ((), ()), ((), ()), coins=((RED,), (SOY,), ()))
    at.when(c.Draw()).then_among_others(e.GameEnded((1, 1, 0), (0, 1), "exhausted_in_this_turn"))
