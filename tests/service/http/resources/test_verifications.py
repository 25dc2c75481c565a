"""Records that are uploaded are verified by the tool that everybody can run."""

import gzip
import json
from typing import IO, Any

import pytest

from service.http.messages.reading import save_body
from service.http.resources import verifications
from service.verification import confined
from tests.service.in_process import InProcess
from tests.service.verification import starved
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


def test_an_upload_is_bounded(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """In size, in time and in number."""
    monkeypatch.setattr(verifications, "LARGEST_RECORD", 1000)
    answer = upload(api, RECORD)
    assert (answer.status, answer.json["code"]) == (413, "body_too_large")
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

    def save(record: IO[bytes], largest: int, what: str) -> None:
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
    monkeypatch.setattr(confined, "__name__", starved.__name__)
    whole = (line for _ in range(20) for line in (RECORD,))
    answer = upload(api, b"".join(whole))
    assert (answer.status, answer.json["code"]) == (422, "verification_too_long"), answer.body
    assert "bytes of memory" in answer.json["detail"]


def test_nothing_in_a_record_is_followed(api: InProcess) -> None:
    """Names that look like paths and addresses are names."""
    lines = [json.loads(line) for line in RECORD.splitlines()]
    lines[0]["game"] = "file:///etc/passwd"
    record = b"".join(
        json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines
    )

    assert "/etc/passwd" in verdict(api, record)["verification"]["game"]
