"""A viewer's form as an event that can be folded: hidden values become stand-ins."""

from typing import Any

import pytest

from events import domain_events as e
from events.log.redacted import event_in
from events.log.upcasting import UndecodableEvent
from events.rules.evolving.evolve import evolve, fold
from events.rules.table.state import INITIAL_STATE
from tests.support.tables import seat_with

HIDDEN = {"commitment": "0" * 64}


def entry(kind: str, data: Any, schema: int = 1) -> dict[str, Any]:
    """An entry as a record holds it."""
    return {"version": 1, "type": kind, "schema": schema, "data": data}


@pytest.mark.parametrize(
    ("kind", "data", "event"),
    [
        ("hand_dealt", {"seat": 1, "cards": [HIDDEN, HIDDEN]}, e.HandDealt(1, ("?", "?"))),
        ("hand_dealt", {"seat": 1, "cards": ["blue", "red"]}, e.HandDealt(1, ("blue", "red"))),
        ("cards_drawn", {"seat": 1, "cards": [HIDDEN]}, e.CardsDrawn(1, ("?",))),
        ("pile_shuffled", {"pile": "draw", "number": 1, "order": [HIDDEN] * 3},
         e.PileShuffled("draw", 1, ("?",) * 3)),
        ("pile_shuffled", {"pile": "draw", "number": 1, "order": [HIDDEN, "soy"]},
         e.PileShuffled("draw", 1, ("?", "soy"))),
        ("offer_made", {"offer": 1, "seat": 0, "to": None, "hand": [HIDDEN], "hand_cards": ["red"]},
         e.OfferMade(1, 0, None, (0,), ("red",))),
        ("seat_taken", {"seat": 0, "name": "B", "kind": "bot", "bot": "greedy", "bot_seed": HIDDEN},
         e.SeatTaken(0, "B", "bot", "greedy", "")),
        ("phase_began", {"phase": "trade"}, e.PhaseBegan("trade")),
    ],
)  # fmt: skip
def test_hidden_values_become_stand_ins(kind: str, data: dict[str, Any], event: e.DomainEvent) -> None:
    """An unknown card, an unknown number or nothing; what is shown stays."""
    assert event_in(entry(kind, data)) == event


@pytest.mark.parametrize(
    "broken",
    [
        {}, {"type": "hand_dealt"}, entry("bean_eaten", {}), entry("phase_began", {"phase": "trade"}, 2),
        entry("phase_began", []), entry("phase_began", None), entry("phase_began", {"phase": HIDDEN}),
        entry("phase_began", {"phase": "trade", "mood": "good"}), entry("hand_dealt", {"seat": 1, "cards": 3}),
        entry("hand_dealt", {"seat": HIDDEN, "cards": []}), entry("hand_dealt", {"seat": 1}),
        entry("phase_began", {"type": "turn_began", "phase": "trade"}),
        {"type": ["hand_dealt"], "schema": 1, "data": {}},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_event_is_refused(broken: dict[str, Any]) -> None:
    """Only private fields may be hidden; unknown types, versions, fields and shapes are errors."""
    with pytest.raises(UndecodableEvent):
        event_in(broken)


def test_unknown_numbers_take_cards_from_the_back_of_an_unknown_hand() -> None:
    """A trade whose numbers a viewer does not see still leaves hands of the right size."""
    start = (e.GameCreated("g", "classic", 1, 1, 3, {}, "", ""), e.GameStarted(2))
    hands = (e.HandDealt(0, ("?", "?", "?")), e.HandDealt(1, ("blue", "red", "soy")))
    state = fold((*start, *hands), INITIAL_STATE)
    traded = evolve(state, e.TradeMade(1, 0, 1, ("green", "green"), ("red",), (0, 0), (), (2,)))
    assert traded.seats[0].hand == ((1, "?"),)
    assert traded.seats[1].hand == ((1, "blue"), (3, "soy"))
    assert traded.seats[0].aside == seat_with(aside=("red",)).aside
