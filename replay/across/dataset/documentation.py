"""The reference of the tables as Markdown, made from their columns: docs/dataset.md holds it, and a test compares."""

from collections.abc import Iterator
from typing import Final

from replay.across.dataset.columns import Column, Table
from replay.across.dataset.format import TABLES

BEGIN: Final = "<!-- Made by `fieldbook dataset --columns`; begin -->\n"
END: Final = "<!-- end -->\n"


def reference() -> str:
    """What each column of each table means."""
    return "\n".join(line for table in TABLES for line in _table_lines(table)) + "\n"


def _table_lines(table: Table) -> Iterator[str]:
    yield f"### `{table.name}`"
    yield ""
    yield table.about
    yield ""
    yield "| column | type | what |"
    yield "|---|---|---|"
    for column in table.columns:
        yield f"| `{column.name}` | {_kind(column)} | {column.meaning} |"
    yield ""


def _kind(column: Column) -> str:
    return f"{column.kind} or null" if column.optional else column.kind
