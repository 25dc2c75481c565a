"""What `fieldbook up` shows of requests: the terminal keeps address and key in sight."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from honcho.printer import Message

from service.startup import request_log
from service.startup.request_log import EARLIER_FILES, RequestLog
from tests.support.processes import Service
from tests.support.servers import eventually

REQUEST = "INFO fieldbook.requests: GET /v1/games/{game} 200 in 3 ms, 812 bytes"
OTHER = "INFO fieldbook: web starts"


def said(*lines: str) -> Message:
    """What a process has said."""
    return Message("line", "\n".join(lines).encode(), datetime.now(UTC), "web", None)


def test_requests_go_to_the_file_and_everything_else_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In either form of the log; lines that come together are told apart."""
    log = RequestLog(tmp_path / "data" / "requests.log")
    as_json = '{"at":"now","level":"info","logger":"fieldbook.requests","message":"GET"}'
    log.write(said(REQUEST, OTHER, as_json))
    log.write(said(REQUEST))
    log.close()
    shown, kept = capsys.readouterr().out, (tmp_path / "data" / "requests.log").read_text()
    assert OTHER in shown
    assert "fieldbook.requests" not in shown
    assert kept.count(REQUEST) == 2
    assert as_json in kept
    assert OTHER not in kept


def test_the_file_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is full another one is begun, and the oldest goes."""
    monkeypatch.setattr(request_log, "FILE_BYTES", 10_000)
    log = RequestLog(tmp_path / "requests.log")
    for _ in range(1_000):
        log.write(said(REQUEST))
    log.close()
    sizes = [file.stat().st_size for file in tmp_path.iterdir()]
    assert len(sizes) == EARLIER_FILES + 1
    assert max(sizes) <= 10_000


@pytest.mark.parametrize("place", ["file", "terminal"])
def test_a_started_service_shows_them_only_where_that_is_asked_for(tmp_path: Path, place: str) -> None:
    """Address and key stand in the terminal, and where the requests are."""
    with Service(tmp_path) as service:
        service.start("up", FIELDBOOK_REQUEST_LOG=place)
        terminal = tmp_path / "up.log"
        eventually(lambda: "First key:" in terminal.read_text(), seconds=60)
        service.api.call("GET", "/v1/games")
        file = tmp_path / "data" / "requests.log"
        log = file if place == "file" else terminal
        eventually(lambda: log.exists() and "/v1/games" in log.read_text(), seconds=30)
        assert ("fieldbook.requests" in terminal.read_text()) == (place == "terminal")
        assert file.exists() == (place == "file")
        assert (
            f"Requests are logged in {file if place == 'file' else 'this terminal'}" in terminal.read_text()
        )
