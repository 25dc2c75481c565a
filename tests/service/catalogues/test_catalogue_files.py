"""A folder of catalogues is taken whole, or refused with file, line and reason before anything is started."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import pytest

from events.rules.catalogues.catalogue import LARGEST_FILE
from service.catalogues.files import CataloguesRefused, catalogue_files, read_files, systems_for
from tests.support.http_play import await_verdict
from tests.support.processes import EVERYTHING, Service
from tests.support.servers import ROOT, environment_without_settings, eventually

CLASSIC = (resources.files("events.rules.catalogues") / "bohnanza-104.toml").read_text("utf-8")
TOO_CHEAP = CLASSIC.replace("{ 1 = 4, 2 = 6, 3 = 8, 4 = 10 }", "{ 1 = 4, 2 = 4, 3 = 8, 4 = 10 }")
MINE = CLASSIC.replace('name = "bohnanza-104"', 'name = "mine"').replace("1 = 4, 2 = 6", "1 = 3, 2 = 6")
BOTS = [{"name": f"Bot {number}", "kind": "bot", "bot": "random"} for number in range(3)]


def refused(folder: Path) -> list[str]:
    """What is said against a folder."""
    with pytest.raises(CataloguesRefused) as found:
        read_files(catalogue_files(folder))
    return str(found.value).replace(f"{folder}{os.sep}", "").split("\n")


def write(folder: Path, **files: str) -> Path:
    """Put catalogues into a folder."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    """Only files *.toml count, and hidden ones do not."""
    write(tmp_path, b=MINE, a=CLASSIC)
    (tmp_path / "notes.txt").write_text("not a catalogue")
    (tmp_path / ".#b.toml").write_text("an editor's")
    assert [each.name for each in read_files(catalogue_files(tmp_path))] == ["bohnanza-104", "mine"]


def test_everything_wrong_in_all_files_is_said_at_once(tmp_path: Path) -> None:
    """Each with its file and line."""
    write(tmp_path, a=TOO_CHEAP, b=MINE.replace("total = 104", "total = 105"), c="name = \n")
    assert refused(tmp_path) == [
        "a.toml, line 12: blue: more coins need more beans: [4, 4, 8, 10]",
        "b.toml, line 4: the copies are 104, they do not add up to 105",
        "c.toml, line 1: Invalid value",
    ]


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    """Which of them is meant nobody could say."""
    write(tmp_path, a=MINE, b=MINE)
    assert refused(tmp_path) == ["b.toml, line 2: a.toml has the name mine already"]


def test_the_example_of_the_documentation_is_a_catalogue(tmp_path: Path) -> None:
    """docs/operating.md shows what is accepted, with nothing left out."""
    shown = (ROOT / "docs" / "operating.md").read_text("utf-8").split("```toml\n")[1].split("```")[0]
    (found,) = read_files(catalogue_files(write(tmp_path, example=shown)))
    assert found.name == "cheap-beans"
    assert systems_for(found) == ("classic",)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("bohnanza-104", "Mine", "line 2: a name is 1 to 60 small letters"),
        ("bohnanza-104", "", "line 2: the name is empty"),
        ("bohnanza-104", "bohnanza-154", "line 9: bean-duel cannot be played with it: its rules name the card cocoa"),
        ("bohnanza-104", "bohnanza-154", "line 9: extended cannot be played with it: its rules name the card coffee"),
        ("bohnanza-104", "the-duel", "line 4: the-duel cannot be played with it"),
        ("bohnanza-104", "ladybohn", "line 9: ladybohn cannot be played with it: each of its cards has a sex"),
    ],
)  # fmt: skip
def test_a_deck_that_no_system_or_not_its_own_can_play_is_refused(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    """What replaces a shipped catalogue must do for every system that is played with it."""
    write(tmp_path, a=CLASSIC.replace(f'name = "{old}"', f'name = "{new}"'))
    assert any(f"a.toml, {reason}" in each for each in refused(tmp_path)), refused(tmp_path)


def test_a_deck_that_nothing_can_be_played_with_is_refused(tmp_path: Path) -> None:
    """With what each system has against it."""
    few = 'name = "few"\ntitle = "t"\nsource = "s"\ntotal = 2\n[[beans]]\ncard = "a"\ncopies = 2\n'
    write(tmp_path, a=few + 'provenance = "house"\nnames = {}\nbeanometer = { 1 = 2 }\n')
    found = refused(tmp_path)
    assert len(found) == 6
    assert all("cannot be played with it" in each for each in found)


def _folder(path: Path) -> None:
    path.mkdir()


def _dangling(path: Path) -> None:
    path.symlink_to(path.with_name("gone"))


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _large(path: Path) -> None:
    path.write_bytes(b"#" * 10_000_000)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_folder, "this is no file"),
        (_dangling, "the file cannot be read: No such file or directory"),
        (_pipe, "this is no file"),
        (_large, f"a catalogue has at most {LARGEST_FILE} bytes, not 10000000"),
    ],
)
def test_what_is_no_readable_file_is_refused(
    tmp_path: Path, make: Callable[[Path], None], reason: str
) -> None:
    """At once: nothing waits for a pipe, and no large file is read."""
    make(tmp_path / "a.toml")
    assert refused(tmp_path) == [f"a.toml: {reason}"]


def test_a_folder_without_catalogues_is_refused(tmp_path: Path) -> None:
    """It is not the folder that was meant; nor is one that does not exist, or a file."""
    assert "found 0" in refused(tmp_path)[0]
    assert "the folder cannot be read" in refused(tmp_path / "gone")[0]
    (tmp_path / "deck.toml").write_text(CLASSIC)
    assert "the folder cannot be read" in refused(tmp_path / "deck.toml")[0]


# --- as real processes -------------------------------------------------------------------------------------


def fieldbook(
    *arguments: str, folder: Path, catalogues: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line on a data folder of its own, with a folder of catalogues."""
    settings = {"FIELDBOOK_DATA": str(folder / "data"), "PYTHONPATH": str(ROOT)}
    own = {} if catalogues is None else {"FIELDBOOK_CATALOGUES": str(catalogues)}
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=environment_without_settings() | settings | own,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    ["service.command_line up", "service.command_line serve", "service.command_line worker", "service.web"],
)
def test_a_bad_file_is_refused_before_anything_is_started(tmp_path: Path, command: str) -> None:
    """Status 2, and file, line and reason on standard error; the data folder is not even made."""
    bad = write(tmp_path / "decks", cheap=TOO_CHEAP)
    done = fieldbook(*command.split(), folder=tmp_path, catalogues=bad)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines() == [
        "Not started. FIELDBOOK_CATALOGUES is refused:",
        f"{bad / 'cheap.toml'}, line 12: blue: more coins need more beans: [4, 4, 8, 10]",
    ]
    assert not (tmp_path / "data").exists()


