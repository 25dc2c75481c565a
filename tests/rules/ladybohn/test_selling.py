"""The top card's beanometer, the garden miss, coins that nobody has seen, third fields. Sections of the booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.disclosure import ALL, PUBLIC
from events.domain_events import UNKNOWN_CARD
from events.rules import errors
from events.rules.player_view import player_view
from tests.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, table
from tests.support.tables import seat_with

GARDEN, LADY, INFANT = "garden_male", "garden_female", "garden_baby"


@pytest.mark.parametrize(
    ("field", "coins"),
    [
        ((MISTER,) * 2, 1), ((MISS, MISTER, MISTER), 2), ((MISTER, MISTER, MISS), 3), ((MISTER, MISS, BABY), 0),
        ((BABY, MISTER), 1), ((MISTER,) * 9, 4), ((GARDEN,) * 2, 2), ((LADY, GARDEN, GARDEN), 3),
        ((LADY, GARDEN, INFANT), 0),
    ],
)  # fmt: skip
def test_the_top_card_says_what_the_field_pays(field: tuple[str, ...], coins: int) -> None:
    """Attention: the beanometer of the top card counts for all cards of the field; a baby has none."""
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_two_stink_misters_pay_nothing() -> None:
    """Récolte, the example: a field with only two stink beans earns no coin; read as misters."""
    field = ("stink_male", "stink_male")
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, 0))


@pytest.mark.parametrize(("beans", "coins"), [(2, 0), (3, 1), (4, 1), (5, 2), (6, 2), (7, 3), (8, 4)])
def test_the_example_of_the_beanometer(beans: int, coins: int) -> None:
    """Les Thunes, the example: 3 and 4 cards pay one coin, 5 and 6 two, 7 three, 8 four: the stink mister."""
    field = ("stink_male",) * beans
    table(fields=(field, ())).when(c.Harvest(0)).then(e.FieldHarvested(0, 0, field, coins))


def test_a_single_bean_is_protected_whatever_it_is() -> None:
    """Récolte: a field of one card can't be harvested, unless no field has more."""
    table(fields=((BABY,), (PLAIN, PLAIN))).when(c.Harvest(0)).then_refused(errors.BeanProtected)
    table(fields=((LADY,), (PLAIN,)), discard_pile=(PLAIN,) * 3).when(c.Harvest(0)).then(
        e.FieldPaidFromPiles(0, 0, (LADY,), (PLAIN,) * 2)
    )


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside", "draw"])
@pytest.mark.parametrize("seat", [0, 1])
def test_everybody_harvests_at_any_time(phase: str, seat: int) -> None:
    """Phase 3: fields may be harvested at any moment."""
    grower = {seat: seat_with(fields=((MISTER, MISTER), ()))}
    table(phase=phase, others=grower).when(c.Harvest(0), by=seat).then(
        e.FieldHarvested(seat, 0, (MISTER, MISTER), 1)
    )


# --- the garden miss ---------------------------------------------------------------------------------------


def test_the_garden_miss_is_paid_from_the_discard_pile() -> None:
    """Exception: the coins are the top cards of the discards; then her field is discarded."""
    after = (
        table(fields=((GARDEN, LADY), ()), coins=("soy_male",), discard_pile=(MISTER, MISS, BABY, PLAIN))
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (PLAIN, BABY, MISS)))
    )
    assert after.state.seats[0].coins == ("soy_male", PLAIN, BABY, MISS)
    assert after.state.discard_pile == (MISTER, GARDEN, LADY)
    assert after.state.seats[0].fields == ((), ())


def test_she_is_paid_so_from_a_field_of_any_size() -> None:
    """Exception, rules of the house: also where the field alone could pay."""
    field = (GARDEN, GARDEN, GARDEN, LADY)
    table(fields=(field, ()), discard_pile=(PLAIN,) * 3).when(c.Harvest(0)).then(
        e.FieldPaidFromPiles(0, 0, field, (PLAIN,) * 3)
    )


def test_the_draw_pile_pays_what_the_discards_lack() -> None:
    """Exception: the rest is taken from the draw pile; nobody sees these coins."""
    after = (
        table(fields=((GARDEN, LADY), ()), discard_pile=(MISTER,), draw_pile=(MISS, BABY, PLAIN))
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (MISTER,), (MISS, BABY)))
    )
    assert after.state.seats[0].coins == (MISTER, MISS, BABY)
    assert after.state.draw_pile == (PLAIN,)
    for viewer in (PUBLIC, 0, 1):
        coins = player_view(after.state, viewer)["seats"][0]["coins"]
        assert coins == [MISTER, UNKNOWN_CARD, UNKNOWN_CARD]
    assert player_view(after.state, ALL)["seats"][0]["coins"] == [MISTER, MISS, BABY]
    assert e.FieldPaidFromPiles.private == {"from_draw_pile": ""}


