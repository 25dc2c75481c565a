"""A short run of schemathesis; `make contract` is the long one, with every phase and 5,000 cases at least."""

from pathlib import Path

from tests.contract.campaign import run


def test_no_answer_is_outside_the_contract(tmp_path: Path) -> None:
    """Examples, random requests, right ones and wrong ones, and chains of them along the links."""
    status, asked, said = run(tmp_path, cases=6, seconds=900, phases="examples,fuzzing,stateful")

    assert status == 0, said[-6000:]
    assert asked > 200
