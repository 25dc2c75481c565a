"""A record is hostile input: whatever it holds, a verification ends with a finding and a version."""

import contextlib
import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from events.chain.hash_chain import GENESIS, link
from events.game.record import LONGEST_LINE
from events.log.disclosure import ALL, PUBLIC, Form, public_form, viewer_name
from replay.client import sources
from replay.command_line import replay
from replay.verification import verification
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import Line, parsed, written
from tests.support.recorded_games import recorded_game

STRICT = (("bean_protection", "strict"), ("start_seat", "random"))
GAME = recorded_game(5, 4, STRICT, 12)
RECORD = GAME.record()
DEEP = b"[" * 3_000 + b"]" * 3_000


def version_found(record: list[bytes]) -> int:
    """The version of the one finding."""
    report = verify_lines(record)
    assert not report.ok
    assert "cannot be processed" not in report.findings[0].reason
    return report.findings[0].version


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"null\n",
        b"[]\n",
        b"{}\n",
        b'"text"\n',
        b"\xff\xfe\n",
        b"\x00" * 50,
        DEEP,
        b'{"entry":' + DEEP + b',"salts":{},"hash":""}',
        b'{"entry":{"version":20,"data":' + DEEP + b'},"salts":{},"hash":""}',
        b'{"entry":{"version":NaN},"salts":{},"hash":""}',
        b'{"entry":{"version":1e400},"salts":{},"hash":""}',
        b'{"entry":{"version":' + b"9" * 5_000 + b'},"salts":{},"hash":""}',
        b'{"entry":{"version":20,"type":"\\ud800"},"salts":{},"hash":""}',
        b'{"entry":{"version":20},"salts":{"\\ud800":""},"hash":""}',
        b'{"entry":{"version":20.0},"salts":{},"hash":""}',
        b'{"entry":{"version":true},"salts":{},"hash":""}',
        b'{"entry":{"version":20},"salts":[],"hash":""}',
        b'{"entry":{"version":20},"salts":{},"hash":7}',
        b'{"entry":[],"salts":{},"hash":""}',
        b'{"end":20}',
        b'{"end":"20","hash":""}',
        b'{"end":-1,"hash":""}',
        b'{"end":99999999999999999999999,"hash":"\x1b[2J"}',
        b'{"entry":{"version":20},"salts":{},"hash":"' + b"x" * LONGEST_LINE + b'"}',
    ],
    ids=lambda line: line[:40].decode("latin-1").encode("unicode_escape").decode(),
)
def test_a_line_that_is_no_entry_is_found(line: bytes) -> None:
    """In place of entry 20 anything else is a finding there, and as the header it is one at version 0."""
    assert version_found([*RECORD[:20], line, *RECORD[21:]]) in (19, 20)
    assert version_found([line, *RECORD[1:]]) == 0


@pytest.mark.parametrize(
    "path",
    [
        "data/cards/-1",
        "data/cards/99",
        "data/cards",
        "data/none/0",
        "data",
        "",
        "/",
        "state/0",
        "cards/0",
        "data/cards/x",
    ],
)
def test_a_salt_for_a_place_that_does_not_exist_is_found(path: str) -> None:
    """A path leads to a value that is hidden from others, or to nothing."""
    dealt = next(entry.version for entry in GAME.log if entry.type == "hand_dealt")
    lines = parsed(RECORD)
    lines[dealt]["salts"][path] = "0" * 32

    assert version_found(written(lines)) == dealt


@pytest.mark.parametrize("salt", ["", "0" * 31, "0" * 33, "G" * 32, "0" * 30 + "é0", " " * 32])
def test_a_salt_that_is_not_hex_is_found(salt: str) -> None:
    """Salts are 32 lower-case hex digits."""
    lines = parsed(RECORD)
    lines[30]["salts"]["state"] = salt

    assert version_found(written(lines)) == 30


HOSTILE: tuple[Any, ...] = (
    None, True, -1, -5, 4, 99, 2**53, 2**63, 10**30, 0.5, "", "x", "\x1b[31m", "a" * 3_000, [], [0], [-1, -1],
    ["?"] * 104, ["blue"] * 500, [[]], {}, {"commitment": "0" * 64}, {"a": {"b": {"c": {"d": {}}}}},
)  # fmt: skip


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
def test_any_value_in_any_field_of_any_event_is_survived(viewer: int) -> None:
    """Every field of every event type takes hostile values, linked anew: no crash, and a clean reason.

    In a narrow scope some of these can't be told from the truth, such as another text of table talk.
    """
    chance = random.Random(viewer)
    whole = parsed(GAME.record(viewer))
    first: dict[str, int] = {}
    for line in whole[1:-1]:
        first.setdefault(line["entry"]["type"], line["entry"]["version"])
    for version in first.values():
        for name in (*whole[version]["entry"]["data"], "seat"):
            for value in chance.sample(HOSTILE, 3):
                changed = json.loads(json.dumps(whole[version]))
                changed["entry"]["data"][name] = value
                check_survived(whole[:version], changed)


