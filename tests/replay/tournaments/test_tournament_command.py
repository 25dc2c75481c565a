"""`replay tournament`, as an auditor types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.command_line import replay
from tests.replay.tournaments.played import played
from tests.support.signing import Signer


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, list[str]]:
    """The log and the records of a tournament as files."""
    done = played()
    log = tmp_path / "log.ndjson"
    log.write_bytes(b"".join(done.log))
    records = []
    for game, lines in done.records.items():
        (tmp_path / f"{game}.ndjson").write_bytes(b"".join(lines))
        records.append(str(tmp_path / f"{game}.ndjson"))
    return str(log), records


def test_what_holds_is_told_with_the_table(files: tuple[str, list[str]]) -> None:
    """Status 0; checks, rulings and places."""
    log, records = files
    result = CliRunner().invoke(replay, ["tournament", log, *records])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Autumn: verified\n")
    assert (
        "ruling        round 1, table 1: annulled (by key_arbiter): The wrong cards were used."
        in result.output
    )
    assert "Bot 4 (p4): 0 points" in result.output
    machine = json.loads(CliRunner().invoke(replay, ["tournament", log, *records, "--json"]).output)
    assert machine["ok"]
    assert machine["standings"][0]["place"] == 1


def test_what_does_not_hold_is_told_with_its_entry_and_game(files: tuple[str, list[str]]) -> None:
    """Status 1: a record is missing, or the records are not signed by the trusted key."""
    log, records = files
    result = CliRunner().invoke(replay, ["tournament", log, *records[1:]])
    assert result.exit_code == 1
    assert "DOES NOT VERIFY" in result.output
    assert "game g1-1: there is no record of table 1 of round 1 [complete]" in result.output
    unsigned = CliRunner().invoke(replay, ["tournament", log, *records, "--key", str(Signer().key)])
    assert unsigned.exit_code == 1
    assert "[records]" in unsigned.output


def test_what_cannot_be_read_is_wrong_use(files: tuple[str, list[str]], tmp_path: Path) -> None:
    """Status 2: no such file, or a log in place of a record, or a record in place of the log."""
    log, records = files
    assert CliRunner().invoke(replay, ["tournament", *records]).exit_code == 2
    assert CliRunner().invoke(replay, ["tournament", str(tmp_path / "nothing")]).exit_code == 2
    assert CliRunner().invoke(replay, ["tournament", log, log]).exit_code == 2
