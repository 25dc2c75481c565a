"""Whatever is done to a record's lines or values is found, at the right version, without a crash."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from events.log.disclosure import ALL, PUBLIC, viewer_name
from replay.command_line import replay
from replay.records.report import Finding
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import parsed, written
from tests.support.mutations import line_with_other_value
from tests.support.recorded_games import recorded_game

STRICT = (("bean_protection", "strict"), ("start_seat", "random"))
WHOLE = recorded_game(5, 4, STRICT, 12)
SHORT = recorded_game(5, 4, STRICT, 12, stop_at=120)


def found(lines: list[bytes]) -> Finding:
    """The one finding."""
    report = verify_lines(lines)
    assert not report.ok
    return report.findings[0]


# --- lines ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 2], ids=viewer_name)
def test_a_record_cut_off_at_any_line_is_found(viewer: int) -> None:
    """Without its last line, or more, a record says itself where it was cut off."""
    record = SHORT.record(viewer)

    cuts = range(1, len(record), 1 if viewer == ALL else 5)

    findings = [found(record[:lines]) for lines in cuts]

    assert [finding.version for finding in findings] == list(cuts)
    assert {finding.check for finding in findings} == {"record"}


def test_a_record_cut_off_within_a_line_is_found() -> None:
    """The last line may be cut off in its middle."""
    record = SHORT.record()

    for line in (0, 1, 60, len(record) - 1):
        assert found([*record[:line], record[line][:20]]).version == min(line, len(SHORT.log))


def test_an_empty_file_is_found() -> None:
    """Nothing is no record."""
    assert found([]).version == 0


def test_a_tail_cut_off_and_a_new_end_put_in_its_place_is_found() -> None:
    """Entries of one command belong together, and so do the dealer's answers: the end of a game can't go missing."""
    record = WHOLE.record()
    commands = {entry.version for entry in WHOLE.log if entry.command}
    last = len(WHOLE.log)

    for version in range(last - 8, last):
        hash_there = WHOLE.log[version - 1].hash
        end = written([{"end": version, "hash": hash_there}])[0]
        finding = found([*record[: version + 1], end])
        assert (finding.check, finding.version) == ("end", version + 1)
        assert version == last - 1 or version + 1 not in commands


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 2], ids=viewer_name)
def test_a_finished_game_without_its_secret_is_found(viewer: int) -> None:
    """A game that ended has its secret opened, in every scope."""
    record = WHOLE.record(viewer)

    for entry in WHOLE.log[-3:-1]:
        end = written([{"end": entry.version, "hash": entry.hash}])[0]
        finding = found([*record[: entry.version + 1], end])
        assert (finding.check, finding.version) == ("end", entry.version + 1)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 2], ids=viewer_name)
def test_a_dropped_line_is_found(viewer: int) -> None:
    """Without one line there is a gap at its version."""
    record = SHORT.record(viewer)

    for line in range(1, len(record) - 1, 13):
        assert found([*record[:line], *record[line + 1 :]]).version in (line, line + 1)


def test_a_doubled_line_is_found() -> None:
    """An entry twice is one too many."""
    record = SHORT.record()

    for line in range(1, len(record) - 1, 13):
        assert found([*record[: line + 1], *record[line:]]).version == line + 1


def test_reordered_lines_are_found() -> None:
    """Two entries in each other's place are noticed at the first."""
    record = SHORT.record()

    for line in range(1, len(record) - 2, 7):
        swapped = [*record[:line], record[line + 1], record[line], *record[line + 2 :]]
        assert found(swapped).version == line


def test_lines_after_the_end_are_found() -> None:
    """Nothing may follow the end."""
    record = SHORT.record()

    assert found([*record, record[-2]]).version == len(SHORT.log)


def test_a_line_of_another_game_is_found() -> None:
    """An entry of another game with the same version breaks the chain."""
    other = recorded_game(6, 4, STRICT, 12).record()
    record = SHORT.record()

    for line in range(1, 60, 9):
        assert found([*record[:line], other[line], *record[line + 1 :]]).version == line


def test_members_named_twice_are_found() -> None:
    """Two readers could take two meanings from a member that stands there twice."""
    record = SHORT.record()
    doubled = record[30].replace(b'"actor":', b'"actor":"seat:1","actor":', 1)

    finding = found([*record[:30], doubled, *record[31:]])

    assert (finding.check, finding.version) == ("record", 30)
    assert "twice" in finding.reason


def test_a_member_outside_the_chain_is_found() -> None:
    """Nothing can be smuggled into a line beside what the chain covers."""
    lines = parsed(SHORT.record())
    lines[30]["comment"] = "hello"

    assert found(written(lines)).version == 30


# --- values --------------------------------------------------------------------------------------------------


def mutations(
    record: list[bytes], chance: random.Random, count: int
) -> Iterator[tuple[int, tuple[Any, ...], list[bytes]]]:
    """Records with a single value changed, renamed or left out, with its line and the way to it."""
    for _ in range(count):
        line = 0 if chance.random() < 0.1 else chance.randrange(1, len(record))
        way, changed = line_with_other_value(record[line], chance)
        yield line, way, [*record[:line], changed, *record[line + 1 :]]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 2], ids=viewer_name)
def test_a_single_changed_value_is_found(seed: int, viewer: int) -> None:
    """Whatever value is changed, anywhere in the file, is found at its version."""
    record = SHORT.record(viewer)

    for line, way, changed in mutations(record, random.Random(seed), 40):
        finding = found(changed)
        versions = {0: {0, 1}, len(record) - 1: {line - 1, line}}.get(line, {line})
        assert finding.version in versions, (line, way, finding)
        assert "cannot be processed" not in finding.reason, (line, way, finding)


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 2], ids=viewer_name)
def test_a_changed_value_of_a_finished_game_is_found(viewer: int) -> None:
    """The same in a game whose secret is open."""
    record = WHOLE.record(viewer)

    for line, way, changed in mutations(record, random.Random(99), 20):
        assert found(changed).version in {line, max(line - 1, 0), 1 if line == 0 else line}, (line, way)


def test_the_command_leaves_with_status_1_and_names_the_version() -> None:
    """A changed record ends `verify` with exit status 1, naming the version, and never with a traceback."""
    record = SHORT.record()

    for line, way, changed in mutations(record, random.Random(7), 40):
        result = CliRunner().invoke(replay, ["verify", "-", "--json"], input=b"".join(changed))
        assert result.exit_code == 1, (line, way, result.output)
        assert isinstance(json.loads(result.stdout)["findings"][0]["version"], int)
        assert isinstance(result.exception, SystemExit)
