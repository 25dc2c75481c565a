"""Change one token of the product at a time, and list the changes that no test notices.

    python -m tests.mutants --count 300 --seed 1 --jobs 2 [--area clocks]

Each mutant is one token: `<` becomes `<=`, `and` becomes `or`, 3 becomes 4. It is written into a copy of the last
commit, and the tests of its area run there until the first failure. A mutant that no test notices survives. The same
seed makes the same mutants of the same source.
"""

import argparse
import ast
import io
import random
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Final, NamedTuple

SECONDS: Final = 600
"""A mutant whose tests take longer counts as noticed: it loops."""
CHANGES: Final = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "//": "*", "*": "//",
    "+=": "-=", "-=": "+=", "and": "or", "or": "and", "not": "", "is": "is not", "in": "not in", "if": "if not",
    "elif": "elif not", "while": "while not", "True": "False", "False": "True", "min": "max", "max": "min",
    "any": "all", "all": "any", "break": "continue", "continue": "break",
}  # fmt: skip


class Area(NamedTuple):
    """A part of the product and the tests that hold its behaviour."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]


AREAS: Final = {
    "rules": Area(
        ("events/rules/systems", "events/rules/phases", "events/rules/table"), ("tests/events/rules",)
    ),
    "clocks": Area(
        ("events/rules/interventions", "events/game"),
        ("tests/events/rules", "tests/events/game", "tests/laws"),
    ),
    "disclosure": Area(("events/log",), ("tests/events/log", "tests/events/game", "tests/replay/records")),
    "commitments": Area(("events/chain",), ("tests/events/chain", "tests/events/log")),
    "verification": Area(
        ("replay/verification",), ("tests/replay/verification", "tests/verify", "tests/replay/branches")
    ),
    "access": Area(("service/access",), ("tests/service/access", "tests/service/roles", "tests/api")),
    "commands": Area(("service/play",), ("tests/service/play", "tests/api")),
    "disputes": Area(
        ("events/disputes", "service/disputes"), ("tests/events/disputes", "tests/service/disputes")
    ),
    "tournaments": Area(
        ("events/tournaments", "service/tournaments"),
        ("tests/events/tournaments", "tests/service/tournaments", "tests/api"),
    ),
    "webhooks": Area(("service/webhooks",), ("tests/service/webhooks",)),
}


class Mutant(NamedTuple):
    """One changed token: 1-based line, 0-based column."""

    area: str
    path: str
    line: int
    column: int
    was: str
    becomes: str

    def __str__(self) -> str:
        """Name the place and the change."""
        return (
            f"{self.area}: {self.path}:{self.line}:{self.column}  {self.was} -> {self.becomes or '(nothing)'}"
        )

    def apply(self, source: str) -> str:
        """Return the source with this token changed."""
        lines = source.splitlines(keepends=True)
        line = lines[self.line - 1]
        lines[self.line - 1] = line[: self.column] + self.becomes + line[self.column + len(self.was) :]
        return "".join(lines)


def list_mutants(area: str, path: Path) -> list[Mutant]:
    """Return the mutants of a file that compile to something else than the file."""
    source = path.read_text(encoding="utf-8")
    original = _dump(source)
    found = list[Mutant]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        becomes = CHANGES.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdigit():
            becomes = str(int(token.string) + 1)
        if becomes is None:
            continue
        mutant = Mutant(area, str(path), *token.start, token.string, becomes)
        try:
            changed = _dump(mutant.apply(source))
        except SyntaxError:
            continue
        if changed != original:
            found.append(mutant)
    return found


def _dump(source: str) -> str:
    """Return the syntax tree without type annotations, which no test can notice."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(None)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
    return ast.dump(tree)


def choose(count: int, seed: int, areas: list[str]) -> list[Mutant]:
    """Choose mutants, as many of each area; within an area each token is equally likely."""
    chosen = list[Mutant]()
    for position, area in enumerate(areas):
        files = sorted(path for folder in AREAS[area].sources for path in Path(folder).rglob("*.py"))
        mutants = [each for path in files for each in list_mutants(area, path)]
        share = count // len(areas) + (position < count % len(areas))
        chosen += random.Random(f"{seed}/{area}").sample(mutants, min(share, len(mutants)))
    return chosen


def is_noticed(mutant: Mutant, copy: Path) -> bool:
    """Run the tests of the mutant's area in this copy of the sources, until one fails."""
    file = copy / mutant.path
    source = file.read_text(encoding="utf-8")
    file.write_text(mutant.apply(source), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    command += ["-m", "not process", *AREAS[mutant.area].tests]
    try:
        ended = subprocess.run(command, cwd=copy, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_text(source, encoding="utf-8")
    return ended.returncode != 0


def main() -> None:
    """Try the mutants and print those that survive, then a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--area", choices=AREAS, action="append")
    options = parser.parse_args()
    mutants = choose(options.count, options.seed, options.area or list(AREAS))
    tried, noticed = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        copies = Queue[Path]()
        for number in range(options.jobs):
            copy = Path(folder, str(number))
            subprocess.run(["git", "worktree", "add", "--quiet", "--detach", copy], check=True)
            copies.put(copy)

        def attempt(mutant: Mutant) -> tuple[Mutant, bool]:
            copy = copies.get()
            try:
                return mutant, is_noticed(mutant, copy)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(options.jobs) as threads:
            for mutant, found in threads.map(attempt, mutants):
                tried[mutant.area] += 1
                noticed[mutant.area] += found
                sys.stdout.write(f"{'noticed ' if found else 'SURVIVED'} {mutant}\n")
                sys.stdout.flush()
    subprocess.run(["git", "worktree", "prune"], check=True)
    for area in tried:
        sys.stdout.write(f"{area:<14} {noticed[area]:>4} of {tried[area]:>4} noticed\n")
    sys.stdout.write(f"{'all':<14} {noticed.total():>4} of {tried.total():>4} noticed\n")


if __name__ == "__main__":
    main()
