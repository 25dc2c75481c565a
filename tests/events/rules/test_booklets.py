"""Every sentence of the booklets is accounted for: the tables in `docs/rules/booklets` name the test of each rule.

A table counts the sentences of one section. Each states a rule, with the tests that prove it, or says after
`no rule:` what it is instead. Take a test away or rename it, and the table that names it fails here.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "docs" / "rules" / "booklets"
BOOKLETS = (
    "bohnanza-104.fr",
    "bohnanza-154.fr",
    "bohnanza-154.it",
    "ladybohn-expansion.en",
    "ladybohn.fr",
    "the-duel.fr",
)
HEADER = ("| sentence | what it says, in our words | proof |", "|---|---|---|")

every_booklet = pytest.mark.parametrize("booklet", BOOKLETS)


class Row(NamedTuple):
    """One line of a table."""

    section: str
    first: int
    last: int
    says: str
    proofs: tuple[str, ...]


def rows(booklet: str) -> Iterator[Row]:
    """The lines of all tables of a booklet's page, in order."""
    for part in re.split(r"^#{2,} ", (FOLDER / f"{booklet}.md").read_text("utf-8"), flags=re.MULTILINE)[1:]:
        section, *lines = part.splitlines()
        table = [line for line in lines if line.startswith("|")]
        assert tuple(table[:2]) == HEADER, f"{section}: a section has a table of its sentences"
        for line in table[2:]:
            numbers, says, proof = (cell.strip() for cell in line.strip("|").split("|"))
            first, _, last = numbers.partition("-")
            yield Row(section, int(first), int(last or first), says, tuple(re.findall(r"`([^`]+)`", proof)))


@cache
def proofs_in(file: str) -> frozenset[str]:
    """The names of the test functions in a file that pytest collects; empty where there is no such file."""
    path = ROOT / file
    if not path.is_file() or not path.name.startswith("test_"):
        return frozenset()
    body = ast.parse(path.read_text("utf-8")).body
    return frozenset(
        node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_there_is_a_page_for_each_booklet() -> None:
    """Neither one more nor one less, and the overview leads to each."""
    pages = sorted(path.stem for path in FOLDER.glob("*.md") if path.stem != "README")
    assert pages == sorted(BOOKLETS)
    overview = (FOLDER / "README.md").read_text("utf-8")
    assert [page for page in pages if f"({page}.md)" not in overview] == []


@every_booklet
def test_no_sentence_is_left_out(booklet: str) -> None:
    """In every section the sentences are counted from 1 without a gap."""
    last: dict[str, int] = {}
    for row in rows(booklet):
        assert row.first == last.get(row.section, 0) + 1, f"{row.section}, sentence {row.first}"
        assert row.last >= row.first
        last[row.section] = row.last
    assert last


@every_booklet
def test_every_rule_has_a_proof_and_every_other_sentence_a_reason(booklet: str) -> None:
    """One sentence a row where it states a rule; those that state none may be taken together."""
    for row in rows(booklet):
        where = f"{row.section}, sentence {row.first}"
        if row.says.startswith("no rule:"):
            assert not row.proofs, where
            assert len(row.says) > len("no rule: "), where
        else:
            assert row.first == row.last, where
            assert row.says, where
            assert row.proofs, where


@every_booklet
def test_the_tests_named_as_proof_exist(booklet: str) -> None:
    """Each proof is `<file>::<test>`, from the root of the repository."""
    missing = [
        f"{row.section}, sentence {row.first}: {proof}"
        for row in rows(booklet)
        for proof in row.proofs
        if proof.partition("::")[2] not in proofs_in(proof.partition("::")[0])
    ]
    assert missing == []
