"""An entry is accepted because it follows only where the checks one by one accept it too."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events import domain_events as e
from events.chain.hash_chain import GENESIS
from events.rules.table.state import INITIAL_STATE
from replay.client.sources import record_lines
from replay.records.report import Discrepancy, Report
from replay.verification.entry import VerifiedEntry
from replay.verification.execution.answer import Answer
from replay.verification.execution.derivation import NOT_DERIVED, Derivation
from replay.verification.execution.derived_entry import write_entry
from replay.verification.execution.table_writer import TableWriter
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import GAME, Line, parsed, relinked, resettled, written
from tests.replay.whole_games import GAMES
from tests.support.depth import depth
from tests.support.mutations import line_with_other_value

LOOKED_AT_CLOSELY = {"game_created", "game_rewound"}
"""What never is accepted because it follows."""


def one_by_one(record: list[bytes]) -> Report:
    """The report of a verifier that derives nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Derivation, "derive", lambda *_, **__: None)
        return verify_lines(record)


@pytest.mark.deep
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_genuine_record_follows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every entry of a genuine game can be derived, and what is reported is what the checks one by one report."""
    with record_lines(str(path)) as read:
        record = list(read)
    derive, derived = Derivation.derive, set()

    def noted(*given: Any, **named: Any) -> VerifiedEntry | None:
        entry = derive(*given, **named)
        if entry is not None:
            derived.add(entry.version)
        return entry

    monkeypatch.setattr(Derivation, "derive", noted)
    report = verify_lines(record)

    entries = [line["entry"] for line in parsed(record) if "entry" in line]
    assert derived == {entry["version"] for entry in entries if entry["type"] not in LOOKED_AT_CLOSELY}
    assert report == one_by_one(record)
    assert report.ok


@pytest.mark.deep
@pytest.mark.parametrize("covered_up", [written, relinked, resettled], ids=lambda cover: cover.__name__)
@pytest.mark.parametrize("seed", range(depth(2, 20)))
def test_a_forgery_is_reported_alike(seed: int, covered_up: Callable[[list[Line]], list[bytes]]) -> None:
    """Whatever value is changed, and however well that is covered up, deriving makes no difference to the finding."""
    chance = random.Random(seed)

    for _ in range(12):
        record = GAME.record()
        line = chance.randrange(1, len(record) - 1)
        _, record[line] = line_with_other_value(record[line], chance)
        try:
            forged = covered_up(parsed(record))
        except NOT_DERIVED:  # nobody can link this
            continue
        assert verify_lines(forged) == one_by_one(forged)


@pytest.mark.parametrize("change", ["actor", "at", "command"])
def test_what_is_not_derived_is_checked(change: str) -> None:
    """Commands, times and actors are taken from the record, so each of them is held to its bounds."""
    lines = parsed(GAME.record())
    for line in lines[1:-1]:
        entry = line["entry"]
        if entry["version"] > 20:
            entry |= {"actor": {"actor": "seat:00"}, "at": {"at": -1}, "command": {}}[change]
        if change == "command" and entry["type"] == "talked":
            entry["command"]["text"] = entry["data"]["text"] = "x" * 2_001

    report = verify_lines(resettled(lines))

    assert not report.ok
    assert report.findings[0].check == "shape"
    assert report == one_by_one(resettled(lines))


@pytest.mark.parametrize(
    "event",
    [
        e.Talked(0, "x" * 2_001),
        e.PileExhausted("draw", 2**53),
        e.PileExhausted("draw", -(2**53)),
        e.OfferMade(1, 0, None, want={"2nd": 1}),
        e.OfferMade(1, 0, None, want={"\n": 1}),
        e.CardsRevealed(0, ("blue",) * 1_001),
    ],
    ids=lambda event: type(event).__name__,
)
def test_bounds_hold_for_what_is_derived(event: e.DomainEvent) -> None:
    """Whatever rules answer: long texts, large numbers, strange names and too many members are refused."""
    answer = Answer(event, INITIAL_STATE)

    with pytest.raises(Discrepancy) as found:
        write_entry(2, 0, "seat:0", None, answer, head=GENESIS, key=bytes(32), tables=TableWriter())

    assert found.value.check == "shape"
