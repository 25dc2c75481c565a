"""Salted commitments: golden vectors, and what they hide and bind."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from events.chain.commitments import commit, salt, salt_key
from tests.support.strategies import fifty_examples, json_values
from tests.support.tables import SECRET

KEY = salt_key(SECRET)


def test_golden_vectors() -> None:
    """For whoever writes a verifier in another language."""
    assert KEY.hex() == "edd5c11993f70a1f3fded596b71a62a52f03dbe992da49942f70dee7354c8e66"
    assert salt(KEY, 7, "data/cards/0") == "293eed52c7e23fe98c44868a1d57682f"
    assert commit("293eed52c7e23fe98c44868a1d57682f", "blue") == (
        "a931693e6221762bc10b77579be7215360bebc17609439a050166f3566978cc7"
    )
    assert commit("293eed52c7e23fe98c44868a1d57682f", [1, 2]) == (
        "e6390a9948af637bfc949aa918001c475de1ca0cb737284962ecc9e305eb619c"
    )


def test_the_specification_in_a_few_other_words() -> None:
    """HMAC-SHA256 of the secret gives the key, of version and path the salt; SHA-256 commits."""
    key = hmac.new(bytes.fromhex(SECRET), b"salt", hashlib.sha256).digest()
    mixed = hmac.new(key, b"12/command/hand", hashlib.sha256).digest()[:16]
    assert salt(KEY, 12, "command/hand") == mixed.hex()
    assert commit(mixed.hex(), [3, 1]) == hashlib.sha256(mixed + b"[3,1]").hexdigest()


@fifty_examples
@given(st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from(("state", "data/hand/0", "data/hand/1")))
def test_every_value_has_a_salt_of_its_own(version: int, other: int, path: str) -> None:
    """Equal values in different places cannot be told to be equal."""
    assert (salt(KEY, version, path) == salt(KEY, other, path)) == (version == other)
    assert salt(KEY, version, path) != salt(KEY, version, path + "0")
    assert salt(KEY, version, path) != salt(salt_key("00" * 32), version, path)


@fifty_examples
@given(json_values, json_values)
def test_a_commitment_binds_the_value(value: object, other: object) -> None:
    """Two values have the same commitment only if they are the same JSON."""
    salted = salt(KEY, 1, "x")
    same = repr(value) == repr(other) or (value == other and commit(salted, value) == commit(salted, other))
    assert (commit(salted, value) == commit(salted, other)) == same
