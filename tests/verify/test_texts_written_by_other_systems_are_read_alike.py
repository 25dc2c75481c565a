"""Keys, receipts and checkpoints that went through an editor or another operating system.

Source: docs/verifying.md: in what a reader brings, one byte order mark, CR LF line ends, and blanks and blank lines
at the end count for nothing; a record is written in the one way there is, since every byte of it is hashed.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.both_verifiers import Verdict, verify_with_both
from tests.support.record_files import recorded, write
from tests.support.signed_files import SigningKey, head_text, signed

KEY = SigningKey(1)
LINES = recorded("ladybohn/ended-replaced")
RECORD = signed(LINES, KEY)
RECEIPT = KEY.note(head_text(LINES, 30)).encode()
BOM = b"\xef\xbb\xbf"
ACCEPTED: dict[str, Callable[[bytes], bytes]] = {
    "byte order mark": lambda text: BOM + text,
    "CR LF": lambda text: text.replace(b"\n", b"\r\n"),
    "both": lambda text: BOM + text.replace(b"\n", b"\r\n"),
    "no line feed at the end": lambda text: text.rstrip(b"\n"),
    "blanks at the end": lambda text: text.rstrip(b"\n") + b" \t\n",
    "blank lines at the end": lambda text: text + b"\n \n",
    "CR LF and blank lines at the end": lambda text: text.replace(b"\n", b"\r\n") + b"\r\n\r\n",
}
REFUSED: dict[str, Callable[[bytes], bytes]] = {
    "two byte order marks": lambda text: BOM + BOM + text,
    "byte order mark at the end": lambda text: text.rstrip(b"\n") + BOM,
    "UTF-16": lambda text: text.decode().encode("utf-16"),
    "no-break space": lambda text: "\u00a0".encode() + text,
    "next line": lambda text: text.rstrip(b"\n") + "\u0085".encode(),
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a signed record and return its path."""
    return write(tmp_path_factory.mktemp("signed") / "record.ndjson", RECORD)


def verdicts(record: Path, folder: Path, option: str, text: bytes) -> tuple[Verdict, Verdict]:
    """Verify the record with a file of this text."""
    return verify_with_both(record, option, write(folder / "given", text))


@pytest.mark.parametrize("written", ACCEPTED)
def test_keys_and_receipts_are_accepted(record: Path, tmp_path: Path, written: str) -> None:
    """The verdict is that on the text as the service wrote it."""
    keys = f"{KEY.published}\n{SigningKey(2).published}\n".encode()
    for verdict in verdicts(record, tmp_path, "--key", ACCEPTED[written](keys)):
        assert (verdict.status, verdict.report["brought"]["keys"]) == (0, 2), verdict
    for verdict in verdicts(record, tmp_path, "--receipt", ACCEPTED[written](RECEIPT)):
        assert (verdict.status, verdict.report["brought"]["receipts"]) == (0, 1), verdict


@pytest.mark.parametrize("option", ["--key", "--receipt"])
@pytest.mark.parametrize("written", REFUSED)
def test_what_is_no_such_text_is_refused(record: Path, tmp_path: Path, option: str, written: str) -> None:
    """The verifiers do not disagree about white space that Unicode knows; a note of other text is no receipt."""
    text = f"{KEY.published}\n".encode() if option == "--key" else RECEIPT
    first, second = verdicts(record, tmp_path, option, REFUSED[written](text))
    assert first.status == second.status
    assert first.status == 2 or first.findings == second.findings == (("signature", 0),)


def test_blanks_within_a_receipt_change_what_was_signed(record: Path, tmp_path: Path) -> None:
    """Only the end of a note is free; with a key the signature is that on the text."""
    changed = write(tmp_path / "given", RECEIPT.replace(b"\nstatus running", b"\nstatus running "))
    for verdict in verify_with_both(record, "--key", KEY.published, "--receipt", changed):
        assert verdict.findings == (("signature", 0),)


@pytest.mark.parametrize("content", [BOM + RECORD, BOM + RECORD.replace(b"\n", b"\r\n"), b"\n" + RECORD, b""])
def test_a_file_that_begins_with_something_else_is_no_record(tmp_path: Path, content: bytes) -> None:
    """A byte order mark or an empty line stands where the header has to: status 2."""
    for verdict in verify_with_both(write(tmp_path / "record.ndjson", content)):
        assert verdict.status == 2, verdict
        assert verdict.report["findings"][0]["check"] == "record" if verdict.report else True


@pytest.mark.parametrize(
    "content",
    [
        RECORD.replace(b"\n", b"\r\n"),
        RECORD.replace(b"}\n", b"} \n", 1),
        RECORD.rstrip(b"\n"),
        RECORD + b"\n",
        RECORD + BOM,
    ],
    ids=["CR LF", "blank", "no line feed at the end", "empty line at the end", "byte order mark at the end"],
)
def test_a_record_written_in_another_way_is_a_finding(tmp_path: Path, content: bytes) -> None:
    """Every byte of a record counts: status 1."""
    first, second = verify_with_both(write(tmp_path / "record.ndjson", content))
    assert first.status == second.status == 1
    assert first.findings[0][0] == second.findings[0][0] == "record"
