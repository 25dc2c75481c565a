"""`replay branch --save`: the token of a branch in a file, not on the screen."""

from pathlib import Path

from click.testing import CliRunner, Result

from replay.command_line import replay

RECORD = str(Path(__file__).parents[3] / "tests" / "logs" / "classic" / "five-players.ndjson")


def branch(*arguments: str, lines: str = "") -> Result:
    """What the command prints, and how it ends."""
    return CliRunner().invoke(replay, ["branch", RECORD, *arguments], input=lines)


def test_a_saved_branch_goes_on_from_its_file(tmp_path: Path) -> None:
    """The file has what would have been printed; nothing of it stands on the screen."""
    file = tmp_path / "branch.token"
    printed = branch("--at", "140", "--play", "2")
    saved = branch("--at", "140", "--play", "2", "--save", str(file))

    assert saved.exit_code == 0, saved.output
    assert "token " not in saved.stdout
    assert f"Written: {file}" in saved.stderr
    assert printed.stdout.rstrip().endswith(f"token {file.read_text().strip()}")
    assert branch("--token", str(file)).stdout == branch("--token", file.read_text().strip()).stdout


def test_what_is_played_interactively_is_saved_at_the_end(tmp_path: Path) -> None:
    """The token is that of the branch as it was left."""
    file = tmp_path / "branch.token"
    assert branch("--at", "140", "--interactive", "--save", str(file), lines="2\nq\n").exit_code == 0
    played = branch("--at", "140", "--play", "2").stdout
    assert played.rstrip().endswith(f"token {file.read_text().strip()}")


def test_what_is_no_token_and_no_file_is_named(tmp_path: Path) -> None:
    """Status 2, with what was given."""
    for wrong in (str(tmp_path / "nothing"), str(tmp_path)):
        refused = branch("--token", wrong)
        assert refused.exit_code == 2
        assert "This is no token of a branch" in refused.output
    (tmp_path / "other").write_text("hello\n")
    assert branch("--token", str(tmp_path / "other")).exit_code == 2
