"""A short run of schemathesis; `make contract` is the long one, with every phase and 5,000 cases at least."""

from pathlib import Path

import pytest

from tests.contract.campaign import run
from tests.support.depth import depth

PHASES = {"integrator": "examples,fuzzing,stateful", "nobody": "examples,fuzzing"}


@pytest.mark.deep
@pytest.mark.parametrize("caller", depth(("integrator",), tuple(PHASES)))
def test_no_answer_is_outside_the_contract(tmp_path: Path, caller: str) -> None:
    """Examples, random requests, right ones and wrong ones, and chains of them along the links."""
    status, asked, said = run(tmp_path, caller, cases=4, seconds=900, phases=PHASES[caller])

    assert status == 0, said[-6000:]
    assert asked > 100
