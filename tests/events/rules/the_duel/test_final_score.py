"""The Duel, Fin de la partie: what is claimed and harvested at the end, what it is worth, who wins."""

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.rules.systems.the_duel.table import DuelSeat
from events.rules.table.state import Seat
from tests.support.duels import given_duel, side
from tests.support.given import Given

REASON = "exhausted_before_drawing"


def last_planting(
    own: Seat, other: Seat, bonus: tuple[DuelSeat, DuelSeat] = (DuelSeat(), DuelSeat()), active: int = 0
) -> Given:
    """The pile has run out; one revealed card is left, whose discarding ends the game."""
    return given_duel(
        own,
        other,
        phase="plant_aside",
        revealed=("garden",),
        draw_pile=(),
        exhaustions=1,
        bonus=bonus,
        active=active,
    )


def test_all_possible_bonus_cards_are_claimed_before_the_harvest_active_player_first() -> None:
    """On whoever's field; the same beans serve both; what fits nowhere stays in hand and is worth nothing."""
    table = last_planting(
        side((), (("garden", "red", "black_eyed"), (), ())),
        side(),
        (DuelSeat(bonus=("c100_12345",)), DuelSeat(bonus=("c10_122", "c40_123"))),
        active=1,
    )
    ended = table.when(c.DiscardRevealed(1)).then(
        e.RevealedDiscarded(1, 1, "garden"),
        e.BonusClaimed(1, "c40_123", 0, 0, final=True),
        e.FieldHarvested(0, 0, ("garden", "red", "black_eyed"), 1, final=True),
        e.GameEnded((100, 140), (1,), REASON, "cents"),
        e.DealerCalled("secret"),
    )
    assert ended.state.duel is not None
    assert ended.state.duel.seats[0].bonus == ("c100_12345",)


def test_the_active_players_cards_are_claimed_first() -> None:
    """House: seats from the active player; an own field goes before the other's."""
    grown = (("garden", "red", "black_eyed"), (), ())
    table = last_planting(
        side((), grown),
        side((), grown),
        (DuelSeat(bonus=("c40_123",)), DuelSeat(bonus=("c40_123",))),
        active=1,
    )
    table.when(c.DiscardRevealed(1)).then_among_others(
        e.BonusClaimed(1, "c40_123", 1, 0, final=True), e.BonusClaimed(0, "c40_123", 0, 0, final=True)
    )


def test_the_score_is_coins_and_bonus_cards_with_their_cents() -> None:
    """A bonus card is a coin and its cents; hand beans count nothing; single beans are harvested as well."""
    table = last_planting(
        side(("red", "red"), (("blue",), ("red", "red"), ()), coins=("soy",) * 3),
        side(("blue",) * 9, coins=("soy",) * 5),
        (DuelSeat(claimed=("c100_12345", "c10_122")), DuelSeat(claimed=("c70_1234",))),
    )
    table.when(c.DiscardRevealed(1)).then_among_others(
        e.FieldHarvested(0, 0, ("blue",), 0, final=True),
        e.FieldHarvested(0, 1, ("red", "red"), 1, final=True),
        e.GameEnded((400 + 200 + 110, 500 + 100 + 70), (0,), REASON, "cents"),
    )


@pytest.mark.parametrize(
    ("claimed", "cents"),
    [(("c10_122",), 110), (("c40_123",), 140), (("c70_1234",), 170), (("c100_12345",), 200),
     (("c10_122", "c40_123", "c70_1234", "c100_12345"), 110 + 140 + 170 + 200)],
)  # fmt: skip
def test_a_bonus_card_is_worth_a_coin_and_its_cents(claimed: tuple[str, ...], cents: int) -> None:
    """Chaque carte Bohnus vaut une pièce d'or plus ses centimes: 100 cents are a coin, in whole cents."""
    table = last_planting(side(coins=("soy",)), side(), (DuelSeat(claimed=claimed), DuelSeat()))
    table.when(c.DiscardRevealed(1)).then_among_others(e.GameEnded((100 + cents, 0), (0,), REASON, "cents"))


def test_bonus_cards_that_cannot_be_claimed_are_worth_nothing() -> None:
    """House: as beans in hand; a full bonus hand without a field for it adds no cent."""
    table = last_planting(
        side(("red",) * 3), side(), (DuelSeat(bonus=("c10_122", "c40_123", "c70_1234")), DuelSeat())
    )
    table.when(c.DiscardRevealed(1)).then_among_others(e.GameEnded((0, 0), (1,), REASON, "cents"))


def test_every_field_is_harvested_at_the_end_the_active_players_first() -> None:
    """Et récoltent leurs champs: without protection (house), seats from the active player on (house)."""
    table = last_planting(
        side((), (("red",), ("soy", "soy"), ("red", "red"))),
        side((), (("garden", "garden"), (), ("red",))),
        active=1,
    )
    table.when(c.DiscardRevealed(1)).then(
        e.RevealedDiscarded(1, 1, "garden"),
        e.FieldHarvested(1, 0, ("garden", "garden"), 2, final=True),
        e.FieldHarvested(1, 2, ("red",), 0, final=True),
        e.FieldHarvested(0, 0, ("red",), 0, final=True),
        e.FieldHarvested(0, 1, ("soy", "soy"), 1, final=True),
        e.FieldHarvested(0, 2, ("red", "red"), 1, final=True),
        e.GameEnded((200, 200), (1,), REASON, "cents"),
        e.DealerCalled("secret"),
    )


def test_cents_decide() -> None:
    """The highest value wins, exact to the cent."""
    table = last_planting(
        side(coins=("soy",) * 2), side(coins=("soy",)), (DuelSeat(), DuelSeat(claimed=("c10_122",)))
    )
    table.when(c.DiscardRevealed(1)).then_among_others(e.GameEnded((200, 210), (1,), REASON, "cents"))


def test_a_tie_is_lost_by_the_starting_player() -> None:
    """En cas d'égalité, le joueur de départ perd: whoever is active, and whichever seat began."""
    for active in range(2):
        for start in range(2):
            table = last_planting(side(coins=("soy",)), side(coins=("red",)), active=active)
            begun = Given(table.rules, msgspec.structs.replace(table.state, start_seat=start))
            begun.when(c.DiscardRevealed(1)).then_among_others(
                e.GameEnded((100, 100), (1 - start,), REASON, "cents")
            )


@pytest.mark.parametrize(
    ("own", "other"),
    [(("c100_12345",), ()), (("c10_122", "c70_1234"), ("c40_123", "c40_234"))],
)
def test_only_equal_values_are_a_tie_however_they_come_about(
    own: tuple[str, ...], other: tuple[str, ...]
) -> None:
    """La valeur totale: 100 cents are as good as a coin, 10 and 70 as 40 and 40; the starting player loses it."""
    coins = ("soy",) * (0 if other else 2)
    table = last_planting(side(), side(coins=coins), (DuelSeat(claimed=own), DuelSeat(claimed=other)))
    value = 280 if other else 200
    table.when(c.DiscardRevealed(1)).then_among_others(e.GameEnded((value, value), (1,), REASON, "cents"))
