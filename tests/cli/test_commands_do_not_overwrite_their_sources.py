"""Files that commands write: never over a file that they read, nor over a file of another kind unless told to.

Source: issue 43, item 11. Every option that names a file to write is here, except those of commands that refuse an
occupied folder anyway (`dataset`) or choose their file names themselves (`backup`, `archive`).
"""

import gzip
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import fieldbook, replay
from tests.support.servers import ROOT

RECORD = ROOT / "tests/logs/classic/three-players.ndjson"
BEGIN = ["--system", "classic", "--players", "3", "--games", "1", "--bots", "greedy"]
COMMANDS: dict[str, tuple[Callable[..., subprocess.CompletedProcess[str]], list[str]]] = {
    "export to csv": (replay, ["export", "RECORD", "--to", "csv", "--output", "OUT"]),
    "export to markdown": (replay, ["export", "RECORD", "--to", "markdown", "--output", "OUT"]),
    "export to html": (replay, ["export", "RECORD", "--to", "html", "--output", "OUT"]),
    "annotate add": (
        replay,
        ["annotate", "add", "RECORD", "--file", "OUT", "--at", "5", "--comment", "Why?"],
    ),
    "annotate publish": (replay, ["annotate", "publish", "RECORD", "--file", "OUT"]),
    "branch": (replay, ["branch", "RECORD", "--at", "40", "--save", "OUT"]),
    "report": (fieldbook, ["report", "--records", "FOLDER", "OUT"]),
    "report data": (fieldbook, ["report", "--records", "FOLDER", "FREE", "--data", "OUT"]),
}
"""Commands that read a record, and write a file."""


