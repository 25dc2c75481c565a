"""Pseudonyms: the same for the same name, by a key that is made once."""

import stat
from pathlib import Path

import pytest

from replay.across.pseudonyms import open_pseudonym_key, pseudonym


def test_a_name_gets_one_pseudonym_by_one_key() -> None:
    """Another key gives another one, and no name gives none."""
    assert pseudonym(b"a", "Ann") == pseudonym(b"a", "Ann")
    assert len({pseudonym(b"a", "Ann"), pseudonym(b"b", "Ann"), pseudonym(b"a", "Ben")}) == 3
    assert pseudonym(b"a", "") == ""


def test_the_key_is_made_once_and_is_its_owners(tmp_path: Path) -> None:
    """The second time the same key is read."""
    key = open_pseudonym_key(tmp_path / "key")

    assert open_pseudonym_key(tmp_path / "key") == key
    assert len(key) == 32
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


@pytest.mark.parametrize("written", ["", "abc", "z" * 64])
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, written: str) -> None:
    """It is not written over."""
    (tmp_path / "key").write_text(written)

    with pytest.raises(ValueError, match="does not hold a key"):
        open_pseudonym_key(tmp_path / "key")
    assert (tmp_path / "key").read_text() == written
