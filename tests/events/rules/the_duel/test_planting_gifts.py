"""The Duel, Planter les cartes piochées et reçues: phase 3."""

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.systems.the_duel.errors import DiscardedAlready
from events.rules.systems.the_duel.table import DuelSeat
from events.rules.table.waiting import waiting_for
from tests.events.rules.the_duel.tables import legal_types
from tests.support.duels import EMPTY, given_duel, side


def test_everything_before_a_player_is_planted_in_any_order_by_whoever_comes_first() -> None:
    """The active player plants what was revealed and received, the other what was accepted."""
    table = given_duel(
        side(("red",), aside=("soy",)), side(("red",)), phase="plant_aside", revealed=("blue", "chili")
    )
    one = table.when(c.PlantRevealed(2, 0)).then(e.RevealedPlanted(0, 2, 0, "chili"))
    two = one.when(c.PlantAside(1, 1)).then(e.AsidePlanted(0, 1, 1, "soy"))
    two.when(c.PlantRevealed(1, 0)).then(e.RevealedPlanted(0, 1, 0, "blue"), e.PhaseBegan("draw"))


def test_the_phase_waits_for_both() -> None:
    """Nobody waits for anybody, and phase 4 for all."""
    table = given_duel(
        side(("red",)), side(("red",), aside=("soy",)), phase="plant_aside", revealed=("blue",)
    )
    assert waiting_for(table.state) == (0, 1)
    one = table.when(c.PlantRevealed(1, 0)).then(e.RevealedPlanted(0, 1, 0, "blue"))
    assert waiting_for(one.state) == (1,)
    one.when(c.Draw()).then_refused(errors.WrongPhase)
    one.when(c.PlantAside(1, 0), by=1).then(e.AsidePlanted(1, 1, 0, "soy"), e.PhaseBegan("draw"))


def test_the_other_cannot_plant_or_discard_the_revealed_cards() -> None:
    """They belong to the active player."""
    table = given_duel(side(("red",)), side(("red",)), phase="plant_aside", revealed=("blue",))
    table.when(c.PlantRevealed(1, 0), by=1).then_refused(errors.NotYourTurn)
    table.when(c.DiscardRevealed(1), by=1).then_refused(errors.NotYourTurn)


def test_one_revealed_card_may_be_discarded() -> None:
    """Vous pouvez défausser une des cartes piochées: one, not two."""
    table = given_duel(side(("red",)), side(), phase="plant_aside", revealed=("blue", "soy"))
    gone = table.when(c.DiscardRevealed(1)).then(e.RevealedDiscarded(0, 1, "blue"))
    assert gone.state.discard_pile == ("blue",)
    gone.when(c.DiscardRevealed(2)).then_refused(DiscardedAlready)
    gone.when(c.PlantRevealed(2, 0)).then(e.RevealedPlanted(0, 2, 0, "soy"), e.PhaseBegan("draw"))


def test_in_the_next_turn_a_revealed_card_may_be_discarded_again() -> None:
    """Une des cartes piochées: one in each turn."""
    table = given_duel(
        side(("red",)),
        side(("red",)),
        phase="bonus",
        discarded=True,
        bonus=(DuelSeat(), DuelSeat(decided=True)),
        bonus_pile=(),
    )
    begun = table.when(c.KeepBonus()).then(e.BonusKept(0), e.TurnBegan(1, 2), e.PhaseBegan("plant"))
    revealing = begun.when(c.Plant(0)).then_among_others(e.PhaseBegan("reveal"))
    offering = revealing.when(c.Reveal()).then_among_others(e.CardsRevealed(1, ("green",) * 3))
    pushed = offering.when(c.OfferGift("green")).then_among_others(e.PhaseBegan("answer_gift"))
    given = pushed.when(c.AcceptGift(), by=0).then_among_others(e.PhaseBegan("plant_aside"))
    gone = given.when(c.DiscardRevealed(2)).then(e.RevealedDiscarded(1, 2, "green"))
    gone.when(c.DiscardRevealed(3)).then_refused(DiscardedAlready)