def run(name: str, record: Path, out: Path | str) -> subprocess.CompletedProcess[str]:
    """Run one of the commands on a record, with a file to write."""
    program, words = COMMANDS[name]
    free = record.parent.parent / "free.html"
    given = {"RECORD": record, "OUT": out, "FOLDER": record.parent, "FREE": free}
    return program(*(given.get(word, word) for word in words))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record in a folder of its own."""
    folder = tmp_path / "records"
    folder.mkdir()
    return Path(shutil.copy(RECORD, folder / "game.ndjson"))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_refuses_to_write_over_the_record_that_it_reads(name: str, record: Path) -> None:
    """Status 2 with the name of the file, before any work; the record is unchanged."""
    ended = run(name, record, record)

    assert ended.returncode == 2, ended.stderr
    assert str(record) in ended.stderr
    assert record.read_bytes() == RECORD.read_bytes()
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("way", ["symbolic link", "hard link", "relative", "folder link"])
def test_another_name_of_the_record_is_the_record(way: str, record: Path) -> None:
    """A symbolic link, a hard link, a relative path and a linked folder all name the same file."""
    other = record.parent / "other.ndjson"
    match way:
        case "symbolic link":
            other.symlink_to(record.name)
        case "hard link":
            other.hardlink_to(record)
        case "relative":
            other = Path(os.path.relpath(record, ROOT))
        case _:
            (record.parent.parent / "there").symlink_to(record.parent)
            other = record.parent.parent / "there" / record.name

    assert run("export to csv", record, other).returncode == 2
    assert record.read_bytes() == RECORD.read_bytes()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_refuses_to_replace_another_record(name: str, record: Path, tmp_path: Path) -> None:
    """A record that the command does not read is worth as much."""
    other = Path(shutil.copy(RECORD, tmp_path / "other.ndjson"))

    ended = run(name, record, other)

    assert ended.returncode == 2, ended.stderr
    assert str(other) in ended.stderr
    assert other.read_bytes() == RECORD.read_bytes()


@pytest.mark.parametrize("content", [b"Dear auditor,\n", gzip.compress(b"{}", mtime=0)], ids=["text", "gzip"])
def test_a_command_refuses_to_replace_a_file_of_another_kind(
    content: bytes, record: Path, tmp_path: Path
) -> None:
    """Letters and archives look like nothing that a command writes."""
    letter = tmp_path / "letter.txt"
    letter.write_bytes(content)

    ended = run("export to csv", record, letter)

    assert ended.returncode == 2, ended.stderr
    assert letter.read_bytes() == content


@pytest.mark.parametrize("name", ["export to csv", "branch", "report"])
def test_force_replaces_a_file_of_another_kind_but_never_the_source(
    name: str, record: Path, tmp_path: Path
) -> None:
    """`--force` tells a command to replace a file; what it reads stays even then."""
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear auditor,\n", encoding="utf-8")
    program, words = COMMANDS[name]
    given = {"RECORD": record, "FOLDER": record.parent, "FREE": tmp_path / "free.html"}

    over_letter = program(*({**given, "OUT": letter}.get(word, word) for word in words), "--force")
    over_source = program(*({**given, "OUT": record}.get(word, word) for word in words), "--force")

    assert over_letter.returncode == 0, over_letter.stderr
    assert letter.read_text(encoding="utf-8") != "Dear auditor,\n"
    assert over_source.returncode == 2, over_source.stderr
    assert record.read_bytes() == RECORD.read_bytes()


@pytest.mark.parametrize("name", ["export to markdown", "export to csv", "export to html", "report data"])
def test_a_file_of_the_same_kind_is_replaced(name: str, record: Path, tmp_path: Path) -> None:
    """Writing twice works without `--force`, keeps the permissions, and leaves nothing else behind."""
    out = tmp_path / "out"
    assert run(name, record, out).returncode == 0
    out.chmod(0o600)
    before = set(tmp_path.iterdir())

    again = run(name, record, out)

    assert again.returncode == 0, again.stderr
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert set(tmp_path.iterdir()) == before


def test_annotations_that_a_record_carries_do_not_cost_the_record(record: Path, tmp_path: Path) -> None:
    """`--file` may name a record with annotations to read them, but nothing is written over it."""
    disputed = ROOT / "tests/logs/classic/disputed.ndjson.gz"
    carrying = tmp_path / "carrying.ndjson"
    carrying.write_bytes(gzip.decompress(disputed.read_bytes()))
    before = carrying.read_bytes()

    ended = replay("annotate", "add", carrying, "--file", carrying, "--at", "3", "--comment", "x")
    merged = replay("annotate", "merge", carrying, carrying, "--into", carrying)
    forced = replay("annotate", "merge", carrying, carrying, "--into", carrying, "--force")

    assert (ended.returncode, merged.returncode, forced.returncode) == (2, 2, 2)
    assert carrying.read_bytes() == before


def test_annotations_are_added_and_merged_in_place(record: Path, tmp_path: Path) -> None:
    """A file of annotations may be read and written by the same command: that is what it is for."""
    notes, others = tmp_path / "notes", tmp_path / "others"
    for file in (notes, notes, others):
        assert run("annotate add", record, file).returncode == 0

    merged = replay("annotate", "merge", notes, others, "--into", notes)

    assert merged.returncode == 0, merged.stderr
    assert replay("annotate", "check", record, "--file", notes).returncode == 0


def test_a_branch_is_continued_and_saved_in_its_own_file(record: Path, tmp_path: Path) -> None:
    """The file of a token may be read by --token and written by --save."""
    token = tmp_path / "token"
    assert run("branch", record, token).returncode == 0

    on = replay("branch", record, "--token", token, "--play", "1", "--save", token)

    assert on.returncode == 0, on.stderr


def test_a_symbolic_link_stays_and_its_target_is_replaced(record: Path, tmp_path: Path) -> None:
    """Otherwise a link such as `latest.html` would become a copy."""
    (tmp_path / "pages").mkdir()
    link, page = tmp_path / "latest.html", tmp_path / "pages/game.html"
    link.symlink_to(page)

    assert run("export to html", record, link).returncode == 0

    assert link.is_symlink()
    assert page.read_bytes().startswith(b"<!doctype html>")


@pytest.mark.parametrize("out", ["/dev/stdout", "-"])
def test_standard_output_may_be_named(out: str, record: Path, tmp_path: Path) -> None:
    """A stream that is a file is written where it stands; it is neither replaced nor cut off."""
    plain = replay("export", record, "--to", "csv").stdout
    there = tmp_path / "there.txt"
    there.write_text("before\n", encoding="utf-8")
    with there.open("ab") as file:
        subprocess.run(
            [sys.executable, "-m", "replay", "export", str(record), "--to", "csv", "--output", out],
            cwd=ROOT,
            stdout=file,
            check=True,
        )
        file.write(b"after\n")

    assert there.read_bytes() == f"before\n{plain}after\n".encode()


def test_standard_output_that_is_the_source_is_refused(record: Path) -> None:
    """`>> game.ndjson` would put a table behind the record."""
    with record.open("ab") as file:
        ended = subprocess.run(
            [sys.executable, "-m", "replay", "export", str(record), "--to", "csv", "--output", "/dev/stdout"],
            cwd=ROOT,
            stdout=file,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert ended.returncode == 2, ended.stderr
    assert record.read_bytes() == RECORD.read_bytes()


def test_a_source_on_standard_input_is_not_written_over(record: Path) -> None:
    """`replay export - --output game.ndjson < game.ndjson` names the source, too."""
    with record.open("rb") as file:
        ended = subprocess.run(
            [sys.executable, "-m", "replay", "export", "-", "--to", "csv", "--output", str(record)],
            cwd=ROOT,
            stdin=file,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert ended.returncode == 2, ended.stderr
    assert record.read_bytes() == RECORD.read_bytes()


def test_a_chart_replaces_only_a_picture(record: Path, tmp_path: Path) -> None:
    """`stats --plot` decides by the content of the file, not by its name."""
    misnamed = tmp_path / "game.svg"
    shutil.copy(RECORD, misnamed)

    refused = replay("stats", record, "--plot", misnamed)

    assert refused.returncode == 2, refused.stderr
    assert misnamed.read_bytes() == RECORD.read_bytes()


def test_a_simulation_replaces_no_other_record(tmp_path: Path) -> None:
    """The same plan writes the same records again; a record with other content under such a name is refused."""
    assert fieldbook("simulate", *BEGIN, "--out", tmp_path).returncode == 0
    (written,) = tmp_path.iterdir()
    content = written.read_bytes()
    assert fieldbook("simulate", *BEGIN, "--out", tmp_path).returncode == 0
    shutil.copy(RECORD, written)

    refused = fieldbook("simulate", *BEGIN, "--out", tmp_path)
    kept = written.read_bytes()
    forced = fieldbook("simulate", *BEGIN, "--out", tmp_path, "--force")

    assert refused.returncode == 2
    assert str(written) in refused.stderr
    assert kept == RECORD.read_bytes()
    assert forced.returncode == 0
    assert written.read_bytes() == content


def test_the_demo_refuses_an_existing_file_before_it_plays(record: Path) -> None:
    """`demo --out` names a new file."""
    ended = fieldbook("demo", "--out", record)

    assert ended.returncode == 2, ended.stderr
    assert str(record) in ended.stderr
    assert record.read_bytes() == RECORD.read_bytes()


def test_the_environment_refuses_an_existing_record(record: Path) -> None:
    """`python -m replay.environment --out` names a new file."""
    ended = subprocess.run(
        [sys.executable, "-m", "replay.environment", "--out", str(record)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )

    assert ended.returncode == 2, ended.stderr
    assert record.read_bytes() == RECORD.read_bytes()


@pytest.mark.parametrize("name", ["export to csv", "report data", "annotate add"])
def test_a_folder_or_a_missing_folder_is_named(name: str, record: Path, tmp_path: Path) -> None:
    """The message says what is wrong with the path, before the record is read; no bare `[Errno 2]`."""
    for out, message in ((tmp_path, "folder"), (tmp_path / "nosuch" / "x", "there is no folder")):
        ended = run(name, record, out)
        assert ended.returncode == 2, ended.stderr
        assert message in ended.stderr or "is a directory" in ended.stderr
        assert "Errno" not in ended.stderr
