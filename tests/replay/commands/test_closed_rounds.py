"""Records of a duplicate round whose secret is closed: every command reads them, to where the dealer is called."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from events.log.disclosure import ALL, PUBLIC
from replay.command_line import replay
from tests.support.rounds import SECRET, closed_table
from tests.support.ruled_games import STRETCH, disputed_record

PLAIN = closed_table("table-1", 1)
READING = (
    ["verify"],
    ["log"],
    ["show"],
    ["stats"],
    ["find", "--type", "game_ended"],
    ["step"],
    ["export", "--to", "html"],
    ["export", "--to", "csv"],
)
JUDGING = (
    ["audit"],
    ["branch", "--at", "200", "--bots", "greedy", "--until", "turn"],
    ["evidence", "--version", "500"],
)
"""What takes a whole record."""


@pytest.fixture(scope="module", params=[PUBLIC, "went back"])
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a closed game as spectators have it, or with the whole of one that went back."""
    game, viewer = PLAIN, request.param
    if viewer == "went back":
        game, viewer = disputed_record(2, "classic", 4, closed_table("table-2", 2, stop_at=3 * STRETCH)), ALL
    path = tmp_path_factory.mktemp("closed") / "record.ndjson"
    path.write_bytes(b"".join(game.record(viewer)))
    return path


@pytest.mark.parametrize("command", [*READING, *JUDGING], ids=" ".join)
def test_every_command_reads_it(record: Path, command: list[str]) -> None:
    """As any other, with nothing in it that only the secret opens."""
    result = CliRunner().invoke(replay, [command[0], str(record), *command[1:]], input="g 500\nq\n")

    is_refused = command in JUDGING and b'"scope":"public"' in record.read_bytes()[:200]
    assert (result.exit_code != 0) == is_refused, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert SECRET not in result.output


def test_the_log_ends_with_the_dealer_being_called(record: Path) -> None:
    """And the verifier says what can be checked later."""
    log = CliRunner().invoke(replay, ["log", str(record), "--language", "en"]).output
    report = CliRunner().invoke(replay, ["verify", str(record)]).output

    assert log.rstrip().endswith("The dealer has to open its secret.")
    assert "The secret is not opened yet" in report
