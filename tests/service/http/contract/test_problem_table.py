"""docs/problems.md has every code of the interface with its status, and none that there is not."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from events.disputes.errors import DisputeRefused
from events.rules.errors import RuleViolation
from replay.annotations.content import AnnotationRefused
from service.http.context.cursors import FORKED, LOST
from service.http.context.disputants import STATUS
from service.http.messages.problems import TYPE_PREFIX, Problem, problem_document
from service.http.resources.game.annotations import from_refusal
from service.play import absence, budgets
from service.server.refusals import REFUSALS

ROOT = Path(__file__).parents[4]
TOLD_BY = {"Problem", "_Told"}
"""What is made of a status and a code: a problem, or what is told of an exception."""


def raised() -> Iterator[tuple[str, int]]:
    """Every code that the interface answers with, and a status of it, as its sources say."""
    for file in (ROOT / "service" / "http").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            values = []
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TOLD_BY:
                values = [each.value for each in node.args[:2] if isinstance(each, ast.Constant)]
            if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Dict):
                for status, pair in zip(node.value.keys, node.value.values, strict=True):
                    match status, pair:
                        case ast.Constant(value=int(number)), ast.Tuple(
                            elts=[ast.Constant(value=str(code)), *_]
                        ):
                            yield code, number
            match values:
                case [int(number), str(code)]:
                    yield code, number
    yield from refusals_of_annotations()
    yield from ((each.code, STATUS.get(each.code, 422)) for each in DisputeRefused.__subclasses__())
    yield from ((each.code, each.status) for each in REFUSALS)
    for code in (LOST, FORKED):
        yield from ((code, 409), (code, 412))
    yield from (("key_revoked", 401), ("key_expired", 401))
    yield from (
        (each.code, 422)
        for each in RuleViolation.__subclasses__()
        if each.__module__ in {budgets.__name__, absence.__name__}
    )
    yield "unknown_system", 422  # the rules' own, where there are no rules to ask


def refusals_of_annotations() -> Iterator[tuple[str, int]]:
    """The codes by which the annotations themselves refuse, with the status that the interface gives them."""
    for file in (
        *(ROOT / "service" / "annotations").rglob("*.py"),
        *(ROOT / "replay" / "annotations").rglob("*.py"),
    ):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="AnnotationRefused"), args=[ast.Constant(value=str(code)), *_]
                ):
                    yield code, from_refusal(AnnotationRefused(code, "")).status


def documented() -> dict[str, set[int]]:
    """The statuses of every code, as the table says."""
    rows = re.findall(
        r"^\| `([a-z_]+)` \| ([0-9, ]+) \|", (ROOT / "docs" / "problems.md").read_text(), re.MULTILINE
    )
    assert [code for code, _ in rows] == sorted(code for code, _ in rows)
    return {code: {int(each) for each in statuses.split(",")} for code, statuses in rows}


def test_the_table_of_problems_is_complete() -> None:
    """What can be answered is documented, and the other way round."""
    found: dict[str, set[int]] = defaultdict(set)
    for code, status in raised():
        found[code].add(status)
    assert dict(found) == documented()


def test_a_problems_type_follows_from_its_code() -> None:
    """So the type is as stable as the code."""
    assert problem_document(Problem(404, "game_not_found", "?"))["type"] == f"{TYPE_PREFIX}game_not_found"
