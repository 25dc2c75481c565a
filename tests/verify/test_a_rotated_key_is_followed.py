"""An auditor who holds a service's old key verifies records signed with a key that the old one has endorsed.

Source: docs/verifying.md, "With what you kept": `--signing-keys` takes the answer of `/v1/signing-keys`; a key counts
where a key that is trusted by then has endorsed it. docs/record-format.md has the text of an endorsement.
"""

import base64
import json
from pathlib import Path

import pytest

from tests.support.both_verifiers import verify_with_both
from tests.support.commands import fieldbook, replay
from tests.support.record_files import recorded, write
from tests.support.signed_files import SigningKey, signed

OLD, MIDDLE, NEW, STRANGER = (SigningKey(number) for number in (1, 2, 3, 4))


def rotation(old: SigningKey, new: SigningKey) -> str:
    """Return the endorsement of a new key by an old one."""
    return old.note(f"fieldbook key rotation v1\nkey {new.published}\n")


def answer(*keys: tuple[SigningKey, str]) -> bytes:
    """Return the answer of `/v1/signing-keys` with these keys and endorsements."""
    shown = [{"key": key.published, "since": 1, "until": None, "endorsement": text} for key, text in keys]
    return json.dumps({"keys": shown}).encode()


ROTATED = answer((OLD, ""), (MIDDLE, rotation(OLD, MIDDLE)), (NEW, rotation(MIDDLE, NEW)))
NOT_FOLLOWED = {
    "no endorsement": answer((OLD, ""), (NEW, "")),
    "endorsed by a stranger": answer((OLD, ""), (STRANGER, ""), (NEW, rotation(STRANGER, NEW))),
    "another key is endorsed": answer((OLD, ""), (MIDDLE, rotation(OLD, MIDDLE)), (NEW, "")),
    "endorsed by a key that nobody endorsed": answer((OLD, ""), (MIDDLE, ""), (NEW, rotation(MIDDLE, NEW))),
    "no keys": answer(),
}
REFUSED = {
    "no JSON": b"",
    "a list of keys": NEW.published.encode(),
    "another answer": b'{"games":[]}',
    "a false endorsement": answer(
        (OLD, ""),
        (
            NEW,
            rotation(STRANGER, NEW).replace(
                rotation(STRANGER, NEW).split()[-1][:6], rotation(OLD, NEW).split()[-1][:6]
            ),
        ),
    ),
    "an endorsement of something else": answer((OLD, ""), (NEW, rotation(OLD, MIDDLE))),
    "no note": answer((OLD, ""), (NEW, "trust me")),
    "no key": b'{"keys":[{"key":"none","endorsement":""}]}',
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a record that the newest key has signed, and return its path."""
    path = tmp_path_factory.mktemp("signed") / "record.ndjson"
    return write(path, signed(recorded("ladybohn/ended-replaced"), NEW))


def test_the_old_key_alone_says_what_to_fetch(record: Path) -> None:
    """Status 1, since the record is not signed by that key; the finding names the endpoint and the option."""
    for verdict in verify_with_both(record, "--key", OLD.published):
        assert (verdict.status, verdict.findings[0][0]) == (1, "signature")
        reason = verdict.report["findings"][0]["reason"]
        assert "/v1/signing-keys" in reason
        assert "--signing-keys" in reason


def test_a_stranger_s_key_does_not_speak_of_rotation(record: Path) -> None:
    """A key under another name has not been rotated to this one."""
    other = SigningKey(1, "elsewhere.test/log")
    for verdict in verify_with_both(record, "--key", other.published):
        assert verdict.status == 1
        assert "/v1/signing-keys" not in verdict.report["findings"][0]["reason"]


def test_endorsed_keys_are_followed(record: Path, tmp_path: Path) -> None:
    """From the first key over the second to the third."""
    rotated = write(tmp_path / "keys.json", ROTATED)
    for verdict in verify_with_both(record, "--key", OLD.published, "--signing-keys", rotated):
        assert (verdict.status, verdict.report["trusted"]) == (0, True)
        assert verdict.report["signed_by"] == NEW.published


@pytest.mark.parametrize("keys", NOT_FOLLOWED)
def test_a_key_without_a_trusted_endorsement_counts_for_nothing(
    record: Path, tmp_path: Path, keys: str
) -> None:
    """The file itself is not trusted."""
    given = write(tmp_path / "keys.json", NOT_FOLLOWED[keys])
    for verdict in verify_with_both(record, "--key", OLD.published, "--signing-keys", given):
        assert (verdict.status, verdict.findings[0][0]) == (1, "signature")


@pytest.mark.parametrize("keys", REFUSED)
def test_a_file_that_is_no_such_answer_is_refused(record: Path, tmp_path: Path, keys: str) -> None:
    """Status 2."""
    given = write(tmp_path / "keys.json", REFUSED[keys])
    for verdict in verify_with_both(record, "--key", OLD.published, "--signing-keys", given):
        assert verdict.status == 2, verdict
        assert "Traceback" not in verdict.complaint


def test_published_keys_without_a_key_to_trust_are_refused(record: Path, tmp_path: Path) -> None:
    """They would trust whatever the service says of itself."""
    for verdict in verify_with_both(record, "--signing-keys", write(tmp_path / "keys.json", ROTATED)):
        assert verdict.status == 2


def test_what_the_service_leaves_at_a_rotation_is_followed(tmp_path: Path) -> None:
    """`signing-key show`, twice `signing-key rotate`; the file of keys has what the endpoint answers."""
    environment = {"FIELDBOOK_DATA": str(tmp_path / "data")}
    old = fieldbook("signing-key", "show", environment=environment).stdout.strip()
    for _ in range(2):
        assert fieldbook("signing-key", "rotate", environment=environment).returncode == 0
    kept = json.loads((tmp_path / "data" / "signing-keys.json").read_text())
    key = SigningKey(int.from_bytes(base64.b64decode(kept["private"])), kept["name"])
    record = write(tmp_path / "record.ndjson", signed(recorded("ladybohn/ended-replaced"), key))
    published = write(tmp_path / "keys.json", json.dumps({"keys": kept["keys"]}).encode())

    for verdict in verify_with_both(record, "--key", old):
        assert verdict.status == 1
    for verdict in verify_with_both(record, "--key", old, "--signing-keys", published):
        assert (verdict.status, verdict.report["trusted"]) == (0, True)
    log = write(tmp_path / "log.ndjson", b"")
    assert replay("tournament", log, "--signing-keys", published).returncode == 2
