"""All codes of problems in tables, for the reference page: those of docs/problems.md and those of the rules."""

import inspect
import re
from importlib import resources
from typing import Any, Final

from events.rules.errors import RuleViolation
from service.http.contract.problems import problems_of

DOCUMENT: Final = resources.files(__package__) / "problems.md"
_ROW: Final = re.compile(r"^\| `([a-z_]+)` \|.*\|$", re.MULTILINE)


def problem_tables(paths: dict[str, Any]) -> str:
    """Return both tables in Markdown, each folded; of the rules' codes those that these operations answer."""
    rows = {found[1]: found[0] for found in _ROW.finditer(DOCUMENT.read_text(encoding="utf-8"))}
    answered = {
        code
        for path in paths.values()
        for operation in path.values()
        if isinstance(operation, dict)
        for _, code in problems_of(operation)
    }
    rules = {
        each.code: f"| `{each.code}` | {_meaning(each)} |"
        for each in RuleViolation.__subclasses__()
        if each.code in answered - rows.keys()
    }
    return "\n".join(
        (
            *_fold("Of the interface", "| code | status | when | what to do |", list(rows.values())),
            *_fold(
                "Of the rules: 422, and `legal_commands` says what would be accepted",
                "| code | when |",
                [rules[code] for code in sorted(rules)],
            ),
            "",
        )
    )


def _meaning(violation: type[RuleViolation]) -> str:
    """Return the first paragraph of the docstring, in one line."""
    first = (inspect.getdoc(violation) or "").partition("\n\n")[0]
    return " ".join(first.split())


def _fold(summary: str, head: str, rows: list[str]) -> tuple[str, ...]:
    rule = "|" + "---|" * (head.count("|") - 1)
    return ("", "<details>", f"<summary>{summary}</summary>", "", head, rule, *rows, "", "</details>")
