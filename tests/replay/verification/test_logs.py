"""Every recorded whole game in tests/logs verifies, and together they cover how games can end."""

from functools import cache
from pathlib import Path

import pytest

from events.rules.systems.registry import BY_KEY
from replay.client.sources import record_lines
from replay.records.report import Report
from replay.verification.verify import verify_lines
from tests.logs.endings import NOT_PLAYED_OUT, REQUIRED, REQUIRED_ONCE, WAYS
from tests.logs.search import missing_ways

FOLDER = Path(__file__).parents[2] / "logs"
LOGS = sorted(path for path in FOLDER.rglob("*.ndjson*"))
LARGEST = 6_500_000
"""Bytes of all logs together at most: they are part of every clone."""


@cache
def report_on(path: Path) -> Report:
    """What the verifier says of a log."""
    with record_lines(str(path)) as lines:
        return verify_lines(lines)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_verifies(path: Path) -> None:
    """Whatever becomes of the engine, what was recorded once verifies; what ended before its time is shorter."""
    report = report_on(path)

    assert not report.findings
    assert report.status == "finished"
    if report.reason != "never_begun":
        assert report.checks["shuffles"] > (20 if report.reason in NOT_PLAYED_OUT else 40)


def test_every_way_of_ending_is_covered() -> None:
    """For each system and number of players there is a log for each way in which its games can end."""
    assert missing_ways() == {}


def test_every_system_says_how_its_games_end() -> None:
    """A new rule system has to say which ways its logs must show."""
    assert set(REQUIRED) == set(BY_KEY)
    assert frozenset[str]().union(*REQUIRED.values(), *REQUIRED_ONCE.values()) <= {*WAYS, *NOT_PLAYED_OUT}


def test_every_number_of_players_is_covered() -> None:
    """For each rule system there is a log for each number of players."""
    players: dict[str, set[int]] = {key: set() for key in BY_KEY}
    for report in map(report_on, LOGS):
        players[report.system].add(len(report.scores))

    assert players == {key: set(system.players) for key, system in BY_KEY.items()}


def test_all_views_of_a_game_have_one_chain() -> None:
    """The public record, a seat's and the whole one end in the same chain head."""
    heads = {report_on(path).head for path in FOLDER.glob("classic/five-players*")}

    assert len(heads) == 1


def test_the_logs_stay_small() -> None:
    """All logs together fit into a clone."""
    assert 0 < sum(path.stat().st_size for path in LOGS) < LARGEST


def test_the_manifest_names_every_log() -> None:
    """The README of the logs lists each file."""
    manifest = (FOLDER / "README.md").read_text()

    assert [path for path in LOGS if f"`{path.relative_to(FOLDER).as_posix()}`" not in manifest] == []
