"""Records that are uploaded are verified by the tool that everybody can run."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

from service.http.messages.reading import save_body
from service.http.resources import verifications
from service.openapi import contract
from service.verification import confined
from tests.service.in_process import InProcess
from tests.service.verification import killed, scant, starved
from tests.support.clocked_games import clocked_game
from tests.support.http_play import Answer
from tests.support.recorded_games import recorded_game
from tests.support.signing import Signer

pytestmark = pytest.mark.process  # the service verifies in a process of its own
GAME = recorded_game(5, 4, (), 12)
RECORD = b"".join(GAME.record())


def upload(api: InProcess, record: bytes, query: str = "", kind: str = "application/x-ndjson") -> Answer:
    """Send a record."""
    return api.call("POST", f"/v1/verifications{query}", raw=record, headers={"Content-Type": kind})


def verdict(api: InProcess, record: bytes, query: str = "") -> Any:
    """The answer's JSON."""
    answer = upload(api, record, query)
    assert answer.status == 200, answer.body
    return answer.json


def test_a_genuine_record_is_verified(api: InProcess) -> None:
    """Plain or gzipped, from anywhere; the report is that of the command line."""
    found = verdict(api, RECORD)

    assert (found["ok"], found["signed_here"]) == (True, False)
    assert found["verification"]["head"] == GAME.table.hash
    assert upload(api, gzip.compress(RECORD), kind="application/gzip").json == found
    assert upload(api, RECORD, kind="text/plain").status == 415


def test_the_report_says_what_the_clock_did(api: InProcess) -> None:
    """In a game with one, as the contract has it; of any other nothing is said of time."""
    game = clocked_game(2, "classic", 3, silent=1)

    clock = verdict(api, b"".join(game.record()))["verification"]["clock"]

    assert clock["expired"] == sum(each.type == "time_expired" for each in game.log) > 0
    assert clock["recomputed"] == clock["forced"] > 0
    assert "clock" not in verdict(api, RECORD)["verification"]
    described = contract()["components"]["schemas"]["ReportAnswer"]["properties"]
    assert described["clock"] == {"$ref": "#/components/schemas/ClockReport"}


def test_an_audit_asks_the_rules_too(api: InProcess) -> None:
    """Pinned and today's, as on the command line."""
    found = verdict(api, RECORD, "?audit=true")

    assert found["ok"]
    assert [each["differing"] for each in found["engines"]] == [0, 0]


def test_the_answer_says_whether_this_service_signed_it(api: InProcess) -> None:
    """Its own records, and those of others."""
    game = api.stored()
    own = api.call("GET", f"/v1/games/{game.id}/record").body
    foreign = b"".join(GAME.record(attachments=Signer().attachments(GAME.head)))

    assert verdict(api, own)["signed_here"] is True
    assert verdict(api, foreign)["signed_here"] is False


@pytest.mark.parametrize("record", [b"", b"nonsense", RECORD[:5000], RECORD.replace(b'"at":1', b'"at":2', 1)])
def test_a_record_that_does_not_verify_is_no_error(api: InProcess, record: bytes) -> None:
    """It is an answer: what does not hold, and where."""
    found = verdict(api, record)

    assert not found["ok"]
    assert found["verification"]["findings"][0]["reason"]


@pytest.mark.parametrize("record", [b"", b"nonsense", b'{"": [true, 1.7976931348623157e+308, null]}'])
def test_what_is_no_record_has_no_tables(api: InProcess, record: bytes) -> None:
    """To ask for them is no error either."""
    found = verdict(api, record, "?text=it")

    assert (found["ok"], found["history"]) == (False, None)


def test_an_upload_is_bounded(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """In size, in time and in number."""
    monkeypatch.setattr(verifications, "LARGEST_RECORD", len(RECORD))
    assert verdict(api, RECORD)["ok"]
    monkeypatch.setattr(verifications, "LARGEST_RECORD", len(RECORD) - 1)
    answer = upload(api, RECORD)
    assert (answer.status, answer.json["code"]) == (413, "body_too_large")
    assert "gzipped, or verify it yourself: fieldbook replay verify" in answer.json["detail"]
    monkeypatch.undo()
    monkeypatch.setattr(verifications, "SECONDS", 0.01)
    answer = upload(api, RECORD)
    assert (answer.status, answer.json["code"]) == (422, "verification_too_long")
    monkeypatch.undo()
    everything = {"all": verifications.AT_ONCE}
    for _ in range(verifications.AT_ONCE):
        assert verifications._places.take(everything) is None  # noqa: SLF001
    try:
        answer = upload(api, RECORD)
    finally:
        for _ in range(verifications.AT_ONCE):
            verifications._places.give_back(everything)  # noqa: SLF001
    assert (answer.status, answer.json["code"]) == (503, "too_many_verifications")
    assert answer.headers["retry-after"]
    assert verdict(api, RECORD)["ok"]


def test_who_sends_slowly_holds_no_place(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """The body is read first: a place is taken for the verification alone, and one caller has one."""
    taken: list[bool] = []
    monkeypatch.setattr(verifications, "AT_ONCE", 0)

    def save(record: IO[bytes], largest: int, what: str, _advice: str) -> None:
        taken.append(True)
        save_body(record, largest, what)

    monkeypatch.setattr(verifications, "save_body", save)
    assert upload(api, RECORD).json["code"] == "too_many_verifications"
    assert taken
    monkeypatch.undo()
    monkeypatch.setattr(verifications, "OF_ONE", 0)
    assert upload(api, RECORD).json["code"] == "too_many_verifications"


def test_a_verification_has_so_much_memory(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that is not enough the answer says so, and nothing against the record."""
    first, line, *others = RECORD.splitlines(keepends=True)
    wide = b"".join((first, b" " * 3_000_000, line, *others))
    for ends in (starved, killed):
        monkeypatch.setattr(confined, "__name__", ends.__name__)
        answer = upload(api, wide)
        assert (answer.status, answer.json["code"]) == (422, "verification_too_long"), answer.body
        assert "bytes of memory" in answer.json["detail"]


def test_the_tables_of_an_upload_are_bounded(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are drawn in a child like the verification, and it says so where they would be too many bytes."""
    monkeypatch.setattr(confined, "__name__", scant.__name__)
    answer = upload(api, RECORD, "?text=de")
    assert (answer.status, answer.json["code"]) == (422, "verification_too_long"), answer.body
    assert "bytes of tables" in answer.json["detail"]
    assert upload(api, RECORD).status == 200


def test_all_that_verifies_is_loaded_before_its_memory_is_bounded(tmp_path: Path) -> None:
    """A module that can no longer be loaded would read like an error of the record."""
    record = tmp_path / "record.ndjson"
    record.write_bytes(RECORD)
    verify = (
        "import sys; from service.verification import confined; loaded = set(sys.modules)\n"
        "try: confined.main()\nfinally: print(*set(sys.modules) - loaded, file=sys.stderr)"
    )
    for command in ("verify", "audit"):
        arguments = [sys.executable, "-c", verify, command, str(record), "--json"]
        done = subprocess.run(arguments, capture_output=True, text=True, check=True)
        assert done.stderr.split() == []


def test_nothing_in_a_record_is_followed(api: InProcess) -> None:
    """Names that look like paths and addresses are names."""
    lines = [json.loads(line) for line in RECORD.splitlines()]
    lines[0]["game"] = "file:///etc/passwd"
    record = b"".join(
        json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines
    )

    assert "/etc/passwd" in verdict(api, record)["verification"]["game"]
