"""`fieldbook report`: a page and data of the store's games, or of records; what is left out is named."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.access.game_access import PRIVATE_GAME, GamePolicy
from service.cli.exit_status import FINDING, WRONG_USE
from service.command_line import main
from tests.replay.across.folders import write_good, write_left
from tests.service.in_process import InProcess


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
    assert "1 games; left out: 1 private" in less.stdout
    assert json.loads(data.read_text())["games"] == 2
    assert "<h1>2 games</h1>" in page.read_text()
    for name in ("Ann", "Ben", "game-1", "game-2"):
        assert name not in page.read_text()


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
