"""The picture in docs/architecture.md shows exactly the imports there are between the parts of the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = {
    "benchmarks": ("benchmarks",),
    "words": ("events.commands", "events.domain_events", "events.canonical"),
    "systems": ("events.rules.systems",),
    "phases": ("events.rules.phases",),
    "rules": ("events.rules",),
    "bots": ("events.bots",),
    "disputes": ("events.disputes",),
    "log": ("events",),
    "replay": ("replay",),
    "processes": (
        "service.bot_players",
        "service.bots",
        "service.command_line",
        "service.demo",
        "service.embedded_store",
        "service.openapi",
        "service.parent_watch",
        "service.projector",
        "service.simulate_command",
        "service.store_process",
        "service.up",
        "service.webhooks.__main__",
        "service.web",
        "service.web_worker",
        "service.worker",
    ),
    "http": ("service.http",),
    "service": ("service",),
}
"""The parts in the picture; a module belongs to the first part of which one name is its own or a package of it."""
ARROW = re.compile(r"^\s*(\w+) --> (\w+)", re.MULTILINE)


def part_of(module: str) -> str | None:
    """The part that a module belongs to; None for modules that are not ours."""
    for part, names in PARTS.items():
        if any(module == name or module.startswith(f"{name}.") for name in names):
            return part
    return None


def imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, those under TYPE_CHECKING included."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def arrows_in_the_code() -> set[tuple[str, str]]:
    """Every pair of parts of which the first imports the second."""
    found = set()
    for package in ("benchmarks", "events", "replay", "service"):
        for file in (ROOT / package).rglob("*.py"):
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            for name in imported(file):
                ends = part_of(module), part_of(name)
                if ends[0] and ends[1] and ends[0] != ends[1]:
                    found.add((ends[0], ends[1]))
    return found


def test_the_picture_shows_the_imports_as_they_are() -> None:
    """Every arrow of the picture is an import, and every import between parts is an arrow."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = text.split("```mermaid")[1].split("```")[0]

    assert set(ARROW.findall(picture)) == arrows_in_the_code()
