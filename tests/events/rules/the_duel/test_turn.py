"""The Duel, Déroulement de la partie: a turn from its first phase to the next player's."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.systems.the_duel.table import DuelSeat
from tests.events.rules.the_duel.tables import legal_types
from tests.support.duels import given_duel, side
from tests.support.given import Given


def test_a_turn_goes_through_its_four_phases_and_passes_to_the_other() -> None:
    """Planter, piocher et offrir, planter, piocher: the same four for seat 1 then, and seat 0 again after it."""
    table = given_duel(
        side(("red", "soy", "blue")), side(("soy", "red", "blue")), draw_pile=("chili", "stink", "green") * 5
    )
    for turn, (active, other) in enumerate(((0, 1), (1, 0)), 1):
        assert (table.state.active, table.state.turn, table.state.phase) == (active, turn, "plant")
        table = _whole_turn(table, active, other)
    assert (table.state.active, table.state.turn, table.state.phase) == (0, 3, "plant")
    assert [len(seat.hand) for seat in table.state.seats] == [4, 4]


def _whole_turn(table: Given, active: int, other: int) -> Given:
    planted = table.when(c.Plant(0)).then_among_others()
    table = planted.when(c.Reveal()).then_among_others(e.PhaseBegan("offer_gift"))
    variety = table.state.revealed[0][1]
    table = table.when(c.OfferGift(variety)).then(e.GiftOffered(active, variety), e.PhaseBegan("answer_gift"))
    table = table.when(c.AcceptGift(), by=other).then_among_others(e.PhaseBegan("plant_aside"))
    (first, _), (second, card) = table.state.revealed
    table = table.when(c.PlantRevealed(second, 1)).then(e.RevealedPlanted(active, second, 1, card))
    table = table.when(c.DiscardRevealed(first)).then_among_others()
    ((gift, _),) = table.state.seats[other].aside
    table = table.when(c.PlantAside(gift, 2), by=other).then_among_others(e.PhaseBegan("draw"))
    table = table.when(c.Draw()).then_among_others(e.PhaseBegan("bonus"))
    table = table.when(c.KeepBonus(), by=active).then(e.BonusKept(active))
    return table.when(c.KeepBonus(), by=other).then_among_others(e.PhaseBegan("plant"))


PHASES = {
    "plant": {"plant"},
    "reveal": {"reveal"},
    "offer_gift": {"offer_gift"},
    "plant_aside": {"plant_revealed", "discard_revealed", "plant_aside"},
    "draw": {"draw"},
    "bonus": {"discard_bonus", "keep_bonus"},
}
"""What the active player has to choose from in each phase, besides what may be done at any time."""


@pytest.mark.parametrize("phase", PHASES)
def test_each_phase_has_its_own_commands_and_no_others(phase: str) -> None:
    """Quatre phases suivantes: in this order, none skipped, none repeated."""
    aside = ("red",) if phase == "plant_aside" else ()
    table = given_duel(
        side(("red",), aside=aside),
        side(("red",)),
        phase=phase,
        revealed=("blue",) if phase in {"offer_gift", "plant_aside"} else (),
        bonus=(DuelSeat(bonus=("c10_122",)), DuelSeat()),
    )
    assert legal_types(table, 0) == PHASES[phase]


def test_the_second_planting_takes_the_new_front_card() -> None:
    """Qui est alors la nouvelle première carte: and no other card of the hand can be named."""
    once = given_duel(side(("red", "blue", "soy")), side()).when(c.Plant(2)).then(e.BeanPlanted(0, 2, "red"))
    twice = once.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "blue"), e.PhaseBegan("reveal"))
    assert twice.state.seats[0].hand == ((3, "soy"),)
    assert c.Plant.__struct_fields__[0] == "field"


def test_only_the_active_player_plants_reveals_and_draws() -> None:
    """Le joueur actif effectue les quatre phases."""
    for phase, command in (("plant", c.Plant(0)), ("reveal", c.Reveal()), ("draw", c.Draw())):
        table = given_duel(side(("red",)), side(("red",)), phase=phase)
        table.when(command, by=1).then_refused(errors.NotYourTurn)


def test_with_an_empty_hand_the_turn_begins_with_revealing() -> None:
    """House: judged when the turn begins; what was revealed can be offered all the same."""
    table = given_duel(
        side(("red",)), side(), phase="bonus", bonus=(DuelSeat(), DuelSeat(decided=True)), bonus_pile=()
    )
    begun = table.when(c.KeepBonus()).then(e.BonusKept(0), e.TurnBegan(1, 2), e.PhaseBegan("reveal"))
    begun.when(c.Plant(0)).then_refused(errors.WrongPhase)
    revealed = begun.when(c.Reveal()).then_among_others(e.PhaseBegan("offer_gift"))
    revealed.when(c.OfferGift("green")).then_among_others(e.GiftOffered(1, "green"))


def test_planting_the_last_card_of_the_hand_ends_phase_1() -> None:
    """House: there is nothing left to plant a second time."""
    table = given_duel(side(("red",)), side(("red",)))
    table.when(c.Plant(0)).then(e.BeanPlanted(0, 0, "red"), e.PhaseBegan("reveal"))
