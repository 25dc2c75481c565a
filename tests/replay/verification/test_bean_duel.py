"""What the events of `bean-duel` say is held against the table, and its records cannot be bent."""

import pytest

from events import domain_events as e
from events.log.disclosure import ALL, PUBLIC
from replay.records.report import Discrepancy
from replay.verification.plausibility.check import check_plausibility
from tests.replay.verification.forging import Line, altered, entry_of, finding_in
from tests.support.given import given
from tests.support.recorded_games import recorded_game
from tests.support.tables import rules_of

RULES = rules_of("bean-duel", 2)
TABLE = given(
    rules=RULES,
    phase="plant_revealed",
    hand=("blue", "chili"),
    coins=("soy",) * 3,
    revealed=("red", "soy"),
    discard_pile=("blue", "red", "soy"),
).state
GAME = recorded_game(230, 2, system="bean-duel", most_offers=12)


@pytest.mark.parametrize(
    "event",
    [
        e.DiscardsJoined(0, ("soy", "red")),
        e.RevealedPlanted(0, 2, 1, "soy"),
        e.RevealedDiscarded(0, 1, "red"),
        e.HandCardDiscarded(0, 2, "chili"),
        e.HandCardDiscarded(0, e.UNKNOWN_NUMBER, "chili"),
        e.ThirdFieldBought(0, ("soy",) * 3, boxed=True),
    ],
)
def test_what_can_have_happened_makes_sense(event: e.DomainEvent) -> None:
    """Cards lay where the event takes them from."""
    check_plausibility(RULES, TABLE, event)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (e.DiscardsJoined(0, ("red", "soy")), "on top of the discard pile"),
        (e.DiscardsJoined(0, ()), "on top of the discard pile"),
        (e.DiscardsJoined(0, ("soy", "red", "blue")), "matches no revealed one"),
        (e.RevealedPlanted(0, 1, 1, "soy"), "did not lie open"),
        (e.RevealedPlanted(0, 2, 2, "soy"), "has no field 2"),
        (e.RevealedDiscarded(0, 3, "red"), "did not lie open"),
        (e.HandCardDiscarded(0, 1, "chili"), "no such chili"),
        (e.HandCardDiscarded(0, e.UNKNOWN_NUMBER, "stink"), "no such stink"),
        (e.ThirdFieldBought(0, ("soy",) * 3), "go to the box"),
        (e.ThirdFieldBought(0, ("soy",) * 2, boxed=True), "not the top 3 coins"),
    ],
)
def test_what_cannot_have_happened_is_found(event: e.DomainEvent, said: str) -> None:
    """A spectator can tell, without the rules being asked."""
    with pytest.raises(Discrepancy, match=said):
        check_plausibility(RULES, TABLE, event)


def test_a_third_field_where_none_is_for_sale_is_found() -> None:
    """With three players in `extended` nobody buys a field."""
    rules = rules_of("extended", 3)
    table = given(rules=rules, fields=((), (), ()), coins=("soy",) * 3).state
    with pytest.raises(Discrepancy, match="no third field is for sale"):
        check_plausibility(rules, table, e.ThirdFieldBought(0, ("soy",) * 3))


@pytest.mark.parametrize(
    ("kind", "viewer"),
    [
        ("hand_card_discarded", ALL),
        ("hand_card_discarded", 1),
        ("revealed_discarded", ALL),
        ("revealed_discarded", PUBLIC),
        ("revealed_discarded", 0),
    ],
)
def test_another_card_than_was_discarded_is_found(kind: str, viewer: int) -> None:
    """A discarded card that is told otherwise is found by whoever could see where it came from."""

    def change(lines: list[Line]) -> None:
        data = entry_of(lines, kind)["entry"]["data"]
        data["card"] = "soy" if data["card"] != "soy" else "red"

    assert finding_in(altered(GAME.record(viewer), change))[0] in {"rules", "fold", "cards"}
