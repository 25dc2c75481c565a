"""Canonical JSON is RFC 8785, held against another implementation."""

import hashlib
from typing import Any

import pytest
import rfc8785
from hypothesis import given

from events.chain.canonical import canonical, sha256_hex
from events.rules.catalogues.catalogue import shipped_catalogue
from tests.support.strategies import fifty_examples, json_values


@fifty_examples
@given(json_values)
def test_canonical_bytes_are_those_of_rfc_8785(value: Any) -> None:
    """For all values that occur: integers of 53 bits, member names of ASCII, any text."""
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1, "a": [None, True, False, -3]}, '{"a":[null,true,false,-3],"b":1}'),
        ({"Z": 1, "_": 2, "a": 3, "": 4}, '{"":4,"Z":1,"_":2,"a":3}'),
        ('"\\/\b\f\n\r\t\x00\x1f\x7f', '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f"'),
        ("Cogné \u2028 \N{SEEDLING}", '"Cogné \u2028 \N{SEEDLING}"'),
        (2**53 - 1, "9007199254740991"),
        ([], "[]"),
        ({}, "{}"),
    ],
    ids=ascii,
)
def test_golden_vectors(value: Any, expected: str) -> None:
    """Spelled out for whoever writes a verifier in another language."""
    assert canonical(value).decode() == expected


def test_structs_are_canonical_like_the_objects_that_they_are() -> None:
    """A catalogue hashes as its JSON."""
    catalogue = shipped_catalogue("bohnanza-104")
    assert b'"beanometer":{"1":4,"2":6,"3":8,"4":10},"card":"blue","copies":20' in canonical(catalogue)
    assert sha256_hex(canonical(catalogue)) == catalogue.hash()


def test_hashes_are_written_in_lower_case_hex() -> None:
    """64 hex digits."""
    assert sha256_hex(b"beans") == hashlib.sha256(b"beans").hexdigest()


def test_text_that_is_no_unicode_is_refused() -> None:
    """A lone surrogate has no canonical form."""
    with pytest.raises(UnicodeEncodeError):
        canonical("\ud800")
