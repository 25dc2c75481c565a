"""The second verifier in a Node process of its own, asked case after case; and whether Node has to be there."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any, Final, Self

import msgspec
import pytest

from events.transparency.signed_note import Note
from replay.records.report import ClockReport, Report
from replay.verification.attestations import Trust
from tests.support.servers import ROOT

FOLDER: Final = ROOT / "replay" / "second_verifier"
NODE_PROGRAM: Final = shutil.which("node")
NODE_REQUIRED: Final = os.environ.get("FIELDBOOK_REQUIRE_NODE") == "1"
SHARED: Final = (
    "ok",
    "game",
    "scope",
    "system",
    "entries",
    "head",
    "status",
    "signed_by",
    "trusted",
)
"""Fields that both reports have."""
_ANSWERING: Final = ROOT / "tests" / "replay" / "second_verifier" / "answering.mjs"


def node_program() -> str:
    """Where Node is; without it the test fails where Node is required, and else is left out with the reason."""
    if NODE_PROGRAM is None:
        if NODE_REQUIRED:
            pytest.fail(
                "FIELDBOOK_REQUIRE_NODE=1, and there is no node on the path (Debian's package nodejs)"
            )
        pytest.skip("no node on the path")
    return NODE_PROGRAM


class SecondVerifier:
    """The second verifier, answering until this is left."""

    def __init__(self) -> None:
        """Start Node."""
        self._process = subprocess.Popen(
            [node_program(), str(_ANSWERING)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        """Return the verifier."""
        return self

    def __exit__(self, *_: object) -> None:
        """End Node."""
        self._process.communicate(timeout=30)

    def ask(self, call: str, **given: Any) -> Any:
        """What one of the second verifier's functions returns.

        Raises:
            AssertionError: it rejected what it was given.
        """
        answer = self._answer({"call": call, **given})
        assert "rejected" not in answer, answer
        return answer.get("found")

    def report(self, record: bytes | Sequence[bytes], trust: Trust | None = None) -> dict[str, Any]:
        """Its report on a record."""
        whole = record if isinstance(record, bytes) else b"".join(record)
        encoded = base64.b64encode(whole).decode()
        report: dict[str, Any] = self.ask("verify", record=encoded, trust=_texts(trust or Trust()))
        return report

    def _answer(self, case: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(case).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the second verifier crashed"
        answer: dict[str, Any] = json.loads(line)
        return answer


def check_agreement(report: Report, second: dict[str, Any]) -> None:
    """Every field of the second report has the first one's value; both found nothing.

    Only the first one knows the rules, and with them which moves the clock's bot has to make.
    """
    assert second["findings"] == list(report.findings) == []
    assert {name: second[name] for name in SHARED} == {name: getattr(report, name) for name in SHARED}
    assert second["logged"] == report.logged
    assert second["discarded"] == [list(each) for each in report.discarded]
    assert second["brought"] == msgspec.to_builtins(report.brought)
    clock, unknown = second.get("clock", {}), second["unknown"]
    assert bool(clock) == isinstance(report.clock, ClockReport)
    if isinstance(report.clock, ClockReport):
        assert clock == {name: getattr(report.clock, name) for name in clock}
        if report.clock.recomputed == report.clock.forced:
            unknown = [each for each in unknown if each["about"] != "clock"]
    assert unknown == [msgspec.to_builtins(each) for each in report.unknown]


def _texts(trust: Trust) -> dict[str, Any]:
    """What a reader trusts, as the second verifier takes it."""
    texts: dict[str, Any] = {"receipts": [_written(note) for note in trust.receipts]}
    if trust.keys:
        texts["keys"] = [str(key) for key in trust.keys]
    return texts if trust.checkpoint is None else texts | {"checkpoint": _written(trust.checkpoint)}


def _written(note: Note) -> str:
    signatures = (
        f"— {each.name} {base64.b64encode(each.key_id + each.value).decode()}\n" for each in note.signatures
    )
    return f"{note.text}\n{''.join(signatures)}"


@pytest.fixture(scope="module")
def second_verifier() -> Iterator[SecondVerifier]:
    """Run the second verifier for the tests of one file."""
    with SecondVerifier() as running:
        yield running
