"""The table of a run, as Markdown for people and as JSON for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tests.benchmarks.figures import Comparison, Figure, Goal

_HEAD = ("row", "ours", "baseline", "ratio", "goal", "", "alone")
_REACHED = {True: "reached", False: "**missed**", None: "not measured"}
_WHOLE = 100
"""The least figure that is written without decimals."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """All rows of one run, the machine they were measured on, and the benchmarks that failed with their reasons."""

    machine: Mapping[str, str]
    rounds: int
    rows: Sequence[Comparison]
    failed: Mapping[str, str]


def as_json(table: Table) -> bytes:
    """Return the table as an indented JSON document with the figures of all rounds and what follows from them."""
    document: dict[str, Any] = {
        "machine": table.machine,
        "rounds": table.rounds,
        "rows": [_row_members(row) for row in table.rows],
        "failed": table.failed,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def as_markdown(table: Table) -> str:
    """Return the table as Markdown, with the notes that a reader needs to judge the rows."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD))]
    lines += [_line(_cells(row)) for row in table.rows]
    notes = [f"- `{row.name}`: {note}" for row in table.rows for note in row.notes]
    failed = [f"- `{name}` could not be measured: {reason}" for name, reason in table.failed.items()]
    rounds = "1 round" if table.rounds == 1 else f"{table.rounds} rounds"
    about = [
        f"Medians of {rounds}, with the lowest and the highest in brackets; a ratio is taken within each round.",
        "",
        *(f"- {name}: {value}" for name, value in table.machine.items()),
    ]
    parts = (lines, failed, notes, about)
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def in_short(row: Comparison) -> str:
    """Return a row in one line, to show progress."""
    baseline = "" if row.ratio is None else f", {_number(row.ratio)} of {_figure(row.baseline)}"
    return (
        f"{row.name}: {_figure(row.ours)}{baseline}: {_REACHED[row.reached].strip('*')} ({_goal(row.goal)})"
    )


def _row_members(row: Comparison) -> dict[str, Any]:
    names = ("ratio", "ratios", "reached", "command")
    return msgspec.structs.asdict(row) | {
        "ours": _figure_members(row.ours),
        "baseline": row.baseline and _figure_members(row.baseline),
        **{name: getattr(row, name) for name in names},
    }


def _figure_members(figure: Figure) -> dict[str, Any]:
    found = {name: getattr(figure, name) for name in ("median", "lowest", "highest")}
    return msgspec.structs.asdict(figure) | found


def _cells(row: Comparison) -> tuple[str, ...]:
    ours = f"{row.ours.what}: {_figure(row.ours)}"
    baseline = "" if row.baseline is None else f"{row.baseline.what}: {_figure(row.baseline)}"
    return row.name, ours, baseline, _ratio(row), _goal(row.goal), _REACHED[row.reached], f"`{row.command}`"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _figure(figure: Figure | None) -> str:
    """Return a figure such as `12,300 events/s (12,100 to 12,900)`."""
    if figure is None:
        return ""
    middle = f"{_number(figure.median)} {figure.unit}"
    if len(figure.values) == 1:
        return middle
    return f"{middle} ({_number(figure.lowest)} to {_number(figure.highest)})"


def _ratio(row: Comparison) -> str:
    if row.ratio is None:
        return ""
    if len(row.ratios) == 1:
        return _number(row.ratio)
    return f"{_number(row.ratio)} ({_number(min(row.ratios))} to {_number(max(row.ratios))})"


def _goal(goal: Goal) -> str:
    bound = f"at least {goal.at_least:g}" if goal.at_least is not None else f"at most {goal.at_most:g}"
    return f"ratio {bound}" if goal.of == "ratio" else bound


def _number(value: float) -> str:
    """Return a number with at least three digits."""
    if abs(value) >= _WHOLE:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= _WHOLE / 10 else f"{value:.3g}"
