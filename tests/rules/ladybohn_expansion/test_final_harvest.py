"""The final harvest. Sections are those of the Lady Bohn booklet."""

from events import commands as c
from events import domain_events as e
from events.rules.state import Field
from tests.rules.ladybohn_expansion.tables import BLUE, MAKE_UP, RED, SOY, added, last_turn


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


def test_a_tie_is_shared() -> None:
    """House: the booklet has no tie rule, nor has the basic game's."""
    at = last_turn(((), ()), ((), ()), ((), ()), coins=((RED,), (SOY,), ()))
    at.when(c.Draw()).then_among_others(e.GameEnded((1, 1, 0), (0, 1), "exhausted_in_this_turn"))
