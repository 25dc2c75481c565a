"""Which rule system can be played with which catalogue, and that an accepted one is really played to its end."""

from typing import Any

import msgspec
import pytest

from events.rules.catalogues.catalogue import SHIPPED, Bean, Catalogue, check_catalogue, shipped_catalogue
from events.rules.definition.playable import unplayable
from events.rules.systems.registry import BY_KEY
from tests.support.strategies import Dice, opening, play_on

CLASSIC, DUEL = shipped_catalogue("bohnanza-104"), shipped_catalogue("the-duel")
LADYBOHN, EXPANSION = shipped_catalogue("ladybohn"), shipped_catalogue("ladybohn-expansion")


def changed(catalogue: Catalogue, card: str, **members: Any) -> Catalogue:
    """The catalogue with another figure on one card, and the total that goes with it."""
    beans = tuple(
        msgspec.structs.replace(bean, **members) if bean.card == card else bean for bean in catalogue.beans
    )
    total = sum(bean.copies for bean in beans)
    return msgspec.structs.replace(catalogue, name="mine", beans=beans, total=total)


def without(catalogue: Catalogue, *cards: str) -> Catalogue:
    """The catalogue without some of its cards."""
    beans = tuple(bean for bean in catalogue.beans if bean.card not in cards)
    return msgspec.structs.replace(catalogue, beans=beans, total=sum(bean.copies for bean in beans))


def plain(*copies: int) -> Catalogue:
    """A made-up deck of as many varieties as there are numbers."""
    beans = tuple(
        Bean(card=f"bean_{number}", copies=count, provenance="house", names={}, beanometer={"1": 2, "4": 4})
        for number, count in enumerate(copies)
    )
    return Catalogue(name="mine", title="Mine", total=sum(copies), source="made up", beans=beans)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_system_is_played_with_its_own_catalogue(name: str) -> None:
    """And which others each of them can be played with follows from its cards."""
    can = {key for key, system in BY_KEY.items() if not [*unplayable(system, shipped_catalogue(name))]}
    assert can >= {key for key, system in BY_KEY.items() if system.catalogue == name}
    assert (
        can
        == {
            "bohnanza-104": {"classic"},
            "bohnanza-154": {"classic", "extended", "bean-duel"},
            "ladybohn": {"ladybohn"},
            "ladybohn-expansion": {"ladybohn-expansion"},
            "the-duel": {"the-duel"},
        }[name]
    )


@pytest.mark.parametrize(
    ("system", "catalogue", "reason"),
    [
        ("classic", plain(10, 14), "too few for 5 players"),
        ("classic", DUEL, "no bonus cards"),
        ("classic", LADYBOHN, "no male cards, and blue_male is one"),
        ("extended", CLASSIC, "rules name the card cocoa, which is missing"),
        ("bean-duel", CLASSIC, "rules name the card cocoa, which is missing"),
        ("ladybohn", CLASSIC, "each of its cards has a sex"),
        ("ladybohn", without(LADYBOHN, "garden_female"), "rules name the card garden_female"),
        ("ladybohn", EXPANSION, "no make-up beans"),
        ("ladybohn-expansion", LADYBOHN, "no baby cards"),
        ("ladybohn-expansion", changed(EXPANSION, "red_female", beanometer={"2": 1}), "more coins than it has"),
        ("the-duel", CLASSIC, "no order of varieties"),
    ],
)  # fmt: skip
def test_what_there_are_no_rules_for_is_no_deck(system: str, catalogue: Catalogue, reason: str) -> None:
    """The reason names the system and the card."""
    reasons = [fault.reason for fault in unplayable(BY_KEY[system], catalogue)]
    assert any(reason in each for each in reasons), reasons
    assert all(each.startswith(f"{system} cannot be played with it: ") for each in reasons)


@pytest.mark.parametrize(
    ("system", "catalogue"),
    [
        ("classic", plain(26)),
        ("classic", plain(4, 4, 30)),
        ("classic", shipped_catalogue("bohnanza-154")),
        ("extended", changed(shipped_catalogue("bohnanza-154"), "wax", copies=60)),
        ("bean-duel", changed(shipped_catalogue("bohnanza-154"), "wax", beanometer={"3": 3, "4": 11})),
        ("ladybohn", changed(LADYBOHN, "blue_female", beanometer={"4": 1})),
        ("ladybohn-expansion", changed(EXPANSION, "make_up_female", copies=40)),
        ("ladybohn-expansion", without(EXPANSION, "make_up_female")),
        ("the-duel", changed(DUEL, "garden", copies=30, beanometer={"1": 1})),
    ],
    ids=range(9),
)  # fmt: skip
def test_what_is_accepted_can_be_played_to_the_end(system: str, catalogue: Catalogue) -> None:
    """With the fewest and the most players, by legal commands chosen at random."""
    check_catalogue(catalogue, "made up")
    assert [*unplayable(BY_KEY[system], catalogue)] == []
    for players in {min(BY_KEY[system].players), max(BY_KEY[system].players)}:
        begun = opening(f"{system}/{players}", players, {}, catalogue=catalogue, system=system)
        *_, last = play_on(begun.table, Dice(f"{system}/{players}"))
        assert last.after.state.result is not None
