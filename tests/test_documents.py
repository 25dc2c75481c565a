"""The commands that README and docs/ show are run as printed, against a real service."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event

import pytest

from service.cli.demo import running_service
from service.verification.signing_keys import SigningKeys
from tests.support.answering import answering
from tests.support.witness import RunningWitness, Witness

ROOT = Path(__file__).parent.parent
SECONDS = 240


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A freshly started service: its address, and a folder in which its documents' commands can run."""
    folder = tmp_path_factory.mktemp("a folder")
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    (folder / "docs").symlink_to(ROOT / "docs", target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELDBOOK_BOT_PATIENCE", "0")
        with running_service(folder) as (address, _key):
            yield address, folder


def shown(document: str) -> str:
    """The shell commands of a document in order, those that start something in the foreground left out."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return "".join(block for block in blocks if not block.startswith("make "))


def run(commands: str, service: tuple[str, Path]) -> str:
    """What shell commands print, run as a reader would at the address where the service happens to be."""
    address, folder = service
    done = subprocess.run(
        ["bash", "-uc", commands.replace("http://localhost:8000", address)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_a_game_is_played_with_curl_as_the_readme_shows(service: tuple[str, Path]) -> None:
    """The README's six lines set up a game, tell it while it is played to its end, verify its record and show it.

    What they write lies in `data`, where git does not look: in a checkout nothing is left behind.
    """
    lines = shown("README.md")
    assert len(lines.strip().splitlines()) == 6
    there = set(service[1].iterdir())

    printed = run(lines, service)

    assert "Zoe planted" in printed
    assert "The game ended" in printed
    assert ": verified" in printed
    assert (service[1] / "data" / "game.html").is_file()
    assert set(service[1].iterdir()) == there


def test_the_walk_through_works_as_printed(service: tuple[str, Path]) -> None:
    """Each command of docs/http-api.md does what the text around it says."""
    printed = run(shown("docs/http-api.md"), service)

    assert '"players":[3,4,5]' in printed
    assert '"type":"bean_planted"' in printed
    assert '"type":"trade_made"' in printed
    assert '"applied":1,"stopped":{' in printed
    assert '"version":20,' in printed
    assert "\n304\n" in printed
    assert 'rel="describedby"' in printed
    assert "event: view\n" in printed
    assert '"viewer":"seat:0"\n' in printed
    assert '"complete":true' in printed
    assert '"code":"wrong_phase"' in printed
    assert '"pointer":"/cards"' in printed
    assert ": verified" in printed
    assert '"code":"same_arbiter"' in printed
    assert '"possible":["evidence","claim"]' in printed


class BusyService:
    """A service that answers each request 503 at first, and remembers the keys of all."""

    def __init__(self) -> None:
        """Begin without a request."""
        self.port, self.leaving = 0, Event()
        self.keys: list[str] = []


class BusyHandler(BaseHTTPRequestHandler):
    """Answers for a `BusyService`."""

    kept: BusyService

    def do_POST(self) -> None:
        """Answer 503, and when the same key comes again 200."""
        self.rfile.read(int(self.headers["Content-Length"]))
        key = self.headers["Idempotency-Key"]
        is_known = key in self.kept.keys
        self.kept.keys.append(key)
        self.send_response(200 if is_known else 503)
        self.send_header("Retry-After", "0")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_commands_of_the_walk_through_are_sent_again_while_the_service_is_busy(tmp_path: Path) -> None:
    """On a slow machine none is lost: each is repeated with its own key until it is answered."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "first-key").write_text("fbk_1")
    start = re.findall(
        r"^```sh\n(.*?)^```", (ROOT / "docs/http-api.md").read_text(), re.MULTILINE | re.DOTALL
    )[0]
    send = "curl -s $API/games -d {} -w '%{http_code}\\n'\n"
    busy = BusyService()
    with answering(busy, BusyHandler):
        printed = run(start + 2 * send, (f"http://127.0.0.1:{busy.port}", tmp_path))
    assert printed.split()[-1] == "200"
    first, again, second, once_more = busy.keys
    assert (first, second) == (again, once_more)
    assert first != second
    assert len(first) >= 16


def test_an_integrator_comes_from_nothing_to_a_tournament(service: tuple[str, Path]) -> None:
    """Each command of docs/integrating.md does what the text around it says."""
    printed = run(shown("docs/integrating.md"), service)

    for expected in (
        '"status":"running"',
        '"type":"bean_planted"',
        "Idempotent-Replayed: true",
        '"section":"',
        "2 commands, version",
        "refused: ",
        '"scores":[',
        "tournament: [(",
        ": verified",
    ):
        assert expected in printed, expected


def test_a_tournament_is_played_and_checked_as_the_page_shows(service: tuple[str, Path]) -> None:
    """Each command of docs/tournaments.md: from announcing it to what an auditor finds."""
    printed = run(shown("docs/tournaments.md"), service)

    for expected in (
        '"status":"registering',
        '"reason":"not_seated"',
        '"status":"running',
        '"player":"bot-',
        "Autumn: verified",
        "4 in 2 rounds, 0 late; 4 records",
        "withdrew",
    ):
        assert expected in printed, expected


def test_a_game_is_dated_by_a_witness_as_the_page_shows(tmp_path: Path) -> None:
    """Each command of docs/witnesses.md, with a service whose operator has set what the page says."""
    folder = tmp_path / "a folder"
    keys = SigningKeys(folder / "data", "fieldbook.test/witnessed")
    (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
    witness = Witness("witness.example/w1", keys.current, time.time)
    (folder / "data" / "witness.keys").write_text(f"{witness.key}\n")
    with pytest.MonkeyPatch.context() as patch, RunningWitness(witness) as running:
        patch.setenv("FIELDBOOK_WITNESSES", f"{witness.key}={running.url}")
        with running_service(folder) as (address, _key):
            printed = run(shown("docs/witnesses.md"), (address, folder))

    assert ": verified" in printed
    for row in ("not later     than 2", "not earlier   than 2", "logged        not earlier than 2"):
        assert f"\n{row}" in printed, printed
    assert "cannot tell when it was played" not in printed


def test_each_role_begins_with_something_that_works(service: tuple[str, Path]) -> None:
    """The page of each role: its commands do what the text says; the reviewer goes on with the auditor's record."""
    assert "winners=(" in run(shown("docs/for-integrators.md"), service)

    audited = run(shown("docs/for-auditors.md"), service)
    first, second = audited.split("chain head", 1)
    assert ": verified" in first
    played = "cannot tell whether this is the game that was played"
    assert audited.count(played) == 1
    assert played in second.split(": verified")[0]

    assert "dubious" in run(shown("docs/for-reviewers.md"), service)
    page = (service[1] / "data" / "duel.html").read_text(encoding="utf-8")
    assert "Jane" in page
    printed = run(shown("docs/for-operators.md"), service)
    assert re.search("│ tournament +│ integrator +│ create_games +│", printed)
    assert "15: consistent" in printed
    assert (service[1] / "data" / "backups" / "monday").is_dir()


def test_an_upgrade_begins_and_ends_as_the_page_shows(service: tuple[str, Path]) -> None:
    """What docs/upgrading.md has an operator do before the processes are exchanged, and afterwards."""
    printed = run(shown("docs/upgrading.md"), service)

    assert printed.count("feed entries behind") == 2
    assert '"release":"' in printed
    assert '"status":"ready"' in printed
    assert (service[1] / "data" / "backups" / "before-the-upgrade" / "manifest.json").is_file()


def test_a_role_leads_to_every_document() -> None:
    """What no page leads to is found by nobody: from the README on, a few steps lead to each."""
    found, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in found and page.suffix == ".md":
            found.add(page)
            targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
            waiting += [(page.parent / each).resolve() for each in targets if "://" not in each]
    assert {*ROOT.glob("docs/**/*.md")} <= found


@pytest.mark.parametrize(
    "document", [*sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md"], ids=lambda path: path.name
)
def test_every_link_leads_somewhere(document: Path) -> None:
    """No document names a file that is not there."""
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (document.parent / target).exists(), target
