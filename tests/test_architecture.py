"""The picture in docs/architecture.md shows exactly how the parts of the code stand on one another."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = {
    "rules": ("events.rules", "events.commands", "events.domain_events", "events.chain"),
    "log": ("events.log", "events.game"),
    "store": ("events.store",),
    "cases": ("events.disputes", "events.tournaments", "events.transparency"),
    "bots": ("events.bots",),
    "verifier": (
        "replay.platform",
        "replay.records",
        "replay.client",
        "replay.annotations",
        "replay.verification",
    ),
    "replay": ("replay",),
    "foundation": (
        "service.platform",
        "service.storage",
        "service.telemetry",
        "service.catalogues",
        "service.access",
        "service.feeds",
    ),
    "play": ("service.play",),
    "http": ("service.http",),
    "processes": (
        "service.bot_seats",
        "service.bots",
        "service.cli",
        "service.command_line",
        "service.embedded_store",
        "service.openapi",
        "service.projector",
        "service.server",
        "service.up",
        "service.web",
        "service.webhook_sender",
        "service.worker",
    ),
    "capabilities": ("service",),
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


def imports_between_parts() -> dict[str, set[str]]:
    """For each part the others of which it imports something."""
    found: dict[str, set[str]] = {part: set() for part in PARTS}
    for package in ("events", "replay", "service"):
        for file in (ROOT / package).rglob("*.py"):
            part = part_of(".".join(file.relative_to(ROOT).with_suffix("").parts))
            if part:
                found[part] |= {
                    other for name in imported(file) if (other := part_of(name)) and other != part
                }
    return found


def below(part: str, imports: dict[str, set[str]], above: tuple[str, ...] = ()) -> set[str]:
    """Every part that this one stands on, directly or by way of others; a cycle fails."""
    assert part not in above, f"a cycle: {' -> '.join((*above, part))}"
    return imports[part].union(*(below(other, imports, (*above, part)) for other in imports[part]))


def test_the_picture_shows_how_the_parts_stand_on_one_another() -> None:
    """An arrow for each part that another imports, unless a longer way leads there; and there is no cycle."""
    imports = imports_between_parts()
    arrows = {
        (part, other)
        for part, others in imports.items()
        for other in others
        if not any(other in below(between, imports) for between in others - {other})
    }
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = text.split("```mermaid")[1].split("```")[0]

    assert set(ARROW.findall(picture)) == arrows
