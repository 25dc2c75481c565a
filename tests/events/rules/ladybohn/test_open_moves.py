"""The move of a miss that a traded baby leaves to its owner. Section: Phase 2, Rapprochement des miss."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.systems.ladybohn.errors import BadMove, NoMoveOpen, NotAMiss
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, field_of, given_baby, table


def test_the_owner_moves_a_miss_whenever_they_like() -> None:
    """Rapprochement des miss: it blocks nobody; also past the baby, to the top."""
    after = given_baby().when(c.MoveMiss(0, 1, 2), by=2).then(e.MissMoved(2, 0, 1, 2, owed=True))
    assert field_of(after, 2) == (MISTER, MISTER, BABY, MISS)
    later = given_baby().when(c.EndTrading()).then_among_others(e.PhaseBegan("plant_aside"))
    later.when(c.MoveMiss(0, 1, 1), by=2).then(e.MissMoved(2, 0, 1, 1, owed=True))


def test_it_is_shown_to_everybody() -> None:
    """Everything on the table is: who may move a miss, and where."""
    assert player_view(given_baby().state, PUBLIC)["miss_moves"] == [{"seat": 2, "field": 0}]


def test_nobody_else_has_that_move() -> None:
    """Rapprochement des miss: the field's owner, on this field."""
    given_baby().when(c.MoveMiss(0, 1, 1), by=1).then_refused(NoMoveOpen) \
        .when(c.MoveMiss(1, 1, 1), by=2).then_refused(NoMoveOpen) \
        .when(c.MoveMiss(2, 1, 1), by=2).then_refused(errors.NoSuchField)  # fmt: skip


@pytest.mark.parametrize(
    ("miss", "places", "error"),
    [(1, 3, BadMove), (1, 0, BadMove), (0, 1, NotAMiss), (9, 1, NotAMiss)],
)
def test_it_moves_a_miss_one_or_two_places(miss: int, places: int, error: type[errors.RuleViolation]) -> None:
    """Rapprochement des miss: as with any baby."""
    given_baby().when(c.MoveMiss(0, miss, places), by=2).then_refused(error)


def test_it_is_not_listed_without_a_use() -> None:
    """Rules of the house: a miss on the top can go nowhere; a baby on her makes the move useful again."""
    useless = table(phase="trade", open_moves=((0, 0),), fields=((MISTER, MISS), ()))
    useless.when(c.MoveMiss(0, 1, 1)).then_refused(BadMove)
    useful = table(phase="trade", open_moves=((0, 0),), fields=((MISTER, MISS, BABY), ()))
    useful.when(c.MoveMiss(0, 1, 1)).then(e.MissMoved(0, 0, 1, 1, owed=True))


def test_a_baby_planted_there_keeps_it_open() -> None:
    """Rules of the house: only a card other than a baby closes it."""
    before = table(
        phase="plant_aside", open_moves=((0, 0),), aside=(BABY, PLAIN), fields=((MISS, MISTER), ())
    )
    before.when(c.PlantAside(1, 0, 0, 2)).then(e.AsidePlanted(0, 1, 0, BABY), e.MissMoved(0, 0, 0, 2)) \
        .when(c.MoveMiss(0, 2, 1)).then_refused(BadMove) \
        .when(c.PlantAside(2, 1)).then(e.AsidePlanted(0, 2, 1, PLAIN), e.PhaseBegan("draw"))  # fmt: skip


def test_another_card_planted_there_closes_it() -> None:
    """Rules of the house: until a card other than a baby is planted there; other fields don't matter."""
    before = table(
        phase="plant_aside", open_moves=((0, 0),), aside=(MISTER, PLAIN), fields=((MISS, BABY), ())
    )
    before.when(c.PlantAside(2, 1)).then(e.AsidePlanted(0, 2, 1, PLAIN)) \
        .when(c.PlantAside(1, 0)).then(
            e.AsidePlanted(0, 1, 0, MISTER), e.MissMovesLapsed(0, 0), e.PhaseBegan("draw")) \
        .when(c.MoveMiss(0, 0, 1)).then_refused(NoMoveOpen)  # fmt: skip


def test_the_harvest_closes_it() -> None:
    """Rules of the house: or until the field is harvested."""
    given_baby().when(c.Harvest(0), by=2).then(
        e.FieldHarvested(2, 0, (MISTER, MISS, MISTER, BABY), 0), e.MissMovesLapsed(2, 0)
    ).when(c.MoveMiss(0, 0, 1), by=2).then_refused(NoMoveOpen)


def test_the_end_of_the_turn_closes_it() -> None:
    """Rules of the house: or until the turn ends."""
    before = table(phase="draw", open_moves=((0, 0), (0, 0), (2, 1)), fields=((MISS, BABY), ()))
    before.when(c.Draw()).then(
        e.CardsDrawn(0, (PLAIN,) * 3),
        e.MissMovesLapsed(0, 0),
        e.MissMovesLapsed(2, 1),
        e.TurnBegan(1, 2),
        e.PhaseBegan("plant"),
    )
