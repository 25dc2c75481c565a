"""The parts of the rehearsal of an upgrade; `make rehearse-upgrade` is the whole of it."""

import pytest

from service.startup.processes import PROGRAMS
from tests.faults.ledger import Tally
from tests.upgrades.places import STORE, Place, readers_first, readers_last, shuffled
from tests.upgrades.rehearsal import Rehearsed, Step
from tests.upgrades.results import sentences, unusual

MACHINES = ("one", "two")
EVERYTHING = {Place(STORE, STORE), *(Place(each, name) for each in MACHINES for name in PROGRAMS)}


@pytest.mark.parametrize("order", [readers_first, readers_last, shuffled(1)], ids=["first", "last", "by lot"])
def test_every_process_is_exchanged_once(order: object) -> None:
    """Whichever order it is, and none twice."""
    assert callable(order)
    places = order(MACHINES)
    assert {*places} == EVERYTHING
    assert len(places) == len(EVERYTHING)


def test_the_web_is_last_on_the_way_there_and_first_on_the_way_back() -> None:
    """Where something new can begin, everybody can read it by then."""
    assert [place.process for place in readers_first(MACHINES)[-2:]] == ["web", "web"]
    assert [place.process for place in readers_last(MACHINES)[:2]] == ["web", "web"]
    assert readers_first(MACHINES)[0] == readers_last(MACHINES)[-1] == Place(STORE, STORE)


def test_an_order_by_lot_follows_from_its_seed() -> None:
    """So one that has found something can be repeated."""
    assert shuffled(3)(MACHINES) == shuffled(3)(MACHINES)
    assert shuffled(3)(MACHINES) != shuffled(4)(MACHINES)


def test_the_report_names_what_clients_met_and_what_was_found() -> None:
    """And leaves out what says nothing."""
    tally = Tally(acknowledged=7)
    tally.answers.update({"200": 5, "refused": 1, "503 store_unavailable": 2})
    step = Step("forward", Place("one", "web"), "this commit", 1.0, 2.0, tally)
    found = Rehearsed(steps=[step], tally=tally, findings=["one"])

    assert unusual(step) == {"503 store_unavailable": 2}
    assert any(line.startswith("7 commands acknowledged") for line in sentences(found))
    assert any(line.startswith("1 findings") for line in sentences(found))
