"""The final harvest. Sections are those of the Lady Bohn booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules.decide import play
from events.rules.table.state import Field
from tests.events.rules.ladybohn_expansion.tables import (
    BLUE,
    GREEN,
    MAKE_UP,
    RED,
    SOY,
    SOY_LADY,
    added,
    last_turn,
    table,
)
from tests.support.tables import seat_with


def test_the_booklets_example_of_andreas_five_make_up_beans() -> None:
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


def test_a_tie_is_shared() -> None:
    """House: the booklet has no tie rule, nor has the basic game's."""
    at = last_turn(((), ()), ((), ()), ((), ()), coins=((RED,), (SOY,), ()))
    at.when(c.Draw()).then_among_others(e.GameEnded((1, 1, 0), (0, 1), "exhausted_in_this_turn"))


def test_two_with_five_make_up_beans_protect_each_other() -> None:
    """End of the game: at the same moment, so that nobody loses the protection by coming first."""
    five = ((MAKE_UP,) * 5, ())
    at = last_turn(five, five, ((), ()), coins=((RED,), (SOY,), (BLUE, GREEN)))
    at.when(c.Draw()).then(
        e.FieldHarvested(0, 0, five[0], 1, final=True),
        e.LevyEarned(0),
        e.FieldHarvested(1, 0, five[0], 1, final=True),
        e.LevyEarned(1),
        e.CoinsLevied(0, (2,), (GREEN,), final=True),
        e.CoinsLevied(1, (2,), (BLUE,), final=True),
        e.GameEnded((3, 3, 0), (0, 1), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )


@pytest.mark.parametrize("active", [0, 1, 2])
def test_final_harvests_and_levies_go_clockwise_from_the_active_player(active: int) -> None:
    """House: by seat from the active player, in each of the three parts."""
    seats = {seat: seat_with(fields=((MAKE_UP,) * 5, (SOY, SOY))) for seat in range(3)}
    at = table(phase="draw", active=active, draw_pile=(), exhaustions=3, others=seats)
    events = play(at.rules, at.state, active, c.Draw()).events
    clockwise = [(active + step) % 3 for step in range(3)]
    harvests = [event for event in events if isinstance(event, e.FieldHarvested)]
    assert [(event.seat, event.field) for event in harvests] == [
        *((seat, 1) for seat in clockwise),
        *((seat, 0) for seat in clockwise),
    ]
    assert [event.seat for event in events if isinstance(event, e.CoinsLevied)] == clockwise


def test_of_two_final_levies_a_promise_covers_the_first() -> None:
    """House: the pending levy comes first and uses the promise up."""
    five = ((MAKE_UP,) * 5, ())
    at = last_turn(((), ()), five, ((), ()), coins=((RED,), (), ()), levies=(1,), promises=((1, 0),))
    after = at.when(c.Draw()).then_among_others(
        e.CoinsLevied(1, spared=(0,), final=True), e.CoinsLevied(1, (0,), (RED,), final=True)
    )
    assert added(after).promises == ()


def test_two_promises_cover_both_final_levies() -> None:
    """House: two promises cover two levies, here too."""
    five = ((MAKE_UP,) * 5, ())
    at = last_turn(((), ()), five, ((), ()), coins=((RED,), (), ()), levies=(1,), promises=((1, 0),) * 2)
    spared = e.CoinsLevied(1, spared=(0,), final=True)
    at.when(c.Draw()).then_among_others(
        spared, spared, e.GameEnded((1, 1, 0), (0, 1), "exhausted_in_this_turn")
    )


def test_single_beans_are_not_protected_in_the_end() -> None:
    """End of the game: all fields are harvested for the last time."""
    at = last_turn(((SOY_LADY,), (BLUE,) * 4), ((RED,), ()), ((), ()))
    after = at.when(c.Draw()).then_among_others(
        e.FieldHarvested(0, 0, (SOY_LADY,), 1, final=True),
        e.FieldHarvested(0, 1, (BLUE,) * 4, 1, final=True),
        e.FieldHarvested(1, 0, (RED,), 0, final=True),
    )
    assert all(not any(seat.fields) for seat in after.state.seats)


def test_coins_levied_late_can_be_levied_on() -> None:
    """House: one levy after the other, each from the stacks as they are then."""
    at = last_turn(((), ()), ((), ()), ((), ()), coins=((RED,), (), ()), levies=(2, 1))
    at.when(c.Draw()).then(
        e.CoinsLevied(1, (0,), (RED,), final=True),
        e.CoinsLevied(2, (1,), (RED,), final=True),
        e.GameEnded((0, 0, 1), (2,), "exhausted_in_this_turn"),
        e.DealerCalled("secret"),
    )
