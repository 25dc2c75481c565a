"""`replay tournament`: who brought about each entry of the log, and when.

Source: docs/tournaments.md, "The log": the service pairs, starts tables, takes results and closes rounds by itself
(`by` is `fieldbook`); the key of the organiser or of an operator announces, registers, withdraws and starts; all
entries of one step have one `by` and `at`; times never decrease.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.replay.tournaments.played import play_ruled_table, played
from tests.support.commands import replay
from tests.support.record_files import Line, hash_after, write

Change = Callable[[list[Line]], None]


@cache
def tournament() -> tuple[bytes, dict[str, bytes]]:
    """Return the log and the records of a tournament that was played."""
    done = played()
    return b"".join(done.log), {game: b"".join(lines) for game, lines in done.records.items()}


def check(folder: Path, log: bytes, records: dict[str, bytes]) -> tuple[int, list[tuple[str, int]]]:
    """Return the status of `replay tournament`, with the check and the entry of each finding."""
    files = [write(folder / f"{game}.ndjson", content) for game, content in records.items()]
    run = replay("tournament", write(folder / "log.ndjson", log), *files, "--json")
    found = json.loads(run.stdout)["findings"]
    return run.returncode, [(each["check"], each["entry"]) for each in found]


def sealed(lines: list[Line]) -> bytes:
    """Return the log as a file, linked again."""
    head, written = "0" * 64, []
    for number, line in enumerate(lines, 1):
        line["entry"]["number"] = number
        head = line["hash"] = hash_after(head, line["entry"])
        written.append(
            json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        )
    return b"".join(written)


def entry_of(lines: list[Line], event_type: str, place: int = 0) -> Line:
    """Return an entry of this type."""
    found: list[Line] = [line["entry"] for line in lines if line["entry"]["type"] == event_type]
    return found[place]


def by(event_type: str, who: str, place: int = 0) -> Change:
    """Let another one have brought about an entry."""
    return lambda lines: entry_of(lines, event_type, place).update(by=who)


def later(event_type: str, milliseconds: int, place: int = 0) -> Change:
    """Put the time of an entry off, or back."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, event_type, place)["at"] += milliseconds

    return change


FORGERIES: dict[str, Change] = {
    "the service announces it": by("tournament_created", "fieldbook"),
    "a key that has no id announces it": by("tournament_created", ""),
    "the service registers a player": by("player_registered", "fieldbook"),
    "the service withdraws a player": by("player_withdrew", "fieldbook"),
    "the service closes registration": by("registration_closed", "fieldbook"),
    "a key pairs a round": by("round_paired", "key_club"),
    "a key starts a table": by("table_started", "key_club"),
    "a key takes a result": by("table_finished", "key_club"),
    "a key closes a late table": by("table_forfeited", "key_club"),
    "a key closes a round": by("round_closed", "key_club"),
    "a key notes the final table": by("tournament_finished", "key_club"),
    "the service rules without a dispute": by("table_ruled", "fieldbook"),
    "the final table after a ruling is by another key": by("tournament_finished", "fieldbook", -1),
    "the final table after a ruling is of another time": later("tournament_finished", 1, -1),
    "a round is paired before registration was closed": later("round_paired", -10_000_000_000),
    "a result is taken before its round was paired": later("table_finished", -10_000_000_000),
}


def test_the_genuine_tournament_verifies(tmp_path: Path) -> None:
    """Linking it again changes nothing."""
    log, records = tournament()

    assert check(tmp_path, sealed([json.loads(line) for line in log.splitlines()]), records) == (0, [])


@pytest.mark.parametrize("forgery", FORGERIES)
def test_an_entry_by_another_or_of_another_time_is_found(tmp_path: Path, forgery: str) -> None:
    """Status 1, and the entry is named."""
    log, records = tournament()
    lines = [json.loads(line) for line in log.splitlines()]
    FORGERIES[forgery](lines)
    status, findings = check(tmp_path, sealed(lines), records)

    assert status == 1
    assert {check for check, _ in findings} & {"decided", "log"}


def test_a_result_that_a_ruling_replaced_is_that_of_the_record(tmp_path: Path) -> None:
    """The log has the scores of the ruling, as the record's last event has them; any others are a finding."""
    done = play_ruled_table()
    records = {game: b"".join(lines) for game, lines in done.records.items()}
    assert check(tmp_path, b"".join(done.log), records) == (0, [])

    lines = [json.loads(line) for line in done.log]
    entry_of(lines, "table_finished")["data"]["scores"] = [9, 8]
    status, findings = check(tmp_path, sealed(lines), records)
    assert status == 1
    assert ("results", entry_of(lines, "table_finished")["number"]) in findings
