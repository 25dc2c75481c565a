"""docs/limits.md says what holds, and each of its rows has tests that there are."""

import ast
import re

import pytest

from tests.service.bounds.bound import Bound
from tests.service.bounds.table import ROWS, document
from tests.service.http.contract.test_problem_table import documented
from tests.support.servers import ROOT


def test_the_page_says_what_holds() -> None:
    """After a change: `python -m tests.service.bounds`."""
    assert (ROOT / "docs" / "limits.md").read_text(encoding="utf-8") == document()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_a_test_stands_with_each_bound(row: Bound) -> None:
    """It is there by this name, and the problems are those of docs/problems.md with their status."""
    for test in row.test.split(" and "):
        file, _, name = test.partition("::")
        tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
        assert name in {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}, test
    known = documented()
    for status, code in re.findall(r"(\d{3}) `(\w+)`", row.beyond):
        assert int(status) in known[code], (status, code)
