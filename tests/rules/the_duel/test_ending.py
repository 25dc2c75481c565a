"""The Duel, Fin de la partie: when it ends, what is claimed and harvested then, who wins."""

from events import commands as c
from events import domain_events as e
from events.rules.duel_state import DuelSeat
from events.rules.state import Seat
from tests.support.duels import given_duel, side
from tests.support.given import Given

REASON = "exhausted_before_drawing"


def test_the_pile_running_out_in_phase_2_ends_the_game_after_phase_3() -> None:
    """The gifts and plantings of this turn are still played; phase 4 is not."""
    table = given_duel(side(("red",)), side(), phase="reveal", draw_pile=("blue", "blue"))
    offering = table.when(c.Reveal()).then(
        e.CardsRevealed(0, ("blue", "blue")), e.PileExhausted("draw", 1), e.PhaseBegan("offer_gift")
    )
    given = (
        offering.when(c.OfferGift("blue"))
        .then_among_others(e.GiftOffered(0, "blue"))
        .when(c.AcceptGift(), by=1)
        .then_among_others(e.PhaseBegan("plant_aside"))
        .when(c.PlantRevealed(2, 0))
        .then(e.RevealedPlanted(0, 2, 0, "blue"))
    )
    given.when(c.PlantAside(1, 0), by=1).then(
        e.AsidePlanted(1, 1, 0, "blue"),
        e.FieldHarvested(0, 0, ("blue",), 0, final=True),
        e.FieldHarvested(1, 0, ("blue",), 0, final=True),
        e.GameEnded((0, 0), (1,), REASON, "cents"),
        e.DealerCalled("secret"),
    )


def test_the_pile_running_out_in_phase_4_ends_the_game_after_phase_3_of_the_next_turn() -> None:
    """House: bonus hands are still refilled, and the next turn is played with what there is."""
    table = given_duel(side(("red",)), side(("soy",)), phase="draw", draw_pile=("blue",), bonus_pile=())
    drawn = table.when(c.Draw()).then(
        e.CardsDrawn(0, ("blue",)), e.PileExhausted("draw", 1), e.PhaseBegan("bonus")
    )
    begun = (
        drawn.when(c.KeepBonus(), by=0)
        .then(e.BonusKept(0))
        .when(c.KeepBonus(), by=1)
        .then(e.BonusKept(1), e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    )
    planted = begun.when(c.Plant(0)).then(e.BeanPlanted(1, 0, "soy"), e.PhaseBegan("reveal"))
    planted.when(c.Reveal()).then_among_others(
        e.CardsRevealed(1, ()), e.GameEnded((0, 0), (1,), REASON, "cents")
    )


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


def test_cents_decide() -> None:
    """The highest value wins, exact to the cent."""
    table = last_planting(
        side(coins=("soy",) * 2), side(coins=("soy",)), (DuelSeat(), DuelSeat(claimed=("c10_122",)))
    )
    table.when(c.DiscardRevealed(1)).then_among_others(e.GameEnded((200, 210), (1,), REASON, "cents"))


def test_a_tie_is_lost_by_the_starting_player() -> None:
    """En cas d'égalité, le joueur de départ perd: whoever is active."""
    for active in range(2):
        table = last_planting(side(coins=("soy",)), side(coins=("red",)), active=active)
        assert table.state.start_seat == 0
        table.when(c.DiscardRevealed(1)).then_among_others(e.GameEnded((100, 100), (1,), REASON, "cents"))
