"""The second planting from the hand ends the phase `plant`: no reader misses the event that says so.

Source: the booklets' phase 1 (two plantings at most); docs/verifying.md. The records are public and end before the
game does, so that no opened secret shows that versions were counted anew.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.support.both_verifiers import verify_with_both
from tests.support.record_files import Line, narrowed, recorded, sealed, write

RECORDS = (
    "classic/three-players",
    "extended/three-players",
    "ladybohn/three-players",
    "bean-duel/2-players-4023",
    "ladybohn-expansion/three-players",
    "the-duel/two-players",
)


def begun(name: str) -> tuple[list[Line], int, int]:
    """Return the lines of a public record up to the command after a phase that two plantings ended.

    With the places of the event that begins the next phase, and of the entry with that command.
    """
    lines = narrowed(recorded(name), "public")
    entries: list[dict[str, Any]] = [line.get("entry", {}) for line in lines]
    plantings = 0
    for place, entry in enumerate(entries):
        if entry.get("type") == "turn_began":
            plantings = 0
        plantings += entry.get("type") == "bean_planted"
        if entry.get("type") == "phase_began" and plantings == 2:
            later = [each for each in range(place + 1, len(entries)) if "command" in entries[each]]
            return lines[: later[1]], place, later[0]
    raise AssertionError(name)


def as_file(lines: list[Line]) -> bytes:
    """Return the record with its entries numbered and sealed, and without a secret."""
    lines[0].pop("secret", None)
    for version, line in enumerate(lines[1:], 1):
        line["entry"]["version"] = version
    return sealed([*lines, {}])


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_that_ends_early_verifies(name: str, tmp_path: Path) -> None:
    """The record without the forgery."""
    lines, _, _ = begun(name)
    for verdict in verify_with_both(write(tmp_path / "record.ndjson", as_file(lines))):
        assert (verdict.status, verdict.findings) == (0, ())


@pytest.mark.parametrize("name", RECORDS)
def test_the_next_phase_does_not_begin(name: str, tmp_path: Path) -> None:
    """The next command belongs to a phase that is over; it is one version earlier than before."""
    lines, place, command = begun(name)
    del lines[place]
    for verdict in verify_with_both(write(tmp_path / "record.ndjson", as_file(lines))):
        assert (verdict.status, verdict.findings) == (1, (("commands", command - 1),))
