"""`fieldbook report`: a page and data of the store's games, or of records; what is left out is named."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from replay.platform.exit_status import FINDING, WRONG_USE
from service.access.game_access import PRIVATE_GAME, GamePolicy
from service.command_line import main
from service.jobs.jobs import validation_report
from service.verification.auditing import Auditor
from service.verification.store import Validations
from tests.replay.across.folders import write, write_good, write_left
from tests.service.in_process import InProcess
from tests.support.recorded_games import recorded_game


def fieldbook(*arguments: object, env: dict[str, str] | None = None, workers: int = 1) -> Result:
    """Run `fieldbook report` in this process."""
    given = [str(each) for each in ("report", *arguments, "--workers", workers)]
    return CliRunner(env=env).invoke(main, given, catch_exceptions=False)


def test_a_page_and_data_of_the_games_of_a_store(
    api: InProcess, store_environment: dict[str, str], tmp_path: Path
) -> None:
    """Private games are counted in, unless they are left out."""
    api.stored(1, most_offers=5)
    api.stored(2, most_offers=5, policy=GamePolicy(PRIVATE_GAME))
    api.stored(3, stop_at=60)
    page, data = tmp_path / "report.html", tmp_path / "report.json"

    done = fieldbook(page, "--data", data, env=store_environment)
    less = fieldbook(tmp_path / "less.html", "--leave-out", "private", env=store_environment)

    assert (done.exit_code, less.exit_code) == (0, 0), done.output + less.output
    assert "2 games; left out: none" in done.stdout
    assert "1 game; left out: 1 private" in less.stdout
    assert json.loads(data.read_text())["games"] == 2
    assert "<h1>2 games</h1>" in page.read_text()
    for name in ("Ann", "Ben", "game-1", "game-2"):
        assert name not in page.read_text()


def test_a_store_tells_of_cases_validations_and_audits(
    api: InProcess, store_environment: dict[str, str], tmp_path: Path
) -> None:
    """No record has them: the same games as files say so instead."""
    ended, other, running = (
        api.stored(1, most_offers=5),
        api.stored(2, most_offers=5),
        api.stored(3, stop_at=100),
    )
    path = f"/v1/games/{running.id}/disputes"
    for number, reason in enumerate(("collusion", "conduct")):
        opened = {"version": 40 + number, "reason": reason, "text": "Look at it."}
        answer = api.call("POST", path, opened, token=running.tokens[number])
        assert answer.status == 201, answer.body
    ruling = {"kind": "dismissed", "scope": "the trade", "reason": "It was fair."}
    for step, body in (("claim", None), ("rulings", ruling)):
        raw = b"" if body is None else None
        done = api.call("POST", f"{path}/1/{step}", body, token=api.key, raw=raw)
        assert done.status == 200, done.body
    Validations(api.store).add(ended.id, validation_report(api.store, ended.id, 1))
    Auditor(api.store, api.signing_keys).audit(other.id, 1)
    write(tmp_path / "records" / "game-1.ndjson", recorded_game(1, most_offers=5).record())

    page, data = tmp_path / "report.html", tmp_path / "report.json"
    fieldbook(page, "--data", data, env=store_environment)
    fieldbook(tmp_path / "alone.html", "--records", tmp_path / "records", "--data", tmp_path / "alone.json")

    assert json.loads(data.read_text())["store"] == {
        "cases": [
            {"reason": "collusion", "status": "ruled", "cases": 1},
            {"reason": "conduct", "status": "open", "cases": 1},
        ],
        "rulings": [{"reason": "collusion", "kind": "dismissed", "rulings": 1}],
        "validations": {"pending": 1, "valid": 1},
        "audits": {"agrees": 1, "not_audited": 1},
        "commands_of_bots": {},
    }
    assert "<td>collusion</td>" in page.read_text()
    assert "made from records alone" not in page.read_text()
    assert json.loads((tmp_path / "alone.json").read_text())["store"] is None
    assert "made from records alone" in (tmp_path / "alone.html").read_text()


@pytest.mark.process
def test_two_processes_give_the_same_bytes_as_one(tmp_path: Path) -> None:
    """Of the page and of the data."""
    records = write_left(write_good(tmp_path / "records"))
    for workers in (1, 2):
        out, data = tmp_path / f"{workers}.html", tmp_path / f"{workers}.json"
        done = fieldbook(out, "--records", records, "--data", data, workers=workers)

        assert done.exit_code == FINDING
        assert "3 games; left out: 4 does_not_verify, 1 other_release" in done.stdout
        assert "tampered.ndjson: does_not_verify" in done.stderr

    assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()


def test_a_place_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    """With the status of wrong use."""
    write_good(tmp_path / "records")

    done = fieldbook(tmp_path / "none" / "report.html", "--records", tmp_path / "records")

    assert done.exit_code == WRONG_USE
    assert "report.html" in done.output


@pytest.mark.parametrize("command", ["report", "dataset", "screen"])
def test_a_folder_without_records_is_wrong_use(command: str, tmp_path: Path) -> None:
    """A page or tables of no games would pass for an answer; nothing is begun."""
    records, out = tmp_path / "records", tmp_path / "out"
    records.mkdir()
    (records / "notes.txt").write_text("They are in another folder.")
    given = {"screen": [str(records)], "dataset": [str(out), "--none-private"]}.get(command, [str(out)])
    given += [] if command == "screen" else ["--records", str(records)]

    done = CliRunner().invoke(main, [command, *given])

    assert done.exit_code == WRONG_USE
    assert f"There is no record in {records}." in done.output
    assert not out.exists()
