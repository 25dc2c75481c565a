"""The Duel, Planter les cartes piochées et reçues: phase 3."""

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.legal import waiting_for
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
    gone.when(c.DiscardRevealed(2)).then_refused(errors.DiscardedAlready)
    gone.when(c.PlantRevealed(2, 0)).then(e.RevealedPlanted(0, 2, 0, "soy"), e.PhaseBegan("draw"))


def test_the_last_card_that_lies_there_may_be_the_one_discarded() -> None:
    """The phase ends with it."""
    table = given_duel(side(("red",)), side(), phase="plant_aside", revealed=("blue",))
    table.when(c.DiscardRevealed(1)).then(e.RevealedDiscarded(0, 1, "blue"), e.PhaseBegan("draw"))
    table.when(c.DiscardRevealed(2)).then_refused(errors.NotRevealed)


def test_a_received_card_cannot_be_discarded() -> None:
    """Mais pas une carte reçue en cadeau."""
    table = given_duel(side(("red",), aside=("soy",)), side(), phase="plant_aside")
    table.when(c.DiscardRevealed(1)).then_refused(errors.NotRevealed)


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
