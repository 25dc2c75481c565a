"""All codes of problems in tables, as the reference page has them: those of docs/problems.md and those of the rules.

They are read when `openapi.yaml` is made, and lie where it lies.
"""

import inspect
import re
from importlib import resources
from pathlib import Path
from typing import Any, Final

from events.rules.errors import RuleViolation
from service.http.contract.problems import problems_of

DOCUMENT: Final = Path(str(resources.files("service"))).parent / "docs" / "problems.md"
_ROW: Final = re.compile(r"^\| `([a-z_]+)` \|.*\|$", re.MULTILINE)


def problem_tables(paths: dict[str, Any]) -> str:
    """Both tables, each folded away, in Markdown; of the codes of rules those that these operations answer."""
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
        )
    )


def _meaning(violation: type[RuleViolation]) -> str:
    """The first paragraph of what stands in the code, in one line."""
    first = (inspect.getdoc(violation) or "").partition("\n\n")[0]
    return " ".join(first.split())


def _fold(summary: str, head: str, rows: list[str]) -> tuple[str, ...]:
    rule = "|" + "---|" * (head.count("|") - 1)
    return ("", "<details>", f"<summary>{summary}</summary>", "", head, rule, *rows, "", "</details>")