def check_survived(before: list[Line], changed: Line) -> None:
    """Verify up to and with the changed line, linked to what stands before it as far as that is possible."""
    version = len(before)
    with contextlib.suppress(ValueError, KeyError, IndexError, TypeError, OverflowError):
        head = before[-1].get("hash", GENESIS)
        changed["hash"] = link(head, public_form(Form(changed["entry"], changed["salts"], "")))
    findings = verify_lines(written([*before, changed, {"end": version, "hash": changed["hash"]}])).findings

    assert all("cannot be processed" not in finding.reason for finding in findings), findings
    assert all(finding.version in (version, version + 1) for finding in findings)


def test_what_nobody_thought_of_becomes_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should an entry make the checking code fail, that is a finding with the version, in one place."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("\x1b[2Jnobody thought of this")

    monkeypatch.setattr(verification, "check_cards", fail)

    finding = verify_lines(RECORD).findings[0]

    assert (finding.check, finding.version) == ("cards", 1)
    assert "cannot be processed (ZeroDivisionError: <1b>[2Jnobody thought of this)" in finding.reason


def test_a_record_with_too_many_entries_is_not_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of entries is bounded."""
    monkeypatch.setattr(verification, "MOST_ENTRIES", 50)

    assert version_found(RECORD) == 51


def test_a_record_that_is_too_large_is_not_read_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The size is bounded, after decompression too."""
    monkeypatch.setattr(sources, "LARGEST", 20_000)
    (tmp_path / "record.gz").write_bytes(gzip.compress(b"".join(RECORD)))

    with sources.record_lines(str(tmp_path / "record.gz")) as lines:
        finding = verify_lines(lines).findings[0]

    assert finding.version > 0
    assert "larger than" in finding.reason


def test_a_line_without_an_end_is_not_read_into_memory(tmp_path: Path) -> None:
    """A file of one endless line is given up after the longest line that is allowed."""
    (tmp_path / "record").write_bytes(b"x" * (LONGEST_LINE * 3))

    with sources.record_lines(str(tmp_path / "record")) as lines:
        assert len(next(lines)) <= LONGEST_LINE + 2


@pytest.mark.parametrize("cut", [3, 12, 2_000, -9, -1])
def test_a_damaged_compression_is_a_finding(tmp_path: Path, cut: int) -> None:
    """A compressed record that was cut off ends with exit status 1."""
    (tmp_path / "record.gz").write_bytes(gzip.compress(b"".join(RECORD))[:cut])

    result = CliRunner().invoke(replay, ["verify", str(tmp_path / "record.gz")])

    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)


@pytest.mark.parametrize("command", ["show", "log", "verify", "step"])
@pytest.mark.parametrize(
    "content", [b"", b"\x1f", b"hello\n", b"{}\n", b'{"record":true}\n', b"\x00\xff" * 100]
)
def test_a_file_that_is_no_record_is_said_to_be_none(tmp_path: Path, command: str, content: bytes) -> None:
    """That is no finding about a game: every command says so with exit status 2."""
    (tmp_path / "record").write_bytes(content)

    result = CliRunner().invoke(replay, [command, str(tmp_path / "record")])

    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert "is no record: its first line is not the header" in result.output


@pytest.mark.parametrize("command", ["show", "log", "verify", "step"])
@pytest.mark.parametrize("content", [b'{"record":1}\n', b'{"record":9,"game":"g"}\n', b'{"record": 1}'])
def test_a_damaged_header_is_a_finding(tmp_path: Path, command: str, content: bytes) -> None:
    """Where it names a format it is meant as a record, whatever is wrong with it: exit status 1."""
    (tmp_path / "record").write_bytes(content)

    result = CliRunner().invoke(replay, [command, str(tmp_path / "record")])

    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "the header" in result.output


@pytest.mark.parametrize("command", ["verify", "audit"])
def test_machines_get_a_report_on_what_is_no_record(tmp_path: Path, command: str) -> None:
    """As JSON, with status 2."""
    (tmp_path / "record").write_bytes(b"hello\n")

    result = CliRunner().invoke(replay, [command, str(tmp_path / "record"), "--json"])

    assert result.exit_code == 2
    assert '"reason": "this is no record: ' in result.stdout
