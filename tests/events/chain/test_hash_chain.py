"""The chain over public forms: golden vectors, and that nothing can be moved or changed."""

import hashlib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from events.chain.canonical import canonical
from events.chain.hash_chain import GENESIS, link
from tests.support.strategies import fifty_examples, json_values

FORMS = st.dictionaries(st.sampled_from("abc"), json_values, max_size=3)


def test_golden_vectors() -> None:
    """For whoever writes a verifier in another language."""
    first = link(GENESIS, {"version": 1})
    assert GENESIS == "0" * 64
    assert first == "1d01a1de6135819caecd132db360c24303e87d79cc73ec73620aa62718a67e3a"
    assert link(first, {"version": 2, "data": {"b": 1, "a": None}}) == (
        "5f0da6070914d623c0957ff67dff3c7f0411d74b957b36bc9764ff94cac615c3"
    )
    assert first == hashlib.sha256(bytes(32) + b'{"version":1}').hexdigest()


@fifty_examples
@given(FORMS, FORMS)
def test_a_link_depends_on_form_and_predecessor(form: dict[str, Any], other: dict[str, Any]) -> None:
    """Another form or another past is another hash; the order of members is none of its business."""
    first = link(GENESIS, form)
    assert (first == link(GENESIS, other)) == (canonical(form) == canonical(other))
    assert link(first, form) != first
    assert link(GENESIS, dict(reversed(form.items()))) == first
