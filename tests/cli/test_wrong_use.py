"""Wrong use of every command: the status, and a message that names what is wrong; and the examples of every `--help`.

Source: issue 43, "Wrong use that is answered badly", and further tries with every command.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.commands import fieldbook
from tests.support.servers import ROOT

RECORD = ROOT / "tests/logs/classic/three-players.ndjson"
LAST = 567
"""The last version of that record."""
WRONG = [
    ("up --port 99999", "99999"),
    ("replay log RECORD --from 99999", f"ends with version {LAST}"),
    ("replay log RECORD --from 20 --to 10", "--from 20"),
    ("replay log RECORD --to 0", "--to"),
    ("replay show RECORD --at 99999", f"ends with version {LAST}"),
    ("replay find RECORD --seat 9", "--seat 9"),
    ("replay ratings EMPTY", "no record in"),
    ("replay ratings RECORD --system nope", "the-duel"),
    ("replay ratings RECORD --inputs NOTHING", "No such file"),
    ("replay stats RECORD --plot NOTHING/x.svg", "there is no folder"),
    ("replay stats RECORD --plot x.jpg", ".svg"),
    ("replay tournament RECORD RECORD", "not the log of a tournament"),
    ("replay tournament TEXT", "not the log of a tournament"),
    ("replay verify TEXT", "is no record"),
    ("replay verify EMPTY", "Is a directory"),
    ("replay verify NOTHING", "No such file"),
    ("replay verify RECORD --key NOTHING", "No such file"),
    ("replay verify RECORD --receipt EMPTY", "Is a directory"),
    ("replay verify RECORD --checkpoint TEXT", "note"),
    ("replay verify RECORD --key-file NOTHING", "No such file"),
    ("replay diff RECORD --from 9 --to 99999", f"ends with version {LAST}"),
    ("replay diff RECORD", "--from"),
    ("replay find RECORD --type nope", "nope"),
    ("replay find RECORD --history 99999", "99999"),
    ("replay evidence RECORD --version 99999", "99999"),
    ("replay evidence RECORD --check TEXT", "not an evidence pack"),
    ("replay branch RECORD --at 99999", "99999"),
    ("replay branch RECORD --at 40 --play 999", "999"),
    ("replay branch RECORD --at 40 --bots nope", "nope"),
    ("replay branch RECORD --token TEXT", "token"),
    ("replay deals RECORD", "two"),
    ("replay export RECORD --to csv --as seat:8", "seat"),
    ("replay annotate show RECORD --file NOTHING", "No such file"),
    ("replay annotate add RECORD --file FREE --at 99999 --comment x", f"ends with version {LAST}"),
    ("replay annotate add RECORD --file FREE --at 5 --reply-to a/1", "--reply-to"),
    ("replay screen EMPTY", "no record in"),
    ("replay step RECORD --at 99999", f"ends with version {LAST}"),
    ("replay play RECORD", "terminal"),
    ("report --records EMPTY FREE", "no record in"),
    ("report --records FOLDER NOTHING/page.html", "there is no folder"),
    ("dataset --records FOLDER FREE", "--none-private"),
    ("simulate --system nope --players 3 --bots greedy", "nope"),
    ("simulate --system classic --players 99 --bots greedy", "99"),
    ("simulate --system classic --players 3 --games 1 --bots greedy --out TEXT", "no folder"),
    ("simulate --system classic --players 3 --games 1 --bots greedy --out TEXT/below", "no folder"),
    ("screen FOLDER --pseudonyms NOTHING/names.key", "cannot be written"),
    ("demo --system nope", "nope"),
    ("ready --at nonsense", "--at"),
    ("ready --at http://[::1", "--at"),
    ("disputes show nonsense", "GAME/NUMBER"),
]
"""A command, and what its message must contain; each ends with status 2."""


WITH_EXAMPLES = (
    "annotate audit branch completion deals diff evidence export find log play ratings screen show stats step"
    " tournament verify"
)
"""The commands of `replay`: every help text has an example."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files and folders by the words that stand for them."""
    folder = tmp_path_factory.mktemp("wrong")
    for name in ("empty", "folder"):
        (folder / name).mkdir()
    shutil.copy(RECORD, folder / "folder/game.ndjson")
    (folder / "text").write_text("hello\n", encoding="utf-8")
    return {
        "RECORD": str(RECORD),
        "EMPTY": str(folder / "empty"),
        "FOLDER": str(folder / "folder"),
        "TEXT": str(folder / "text"),
        "NOTHING": str(folder / "nothing"),
        "FREE": str(folder / "free"),
    }