def test_a_card_given_away_cannot_be_planted_or_discarded_by_its_giver() -> None:
    """Toutes les cartes encore devant lui: what was accepted is the other's."""
    table = given_duel(
        side(), side(), phase="answer_gift", gifts=((0, "blue"),), revealed=("blue", "soy", "stink")
    )
    given = table.when(c.AcceptGift(), by=1).then_among_others(e.GiftGiven(0, 1, "blue", revealed=(1,)))
    given.when(c.PlantRevealed(1, 0)).then_refused(errors.NotRevealed)
    given.when(c.DiscardRevealed(1)).then_refused(errors.NotRevealed)
    given.when(c.PlantAside(1, 0), by=0).then_refused(errors.NotAside)


def test_what_was_accepted_must_be_planted_before_the_turn_goes_on() -> None:
    """Il la plante maintenant: nobody discards a gift or takes it in hand, and phase 4 waits."""
    table = given_duel(side(("red",)), side(("red",), aside=("soy",)), phase="plant_aside")
    assert legal_types(table, 1) == {"plant_aside"}
    assert legal_types(table, 0) == set()
    for command in (c.Draw(), c.DiscardBonus("c10_122"), c.KeepBonus()):
        table.when(command).then_refused(errors.WrongPhase)


def test_the_last_card_that_lies_there_may_be_the_one_discarded() -> None:
    """The phase ends with it."""
    table = given_duel(side(("red",)), side(), phase="plant_aside", revealed=("blue",))
    table.when(c.DiscardRevealed(1)).then(e.RevealedDiscarded(0, 1, "blue"), e.PhaseBegan("draw"))
    table.when(c.DiscardRevealed(2)).then_refused(errors.NotRevealed)


def test_a_received_card_cannot_be_discarded() -> None:
    """Mais pas une carte reçue en cadeau."""
    table = given_duel(side(("red",), aside=("soy",)), side(), phase="plant_aside")
    table.when(c.DiscardRevealed(1)).then_refused(errors.NotRevealed)


def test_the_active_player_too_harvests_first_for_a_revealed_or_received_card() -> None:
    """Si un joueur ne peut pas planter: the rules of fields hold in phase 3 as in phase 1."""
    full = (("blue",), ("stink", "stink"), ("chili",))
    table = given_duel(side((), full, aside=("red",)), side(), phase="plant_aside", revealed=("garden",))
    for field in range(3):
        table.when(c.PlantAside(1, field)).then_refused(errors.FieldHoldsOtherBean)
        table.when(c.PlantRevealed(1, field)).then_refused(errors.FieldHoldsOtherBean)
    sold = table.when(c.Harvest(1)).then(e.FieldHarvested(0, 1, ("stink", "stink"), 0))
    begun = sold.when(c.PlantRevealed(1, 1)).then(e.RevealedPlanted(0, 1, 1, "garden"))
    begun.when(c.PlantAside(1, 1)).then(e.AsidePlanted(0, 1, 1, "red"), e.PhaseBegan("draw"))


def test_a_card_that_fits_nowhere_needs_a_harvest_first() -> None:
    """Si un joueur ne peut pas planter."""
    full = (("blue",), ("stink", "stink"), ("chili",))
    table = given_duel(side(("red",)), side((), full, aside=("red",)), phase="plant_aside")
    for field in range(3):
        table.when(c.PlantAside(1, field), by=1).then_refused(errors.FieldHoldsOtherBean)
    sold = table.when(c.Harvest(1), by=1).then(e.FieldHarvested(1, 1, ("stink", "stink"), 0))
    sold.when(c.PlantAside(1, 1), by=1).then_among_others(e.AsidePlanted(1, 1, 1, "red"))


def test_two_beans_are_drawn_to_the_back_of_the_hand() -> None:
    """Piocher deux cartes Haricot, sans modifier l'ordre."""
    table = given_duel(side(("red",), EMPTY), side(), phase="draw", draw_pile=("blue", "soy", "red"))
    drawn = table.when(c.Draw()).then(e.CardsDrawn(0, ("blue", "soy")), e.PhaseBegan("bonus"))
    assert drawn.state.seats[0].hand == ((1, "red"), (2, "blue"), (3, "soy"))