def test_a_file_can_be_checked_before_a_restart(tmp_path: Path) -> None:
    """`fieldbook catalogues check` says the same as the start would, with status 1; `show` says what is in use."""
    decks = write(tmp_path / "decks", mine=MINE)
    bad = write(tmp_path / "bad", cheap=TOO_CHEAP) / "cheap.toml"
    check = ("service.command_line", "catalogues", "check")
    for named in (decks, decks / "mine.toml"):
        good = fieldbook(*check, str(named), folder=tmp_path)
        assert (good.returncode, good.stdout.splitlines()[0]) == (0, "mine: fine")
        assert "for classic" in good.stdout
    found = fieldbook(*check, str(bad), folder=tmp_path)
    assert (found.returncode, found.stdout) == (1, "")
    assert f"{bad}, line 12: " in found.stderr
    shown = fieldbook("service.command_line", "catalogues", "show", folder=tmp_path, catalogues=decks)
    assert shown.returncode == 0
    assert "mine: your own" in shown.stdout
    assert "the-duel: shipped" in shown.stdout
    wrong = fieldbook("service.command_line", "catalogues", "show", folder=tmp_path, catalogues=bad.parent)
    assert wrong.returncode == 2


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Yield a service with a folder of catalogues, not yet started."""
    with Service(tmp_path) as service:
        service.environment["FIELDBOOK_CATALOGUES"] = str(write(tmp_path / "decks", mine=MINE))
        yield service


def await_end(service: Service, game: str) -> None:
    """Wait until a game is finished."""
    eventually(
        lambda: bool(service.api.call("GET", f"/v1/games/{game}").json["status"] == "finished"), seconds=90
    )


@pytest.mark.soak
def test_games_outlive_the_folder_they_came_from(service: Service, tmp_path: Path) -> None:
    """Bots play and the worker validates without it, before and after a restart; the record carries the catalogue."""
    service.start(*EVERYTHING)
    service.await_ready()
    body = {"system": "classic", "seats": BOTS, "catalogue": "mine"}
    key = service.key()
    games = [service.api.call("POST", "/v1/games", body, token=key).json["game"] for _ in range(2)]
    for process in reversed(EVERYTHING):
        service.stop(process)
    (tmp_path / "decks" / "mine.toml").unlink()
    del service.environment["FIELDBOOK_CATALOGUES"]
    service.start(*EVERYTHING)
    service.await_ready()
    assert service.api.call("POST", "/v1/games", body, token=key).json["code"] == "unknown_catalogue"
    for game in games:
        path = f"/v1/games/{game}"
        await_end(service, game)
        assert await_verdict(service.api, game) == "valid"
        assert service.api.call("GET", path).json["played_with"]["catalogue"] == "mine"
        record = tmp_path / f"{game}.ndjson"
        record.write_bytes(service.api.call("GET", f"{path}/record").body)
        verified = fieldbook("replay", "verify", str(record), folder=tmp_path)
        assert verified.returncode == 0, verified.stdout
        assert "catalogue     mine (" in verified.stdout
