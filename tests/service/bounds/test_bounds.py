"""docs/limits.md says what holds, and names with each of its rows a test that there is."""

import ast
import re

import pytest

from tests.service.bounds.table import ROWS, Bound, document
from tests.service.http.contract.test_problem_table import documented
from tests.support.servers import ROOT


def test_the_page_says_what_holds() -> None:
    """After a change: `python -m tests.service.bounds`."""
    assert (ROOT / "docs" / "limits.md").read_text(encoding="utf-8") == document()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.test.rpartition("::")[2])
def test_a_test_stands_with_each_bound(row: Bound) -> None:
    """It is there by this name, and the problems are those of docs/problems.md with their status."""
    file, _, name = row.test.partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    known = documented()
    for status, code in re.findall(r"(\d{3}) `(\w+)`", row.beyond):
        assert int(status) in known[code], (status, code)
