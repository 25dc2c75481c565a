"""What a refusal says: a player must understand what was wrong, where, and what can be done about it."""

import pytest

from events import commands as c
from events.rules import errors
from events.rules.decide import play
from tests.support.given import Given, given
from tests.support.tables import classic_rules, rules_of, seat_with

FULL = (("stink",), ("red", "red"))


def message(table: Given, command: c.Command, by: int | None = None) -> str:
    """What the refusal of this command says."""
    with pytest.raises(errors.RuleViolation) as refused:
        play(table.rules, table.state, table.state.active if by is None else by, command)
    return str(refused.value)


def test_who_has_no_room_is_told_to_buy_a_field_only_where_one_can_be_bought() -> None:
    """With three coins in hand a field is for sale; with two, or with the third field owned, it is not."""
    rich, poor = ("blue",) * 3, ("blue",) * 2
    assert "buy the third one" in message(given(fields=FULL, coins=rich), c.Plant(0))
    assert "buy" not in message(given(fields=FULL, coins=poor), c.Plant(0))
    assert "buy" not in message(given(fields=(*FULL, ("soy",)), coins=rich), c.Plant(0))


def test_in_the_duel_nobody_is_told_to_buy_a_field() -> None:
    """The Duel, Contenu et mise en place: there are three fields each, always."""
    table = given(
        rules=rules_of("the-duel", 2),
        hand=("garden", "red"),
        fields=(("blue",), ("blue",), ("blue",)),
        coins=("blue",) * 3,
    )
    said = message(table, c.Plant(0))
    assert "Harvest a field" in said
    assert "buy" not in said


def test_off_turn_in_ladybohn_nobody_is_told_to_buy_a_field() -> None:
    """Ladybohn, Les cartes 3ème champ: one is bought in one's own turn only."""
    other = seat_with(fields=(("stink_male",), ("red_male",)), coins=("blue_male",) * 3, aside=("soy_male",))
    table = given(rules=rules_of("ladybohn", 3), hand=("blue_male",), phase="plant_aside", others={1: other})
    said = message(table, c.PlantAside(1, 0), by=1)
    assert "Harvest a field" in said
    assert "buy" not in said


def test_a_gift_is_accepted_without_naming_a_card() -> None:
    """House rule: an offer that wants nothing is paid with nothing, and the refusal says so."""
    table = given(phase="trade", hand=("blue",), others={1: seat_with(hand=("green",))})
    offered = table.when(c.Offer(1, (1,), (), {}, ())).then_among_others()
    assert "without naming a card" in message(offered, c.Accept(1, (1,)), by=1)


def test_a_purchase_off_turn_in_ladybohn_names_the_section_that_forbids_it() -> None:
    """Ladybohn, Les cartes 3ème champ; other things out of turn are forbidden by the order of the turn."""
    rules = rules_of("ladybohn", 3)
    table = given(rules=rules, hand=("blue_male",), others={1: seat_with(hand=("red_male",))})
    for command, title in [(c.BuyField(), "Les cartes 3ème champ"), (c.Plant(0), "Déroulement de la partie")]:
        with pytest.raises(errors.NotYourTurn) as refused:
            play(table.rules, table.state, 1, command)
        assert rules.system.section_of(refused.value).title == title


def test_a_phase_that_is_not_this_one_is_named() -> None:
    """The message says where the command belongs, and where the turn is."""
    said = message(given(rules=classic_rules()), c.Draw())
    assert "belongs to phase draw" in said
    assert "is in phase plant" in said
