"""What the events of `ladybohn` say is held against the table, and its records cannot be bent."""

import pytest

from events import domain_events as e
from events.log.disclosure import ALL, PUBLIC
from replay.records.report import Discrepancy
from replay.verification.plausibility.check import check_plausibility
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, rules, table
from tests.replay.verification.forging import Line, altered, entry_of, finding_in
from tests.support.recorded_games import recorded_game
from tests.support.tables import seat_with

LADY = "garden_female"
RULES = rules()
TABLE = table(
    phase="trade",
    fields=((MISTER, MISS, BABY), (LADY, LADY)),
    coins=(PLAIN, MISTER, MISS, BABY),
    others={1: seat_with(fields=((LADY,), (), ())), 2: seat_with(coins=(PLAIN,) * 3)},
    discard_pile=(MISTER, PLAIN),
    draw_pile=(MISS, BABY, PLAIN),
    open_moves=((0, 0),),
    unseen=((0, 1), (0, 3)),
).state


@pytest.mark.parametrize(
    "event",
    [
        e.MissMoved(0, 0, 1, 1),
        e.MissMoved(0, 0, 1, 1, owed=True),
        e.MissMoveOpened(0, 0),
        e.MissMovesLapsed(0, 0),
        e.FieldBarred(0, 1),
        e.FieldPaidFromPiles(1, 0, (LADY,), (PLAIN, MISTER)),
        e.FieldPaidFromPiles(0, 1, (LADY, LADY), (PLAIN, MISTER), (MISS,)),
        e.FieldPaidFromPiles(0, 1, (LADY, LADY), (PLAIN, MISTER), (e.UNKNOWN_CARD,)),
        e.CoinsShown(0, (1, 3), (MISTER, BABY)),
        e.FieldHarvested(0, 0, (MISTER, MISS, BABY), 0),
    ],
)
def test_what_can_have_happened_makes_sense(event: e.DomainEvent) -> None:
    """Cards lay where the event takes them from."""
    check_plausibility(RULES, TABLE, event)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (e.MissMoved(0, 0, 0, 1), "no miss's"),
        (e.MissMoved(0, 0, 1, 2), "nothing on field 0 moves"),
        (e.MissMoved(0, 0, -1, 1), "nothing on field 0 moves"),
        (e.MissMoved(0, 0, 1, 0), "nothing on field 0 moves"),
        (e.MissMoved(0, 2, 1, 1), "has no field 2"),
        (e.MissMoved(0, 1, 0, 1, owed=True), "had no move open"),
        (e.MissMoveOpened(1, 1), "no miss grows"),
        (e.MissMovesLapsed(0, 1), "had no move open"),
        (e.FieldBarred(0, 5), "has no field 5"),
        (e.FieldPaidFromPiles(1, 0, (LADY,), (MISTER, PLAIN)), "do not come from these places"),
        (e.FieldPaidFromPiles(1, 0, (LADY,), (PLAIN,), (MISS,)), "do not come from these places"),
        (e.FieldPaidFromPiles(1, 0, (LADY,), (PLAIN, MISTER), (), 1), "do not come from these places"),
        (e.FieldPaidFromPiles(0, 1, (LADY, LADY), (PLAIN, MISTER), (BABY,)), "on top of the draw pile"),
        (e.FieldPaidFromPiles(1, 0, (MISS,), (PLAIN, MISTER)), "held other cards"),
        (e.FieldPaidFromPiles(0, 0, (MISTER, MISS, BABY)), "with its own cards"),
        (e.FieldHarvested(1, 0, (LADY,), 2), "not paid with cards of the field"),
        (e.CoinsShown(0, (2,), (MISS,)), "not all of the coins"),
        (e.CoinsShown(0, (1, 1), (MISTER, MISTER)), "not all of the coins"),
        (e.CoinsShown(0, (1,), (BABY,)), "not those that lay there"),
    ],
)
def test_what_cannot_have_happened_is_found(event: e.DomainEvent, said: str) -> None:
    """A spectator can tell, without the rules being asked."""
    with pytest.raises(Discrepancy, match=said):
        check_plausibility(RULES, TABLE, event)


def test_a_third_field_too_many_is_found() -> None:
    """There are two of them."""
    owner = seat_with(fields=((), (), ()))
    state = table(coins=(PLAIN,) * 3, others={1: owner, 2: owner}).state
    with pytest.raises(Discrepancy, match="only 2 third fields"):
        check_plausibility(RULES, state, e.ThirdFieldBought(0, (PLAIN,) * 3))


GAME = recorded_game(1110, 3, system="ladybohn", most_offers=60)
"""A game in which coins come off the draw pile, and are shown when they are spent."""


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 0])
def test_other_coins_than_were_drawn_are_found(viewer: int) -> None:
    """Whoever sees them when they are shown can tell in the end, by the secret, what lay on the draw pile."""

    def change(lines: list[Line]) -> None:
        shown, paid = entry_of(lines, "coins_shown"), entry_of(lines, "third_field_bought")
        card = shown["entry"]["data"]["cards"][0]
        other = "blue_male" if card != "blue_male" else "chili_male"
        shown["entry"]["data"]["cards"][0] = other
        data = paid["entry"]["data"]
        data["paid"] = [other if each == card else each for each in data["paid"]]

    assert finding_in(altered(GAME.record(viewer), change))[0] in {
        "rules",
        "fold",
        "cards",
        "shuffles",
        "commitments",
    }


def test_other_coins_shown_at_the_end_are_found_by_a_spectator() -> None:
    """Nothing follows from these coins but the secret tells which cards were drawn."""
    game = recorded_game(
        1145, 5, (("bean_protection", "strict"), ("start_seat", "random")), system="ladybohn", most_offers=60
    )

    def change(lines: list[Line]) -> None:
        shown = [line for line in lines if line.get("entry", {}).get("type") == "coins_shown"][-1]
        (card,) = shown["entry"]["data"]["cards"]
        shown["entry"]["data"]["cards"] = ["blue_male" if card != "blue_male" else "chili_male"]

    assert finding_in(altered(game.record(PUBLIC), change))[0] == "shuffles"
