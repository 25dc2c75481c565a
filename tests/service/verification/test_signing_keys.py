"""The keys that the service signs with: made once, kept private, replaced without a gap."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.transparency.signed_note import NoteRefused, VerifierKey, parse_note
from service.command_line import main
from service.verification.signing_keys import FILE, SigningKeys, SigningKeysUnusable

TEXT = "something\n"


def test_the_first_start_makes_a_key_that_only_its_owner_can_read(tmp_path: Path) -> None:
    """Mode 0600, and the same key at the next start."""
    keys = SigningKeys(tmp_path / "data")

    assert (tmp_path / "data" / FILE).stat().st_mode & 0o777 == 0o600
    assert keys.name.startswith("fieldbook.invalid/")
    assert SigningKeys(tmp_path / "data").current == keys.current
    assert parse_note(keys.sign(TEXT)).require([keys.current]) == keys.current
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]


def test_processes_that_start_at_once_have_one_key(tmp_path: Path) -> None:
    """Whoever comes second takes the key of the first."""
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: SigningKeys(tmp_path).current, range(8)))

    assert len(set(made)) == 1


def test_a_replaced_key_endorses_the_next_one_and_signs_no_more(tmp_path: Path) -> None:
    """Whoever trusts the first key can follow to the last; running processes use it at once."""
    running, operator = SigningKeys(tmp_path, "fieldbook.test/one"), SigningKeys(tmp_path)
    first = running.current

    second = operator.rotate()
    third = operator.rotate()

    assert [each.key for each in running.published] == [str(first), second.key, third.key]
    assert [each.until is None for each in running.published] == [False, False, True]
    trusted = first
    for new in running.published[1:]:
        note = parse_note(new.endorsement)
        assert note.require([trusted]) == trusted
        assert note.text == f"fieldbook key rotation v1\nkey {new.key}\n"
        trusted = VerifierKey.parse(new.key)
    assert str(running.current) == third.key
    with pytest.raises(NoteRefused):
        parse_note(running.sign(TEXT)).require([first])
    stored = (tmp_path / FILE).read_text()
    assert stored.count('"private"') == 1


def test_the_name_is_fixed(tmp_path: Path) -> None:
    """A log keeps its name for ever; a setting that says otherwise is refused."""
    SigningKeys(tmp_path, "fieldbook.test/one")

    with pytest.raises(SigningKeysUnusable, match="keeps its name for ever"):
        SigningKeys(tmp_path, "fieldbook.test/two")
    with pytest.raises(SigningKeysUnusable, match="no name of a key"):
        SigningKeys(tmp_path / "other", "two words")


@pytest.mark.parametrize("content", ["", "{}", '{"name": "a", "private": "x", "keys": []}', "\x00"])
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, content: str) -> None:
    """And never replaced: its key may be in a backup."""
    (tmp_path / FILE).write_text(content)
    (tmp_path / FILE).chmod(0o600)

    with pytest.raises(SigningKeysUnusable, match="Restore"):
        SigningKeys(tmp_path)
    assert (tmp_path / FILE).read_text() == content


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """With what to do about it."""
    SigningKeys(tmp_path)
    (tmp_path / FILE).chmod(0o640)

    with pytest.raises(SigningKeysUnusable, match="chmod 600"):
        SigningKeys(tmp_path)


def test_a_private_key_of_another_is_refused(tmp_path: Path) -> None:
    """The private key must be that of the last one published."""
    SigningKeys(tmp_path / "one")
    SigningKeys(tmp_path / "two")
    one, two = (json.loads((tmp_path / name / FILE).read_text()) for name in ("one", "two"))
    (tmp_path / "one" / FILE).write_text(json.dumps(one | {"private": two["private"]}))

    with pytest.raises(SigningKeysUnusable, match="not that of the key in use"):
        SigningKeys(tmp_path / "one")


def test_the_command_shows_and_replaces_the_key(tmp_path: Path) -> None:
    """As text that can be copied into `--key`."""
    environment = {"FIELDBOOK_DATA": str(tmp_path), "FIELDBOOK_NAME": "fieldbook.test/one"}

    shown = CliRunner().invoke(main, ["signing-key", "show"], env=environment)
    first = SigningKeys(tmp_path).current
    assert f"a new one is in: {environment['FIELDBOOK_DATA']}" in shown.stderr
    replaced = CliRunner().invoke(main, ["signing-key", "rotate"], env=environment)
    broken = CliRunner().invoke(main, ["signing-key", "show"], env=environment | {"FIELDBOOK_NAME": "other"})

    assert shown.stdout == f"{first}\n"
    assert replaced.output == f"{SigningKeys(tmp_path).current}\n"
    assert (shown.exit_code, replaced.exit_code, broken.exit_code) == (0, 0, 2)
    assert SigningKeys(tmp_path).current != first
