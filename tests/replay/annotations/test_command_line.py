"""`python -m replay annotate`, run as a user would."""

from pathlib import Path

import pytest

from tests.replay.commands.commands import LOGS, WHOLE, run

OTHER = LOGS / "three-players.ndjson"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A file with a published note of Jane's."""
    path = tmp_path / "notes.ndjson"
    said = ("--comment", "Why\x1b[2J\u202e **now**?", "--move", "dubious", "--tag", "greed")
    place = ("--mark", "field:2:0=red", "--position", "better", "--seat", "2")
    add = run("annotate", "add", WHOLE, "--file", path, "--author", "Jane", "--at", "140", *said, *place)
    assert add.returncode == 0, add.stderr
    assert run("annotate", "publish", WHOLE, "--file", path, "--author", "Jane").returncode == 0
    return path


def test_notes_are_shown_at_their_moments_and_move_nothing_on_the_screen(notes: Path) -> None:
    """By log, show and annotate show; what a terminal would obey is made visible."""
    log = run("log", WHOLE, "--from", "139", "--to", "141", "--annotations", notes)
    lines = log.stdout.splitlines()
    assert [line[:6].strip() for line in lines if "|" not in line[:8]] == ["139", "140", "141"]
    assert lines[2] == "      | Jane: a dubious move ?!; seat 2 stands better ±"
    assert lines[3] == "      |   Why<1b>[2J<202e> **now**?"
    shown = run("show", WHOLE, "--at", "140", "--annotations", notes)
    assert lines[3] in shown.stdout.splitlines()
    assert "Jane" not in run("show", WHOLE, "--at", "141", "--annotations", notes).stdout
    assert lines[3] in run("annotate", "show", WHOLE, "--file", notes).stdout.splitlines()
    as_json = run("log", WHOLE, "--from", "140", "--to", "140", "--annotations", notes, "--json").stdout
    assert '"tags":["greed"]' in as_json
    assert "\x1b" not in as_json


def test_what_is_about_another_game_or_broken_is_a_finding(notes: Path, tmp_path: Path) -> None:
    """Status 1, in a line, for every command that reads the file."""
    broken = tmp_path / "broken"
    broken.write_bytes(notes.read_bytes().replace(b"greed", b"GREED"))
    for record, path in ((OTHER, notes), (WHOLE, broken)):
        for command in (
            ("annotate", "check", record, "--file", path),
            ("annotate", "list", record, "--file", path),
            ("annotate", "publish", record, "--file", path),
            ("log", record, "--annotations", path),
            ("show", record, "--annotations", path),
        ):
            found = run(*command)
            assert found.returncode == 1, command
            assert found.stderr.startswith("Error: The annotations ")


def test_wrong_use_is_told_from_a_finding(notes: Path) -> None:
    """Status 2, and the file is what it was."""
    before = notes.read_bytes()
    for command in (
        ("add", WHOLE, "--file", notes, "--comment", "no moment"),
        ("add", WHOLE, "--file", notes, "--at", "140"),
        ("add", WHOLE, "--file", notes, "--at", "9999", "--tag", "x"),
        ("add", WHOLE, "--file", notes, "--at", "140", "--mark", "kitchen"),
        ("add", WHOLE, "--file", notes, "--at", "140", "--tag", "x", "--seat", "1"),
        ("edit", WHOLE, "--file", notes, "1", "--comment", "not mine", "--author", "Eve"),
        ("publish", WHOLE, "--file", notes, "--author", "Jane"),
        ("check", WHOLE, "--file", notes.with_name("nowhere")),
        ("import", "nonsense", "--file", notes),
    ):
        assert run("annotate", *command).returncode == 2, command
    assert notes.read_bytes() == before


def test_edits_replies_withdrawals_and_merging(notes: Path, tmp_path: Path) -> None:
    """Two people write in files of their own, which are joined the same in both orders."""
    other, one, two = tmp_path / "other", tmp_path / "one", tmp_path / "two"
    other.write_bytes(notes.read_bytes())
    name = run("annotate", "list", WHOLE, "--file", notes).stdout.split()[0]
    for command in (
        ("edit", WHOLE, "--file", notes, "--author", "Jane", "1", "--comment", "I see."),
        ("add", WHOLE, "--file", other, "--author", "Tom", "--reply-to", f"{name}/1", "--comment", "No."),
        ("add", WHOLE, "--file", other, "--author", "Tom", "--at", "9", "--tag", "gone"),
        ("withdraw", WHOLE, "--file", other, "--author", "Tom", "2"),
        ("merge", notes, other, "--into", one),
        ("merge", other, notes, "--into", two),
    ):
        done = run("annotate", *command)
        assert done.returncode == 0, done.stderr
    assert one.read_bytes() == two.read_bytes()
    shown = run("annotate", "show", WHOLE, "--file", one).stdout
    assert shown.index("I see.") < shown.index("Tom replies") < shown.index("No.")
    assert "gone" not in shown