@pytest.mark.parametrize(("words", "message"), WRONG)
def test_wrong_use_ends_with_status_2_and_names_what_is_wrong(
    words: str, message: str, places: dict[str, str]
) -> None:
    """Never nothing with status 0, never a traceback, never a bare number of an error."""
    named = re.compile("|".join(places))
    ended = fieldbook(*(named.sub(lambda found: places[found[0]], word) for word in words.split()))

    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Errno" not in ended.stderr


@pytest.mark.parametrize("words", ["keys list", "keys revoke nope", "webhooks list", "operator-acts"])
def test_a_command_without_a_store_says_so_within_seconds(words: str, tmp_path: Path) -> None:
    """An operator in the wrong folder does not wait as long as a process does that starts with its store."""
    began = time.monotonic()
    ended = fieldbook(*words.split(), environment={"FIELDBOOK_DATA": str(tmp_path / "data")})

    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "No store has been started" in ended.stderr
    assert time.monotonic() - began < 25


@pytest.mark.parametrize(
    ("address", "reason"), [("http://127.0.0.1:1", "Connection refused"), ("http://a..b", "label empty")]
)
def test_a_service_that_cannot_be_asked_is_not_ready(address: str, reason: str) -> None:
    """Status 1, and the reason in words."""
    ended = fieldbook("ready", "--at", address)

    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.startswith(f"{address}/readyz does not answer: ")
    assert reason in ended.stdout
    assert "Errno" not in ended.stdout


def test_nothing_to_show_is_said(places: dict[str, str], tmp_path: Path) -> None:
    """Status 0 with a sentence where a command is right and has nothing to list."""
    bots = tmp_path / "bots"
    played = "simulate --system classic --players 3 --games 1 --bots greedy --out".split()  # noqa: SIM905
    assert fieldbook(*played, bots).returncode == 0

    ratings = fieldbook("replay", "ratings", bots, "--time", "2030-01")
    sets = fieldbook("replay", "annotate", "list", RECORD, "--file", RECORD)

    assert (ratings.returncode, "No game is rated here." in ratings.stdout) == (0, True)
    assert (sets.returncode, "no annotations" in sets.stderr) == (0, True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    logs = ROOT / "tests/logs/classic"
    shutil.copy(RECORD, folder / "game.ndjson")
    shutil.copy(logs / "five-players.ndjson", folder / "other.ndjson")
    shutil.copy(RECORD, folder / "late.ndjson")
    for number in (1, 2):
        shutil.copy(ROOT / f"docs/examples/round/table-{number}.ndjson.gz", folder / f"table-{number}.ndjson")
    (folder / "games").mkdir()
    shutil.copy(RECORD, folder / "games")
    (folder / "inputs.json").write_text("{}", encoding="utf-8")
    pack = run("fieldbook replay evidence game.ndjson --version 123 --format json", folder)
    (folder / "pack.json").write_text(pack.stdout, encoding="utf-8")
    return folder


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of a help text as a reader would."""
    program = f"{shlex.quote(sys.executable)} -m service.command_line"
    return subprocess.run(
        ["bash", "-uc", line.replace("fieldbook replay", f"{program} replay")],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("command", WITH_EXAMPLES.split())
def test_the_examples_of_every_help_text_run_as_they_are_printed(command: str, folder: Path) -> None:
    """Status 0; a game at an address, keys of a service and a tournament's log cannot be had here.

    `play` needs a terminal, and `screen` compares nothing in a folder with one game (2).
    """
    said = fieldbook("replay", command, "--help").stdout
    lines = re.findall(
        r"^  +((?:eval )?[^\n]*fieldbook replay [^\n]+)$", said.partition("Example")[2], re.MULTILINE
    )
    elsewhere = re.compile(r"https://|service\.keys|autumn|config/fish")
    here = [line for line in lines if not elsewhere.search(line)]
    status = {"play": {2}, "screen": {2}}.get(command, {0})

    assert lines
    for line in here:
        ended = run(line, folder)
        assert ended.returncode in status, line + ended.stdout + ended.stderr
        assert "Usage:" not in ended.stderr or command == "play", line + ended.stderr
