"""No log holds a key, a token or a password: neither what `fieldbook up` prints into a file nor the log of requests.

Source: issue 43, and docs/operating.md: the first key is in `first-key`, readable by its owner only, and is shown
once on a terminal. The log names routes by template, and callers by the first characters of what they showed.
"""

import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import Service
from tests.support.servers import ROOT, eventually

PASSWORD = "hunter2hunter2"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Service:
    """Run `fieldbook up` with its output in a file, use every kind of secret over HTTP, and stop it."""
    with Service(tmp_path_factory.mktemp("logged")) as service:
        service.environment["FIELDBOOK_WEBHOOK_NETWORKS"] = "127.0.0.0/8"
        service.start("up")
        eventually(lambda: "First key: " in service.log("up"))
        key = first_key(service)
        party = service.people(1)
        game, token = party.game, party.tokens[0]
        paths = (
            f"/v1/games/{game}/table?ticket={token}",
            f"/v1/games/{game}?key={key}",
            f"/v1/games/{token}",
            f"/{key}",
            f"/v1/keys/{key}",
        )
        for path in paths:
            service.api.call("GET", path, token=token)
        webhook = {"url": "http://127.0.0.1:9/hook?secret=" + PASSWORD, "events": ["game_ended"]}
        service.api.call("POST", "/v1/webhooks", webhook, token=key)
        made = service.api.call("POST", "/v1/keys", {"name": "bot", "scopes": ["play"]}, token=key).json
        service.stop("up")
        secrets = [key, *party.tokens, PASSWORD, *filter(None, [made.get("key"), made.get("token")])]
    service.environment["SECRETS"] = " ".join(secrets)
    return service


def first_key(service: Service) -> str:
    """Return the first key of an installation."""
    return (service.folder / "data" / "first-key").read_text().strip()


def logs(service: Service) -> str:
    """Return everything that was logged."""
    files = [service.folder / "up.log", *(service.folder / "data").glob("requests.log*")]
    return "".join(file.read_text(errors="replace") for file in files)


def test_the_first_key_is_in_a_private_file_and_in_no_log(installation: Service) -> None:
    """The log says where it is."""
    file = installation.folder / "data" / "first-key"

    assert f"First key: in {file}\n" in logs(installation)
    assert first_key(installation) not in logs(installation)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_secret_of_a_request_is_logged(installation: Service) -> None:
    """Neither from a header, nor from a path or a query, nor from a body or an answer."""
    written = logs(installation)
    assert "fieldbook.requests" in written
    assert [each for each in installation.environment["SECRETS"].split() if each in written] == []


def test_a_person_at_a_terminal_sees_the_first_key_once(tmp_path: Path) -> None:
    """At the first start; a later one says where it is kept."""
    service = Service(tmp_path)
    shown = [run_on_a_terminal(service), run_on_a_terminal(service)]
    key, file = first_key(service), tmp_path / "data" / "first-key"

    assert f"First key: {key}, shown this once; it is kept in {file}" in shown[0]
    assert f"First key: in {file}" in shown[1]
    assert key not in shown[1]


def run_on_a_terminal(service: Service) -> str:
    """Run `fieldbook up` on a terminal until it is ready, and return what it showed."""
    ours, its = pty.openpty()
    shown = b""
    with subprocess.Popen(
        [sys.executable, "-m", "service.command_line", "up"],
        cwd=ROOT,
        env=service.environment,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    ) as process:
        os.close(its)
        try:
            while True:
                shown += os.read(ours, 65536)
                if b"Requests are logged in" in shown:
                    process.terminate()
        except OSError:  # every process has closed its end of the terminal
            os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def test_a_password_of_the_store_is_in_no_log_and_no_report(tmp_path: Path) -> None:
    """Where nothing answers, each process says so without it."""
    for url in (f"redis://me:{PASSWORD}@127.0.0.1:9", f"unix:///nowhere.sock?password={PASSWORD}"):
        service = Service(tmp_path)
        environment = service.environment | {"REDIS_URL": url, "FIELDBOOK_LOG": "json"}
        done = subprocess.run(
            [sys.executable, "-m", "service.projector"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 2
        assert "cannot be reached" in done.stderr
        assert PASSWORD not in done.stdout + done.stderr