def test_it_can_exhaust_the_draw_pile_and_finds_nothing_to_shuffle() -> None:
    """Rules of the house: it counts; the field then discarded is shuffled at the next draw, uncounted."""
    after = (
        table(phase="draw", fields=((GARDEN, LADY), ()), draw_pile=(MISS, BABY, PLAIN))
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (), (MISS, BABY, PLAIN)), e.PileExhausted("draw", 1))
    )
    assert after.state.discard_pile == (GARDEN, LADY)
    after.when(c.Draw()).then(e.DealerCalled("shuffle", "draw", "draw", 0, 3))


def test_at_last_the_field_itself_pays_and_what_is_missing_lapses() -> None:
    """Rules of the house: then the top cards of the field, as in any harvest."""
    table(fields=((GARDEN, LADY), ()), discard_pile=(MISTER,), draw_pile=(MISS,), exhaustions=1).when(
        c.Harvest(0)
    ).then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (MISTER,), (MISS,), 1), e.PileExhausted("draw", 2))
    short = (
        table(fields=((LADY,), ()), draw_pile=())
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (LADY,), (), (), 1))
    )
    assert short.state.seats[0].coins == (LADY,)
    assert short.state.discard_pile == ()


def test_a_field_pays_its_top_cards_first() -> None:
    """Les Thunes: coins are the cards from the top of what was harvested, laid down one at a time."""
    after = table(fields=((GARDEN, GARDEN, LADY), ()), draw_pile=()).when(c.Harvest(0)).then_among_others()
    assert after.state.seats[0].coins == (LADY, GARDEN, GARDEN)


LAST = 2
"""Exhaustions before the one that ends the game."""


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


# --- the final harvest -------------------------------------------------------------------------------------


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


def test_most_cards_in_hand_break_a_tie() -> None:
    """Fin de la partie: among those with the same and most coins, whoever held the most cards."""
    others = {1: seat_with(coins=(MISTER,), hand=(PLAIN,) * 2), 2: seat_with(coins=(MISS,), hand=(PLAIN,))}
    table(phase="draw", hand=(PLAIN,) * 9, others=others, draw_pile=(MISS,), exhaustions=LAST).when(
        c.Draw()
    ).then_among_others(e.GameEnded((0, 1, 1), (1,), "exhausted_while_drawing"))


# --- third fields ------------------------------------------------------------------------------------------


def test_a_third_field_costs_the_top_three_coins() -> None:
    """3ème champ: the top cards of the stack, face up to the discards."""
    after = (
        table(coins=(PLAIN, MISTER, MISS, BABY))
        .when(c.BuyField())
        .then(e.ThirdFieldBought(0, (BABY, MISS, MISTER)))
    )
    assert after.state.discard_pile == (BABY, MISS, MISTER)
    after.when(c.BuyField()).then_refused(errors.ThirdFieldOwned)
    table(coins=(PLAIN,) * 2).when(c.BuyField()).then_refused(errors.NotEnoughCoins)


@pytest.mark.parametrize("phase", ["plant", "reveal", "trade", "plant_aside", "draw"])
def test_it_is_bought_in_ones_own_turn_only(phase: str) -> None:
    """3ème champ: only during one's own turn, in every phase of it."""
    before = table(phase=phase, coins=(PLAIN,) * 3, others={1: seat_with(coins=(PLAIN,) * 3)})
    before.when(c.BuyField(), by=1).then_refused(errors.NotYourTurn)
    before.when(c.BuyField()).then(e.ThirdFieldBought(0, (PLAIN,) * 3))


def test_there_are_only_two() -> None:
    """3ème champ: when two players have bought theirs, the others do with two fields."""
    owner = seat_with(fields=((), (), ()))
    table(coins=(PLAIN,) * 3, others={1: owner}).when(c.BuyField()).then(e.ThirdFieldBought(0, (PLAIN,) * 3))
    table(coins=(PLAIN,) * 3, others={1: owner, 2: owner}).when(c.BuyField()).then_refused(
        errors.NoThirdFieldLeft
    )


def test_unseen_coins_are_shown_as_they_are_spent() -> None:
    """Rules of the house: those below them in the stack stay unseen."""
    after = (
        table(coins=(PLAIN, MISTER, MISS, BABY, "soy_male"), unseen=((0, 0), (0, 2), (0, 3)))
        .when(c.BuyField())
        .then(e.CoinsShown(0, (2, 3), (MISS, BABY)), e.ThirdFieldBought(0, ("soy_male", BABY, MISS)))
    )
    assert player_view(after.state, 0)["seats"][0]["coins"] == [UNKNOWN_CARD, MISTER]
