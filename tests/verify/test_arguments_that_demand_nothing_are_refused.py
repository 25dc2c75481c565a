"""An argument that is to be trusted, and holds nothing to trust, is wrong use (exit status 2) in every command.

Source: docs/verifying.md: `--key` demands the signature of a key, `--witness` the cosignature of a witness,
`--receipt` and `--checkpoint` what they say. What demands nothing must not look like a demand that was met.
"""

from pathlib import Path

import pytest

from tests.support.both_verifiers import verify_in_python, verify_with_both
from tests.support.commands import fieldbook, replay
from tests.support.record_files import recorded, write
from tests.support.signed_files import WITNESS, SigningKey, head_text, signed

KEY = SigningKey(1)
OTHER = SigningKey(2)
WITNESS_KEY = SigningKey(3, "witness.test/w1", WITNESS)
NOTHING = {
    "empty": b"",
    "blank": b" \t\n\r\n  \n",
    "bom": b"\xef\xbb\xbf",
    "comments": b"# the keys of the service\n",
    "binary": b"\xff\xfe\x00",
    "other-algorithm": f"{WITNESS_KEY.published}\n".encode(),
    "half-a-key": KEY.published[:-5].encode(),
    "two-on-a-line": f"{KEY.published} {OTHER.published}\n".encode(),
    "too-long": b"\n" * 100_001 + KEY.published.encode(),
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a signed record and return its path."""
    path = tmp_path_factory.mktemp("signed") / "record.ndjson"
    return write(path, signed(recorded("ladybohn/ended-replaced"), KEY))


@pytest.mark.parametrize("option", ["--key", "--receipt", "--checkpoint"])
@pytest.mark.parametrize("content", NOTHING)
def test_both_verifiers_refuse_a_file_without_what_the_option_names(
    record: Path, tmp_path: Path, option: str, content: str
) -> None:
    """Exit status 2, and no report."""
    given = write(tmp_path / "given", NOTHING[content])
    for verdict in verify_with_both(record, option, given):
        assert (verdict.status, verdict.report) == (2, {}), verdict
        assert verdict.complaint


@pytest.mark.parametrize("option", ["--key", "--receipt", "--checkpoint"])
@pytest.mark.parametrize("given", ["", ".", "no/such/file", " ", "+"])
def test_both_verifiers_refuse_an_argument_that_is_no_file(record: Path, option: str, given: str) -> None:
    """An empty argument, as of an unset variable in a script; a folder; a file that is missing."""
    for verdict in verify_with_both(record, option, given):
        assert (verdict.status, verdict.report) == (2, {}), verdict


@pytest.mark.parametrize(
    "given",
    ["a+b+c", "x+00000000+AAAA", KEY.published[:-5], WITNESS_KEY.published, f"{KEY.published}\nx"],
)
def test_both_verifiers_refuse_a_key_in_the_command_line_that_is_none(record: Path, given: str) -> None:
    """Exit status 2, as docs/replay.md has it: 70 would call the mistake a defect of Fieldbook."""
    for verdict in verify_with_both(record, "--key", given):
        assert (verdict.status, verdict.report) == (2, {}), verdict
        assert verdict.complaint


@pytest.mark.parametrize("option", ["--receipt", "--checkpoint", "--signing-keys"])
@pytest.mark.parametrize("content", ["", "hello", "hello\n\nhello\n", "[]", '{"keys":[{"key":"hello"}]}'])
def test_both_verifiers_refuse_a_file_of_something_else(
    record: Path, tmp_path: Path, option: str, content: str
) -> None:
    """The same with a good key in addition to it."""
    given = write(tmp_path / "given", content.encode())
    for verdict in verify_with_both(record, "--key", KEY.published, option, given):
        assert (verdict.status, verdict.report) == (2, {}), verdict
        assert verdict.complaint


def test_both_verifiers_say_that_signing_keys_need_a_key(record: Path, tmp_path: Path) -> None:
    """No key was given: the message names the option that is missing, for any content of the file."""
    for content in (b"", b'{"keys":[]}'):
        given = write(tmp_path / "keys.json", content)
        for verdict in verify_with_both(record, "--signing-keys", given):
            assert verdict.status == 2
            assert "name that with --key" in verdict.complaint


def test_a_key_that_demands_something_still_counts(record: Path, tmp_path: Path) -> None:
    """A usable key beside an empty file does not excuse the file; by itself it is met, and another key is not."""
    empty = write(tmp_path / "empty.keys", b"")
    for verdict in verify_with_both(record, "--key", KEY.published, "--key", empty):
        assert verdict.status == 2
    for verdict in verify_with_both(record, "--key", KEY.published):
        assert (verdict.status, verdict.report["trusted"]) == (0, True)
    for verdict in verify_with_both(record, "--key", OTHER.published):
        assert (verdict.status, verdict.findings[0][0]) == (1, "signature")


def test_a_name_longer_than_files_can_have_is_refused(record: Path) -> None:
    """No traceback: what is too long for a file is read as a key, and is none."""
    for verdict in verify_with_both(record, "--key", "a" * 5_000 + "+0+b"):
        assert verdict.status == 2
        assert "Traceback" not in verdict.complaint


@pytest.mark.parametrize("content", [*NOTHING, "service-key"])
def test_a_witness_argument_without_a_witness_is_refused(record: Path, tmp_path: Path, content: str) -> None:
    """The first verifier alone has --witness; with --earlier as without."""
    nothing = NOTHING | {"service-key": KEY.published.encode(), "other-algorithm": OTHER.published.encode()}
    given = write(tmp_path / "given", nothing[content])
    earlier = write(tmp_path / "earlier", KEY.note("service.test/log\n0\n\n").encode())

    assert verify_in_python(record, "--witness", given).status == 2
    assert verify_in_python(record, "--witness", given, "--earlier", earlier).status == 2


def test_an_earlier_checkpoint_without_content_is_refused(record: Path, tmp_path: Path) -> None:
    """It is to be a signed note."""
    empty = write(tmp_path / "empty", b"")

    assert verify_in_python(record, "--witness", WITNESS_KEY.published, "--earlier", empty).status == 2


@pytest.mark.parametrize(
    "command",
    [
        ("audit", "RECORD", "--key", "GIVEN"),
        ("audit", "RECORD", "--witness", "GIVEN"),
        ("tournament", "RECORD", "--key", "GIVEN"),
        ("witness", "FOLDER", "--log", "GIVEN"),
        ("witness", "FOLDER", "--key-only", "--log", "GIVEN"),
    ],
)
@pytest.mark.parametrize("content", ["empty", "blank", "comments"])
def test_every_command_refuses_a_key_argument_without_a_key(
    record: Path, tmp_path: Path, command: tuple[str, ...], content: str
) -> None:
    """Wrong use, in one line that names the file."""
    given = write(tmp_path / "given.keys", NOTHING[content])
    places = {"RECORD": record, "GIVEN": given, "FOLDER": tmp_path / "witness"}
    run = replay(*(places.get(part, part) for part in command))

    assert run.returncode == 2
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize("content", [b"", b"\n \n", b"# no witness yet\n", b","])
def test_the_setting_of_witnesses_refuses_a_file_without_a_witness(tmp_path: Path, content: bytes) -> None:
    """FIELDBOOK_WITNESSES names a file with one a line: without any, nobody would co-sign and nobody would know."""
    given = write(tmp_path / "witnesses", content)
    run = fieldbook("configuration", environment={"FIELDBOOK_WITNESSES": str(given)})

    assert run.returncode == 2, run.stdout
    assert "FIELDBOOK_WITNESSES" in run.stdout + run.stderr


def test_a_receipt_that_is_met_is_said_and_one_of_another_game_is_found(record: Path, tmp_path: Path) -> None:
    """A receipt is a signed head of this game."""
    lines = recorded("ladybohn/ended-replaced")
    kept = write(tmp_path / "kept.receipt", KEY.note(head_text(lines, 30)).encode())
    other = KEY.note(head_text(lines, 30).replace("game game-610", "game other")).encode()
    for verdict in verify_with_both(record, "--key", KEY.published, "--receipt", kept):
        assert (verdict.status, verdict.report["brought"]["receipts"]) == (0, 1)
    for verdict in verify_with_both(record, "--receipt", write(tmp_path / "other.receipt", other)):
        assert verdict.findings == (("signature", 0),)
