"""How a column is written down once: its name, type and meaning in a row, from which schema and documents are made.

A row is a NamedTuple whose members are columns, each `Annotated` with what it means. What a column holds follows from
its type; `MOMENT` and `JSON` say more of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from replay.across.dataset.told_game import ToldGame

MOMENT: Final = "moment"
"""Marks an integer as a moment in UTC: milliseconds since the epoch."""
JSON: Final = "json"
"""Marks a text as a JSON object."""
GameId = Annotated[str, "The game's id."]
System = Annotated[str, "The rule system's key, such as `classic`."]
Month = Annotated[
    str, "The month in which the game ended, in UTC, such as `2026-11`; `undated` if no clock ran."
]
Version = Annotated[int, "The entry's version: its number in the game's record, from 1."]
At = Annotated[int | None, MOMENT, "When; null in a game that no clock saw, such as a simulated one."]
Turn = Annotated[int, "The turn that was being played, from 1; 0 before the first."]
Counts = Annotated[
    bool,
    "False where the game went back later, so that it does not count: part of no score, but it was played.",
]
_KINDS: Final = {
    str: "text",
    int: "integer",
    bool: "boolean",
    float: "number",
    tuple[str, ...]: "list of texts",
    tuple[int, ...]: "list of integers",
}


class Column(NamedTuple):
    """One column.

    Attributes:
        name: its name.
        kind: `text`, `integer`, `boolean`, `number`, `moment`, `json`, `list of texts` or `list of integers`.
        optional: whether it may be null.
        meaning: what stands in it, as a sentence.
    """

    name: str
    kind: str
    optional: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a dataset.

    Attributes:
        name: its name.
        row: the class of its rows; its docstring says what one row is.
        rows: the rows of one game.
    """

    name: str
    row: type[Any]
    rows: Callable[[ToldGame], Iterator[tuple[Any, ...]]]

    @property
    def about(self) -> str:
        """What one row is."""
        return " ".join((self.row.__doc__ or "").split())

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns in their order, which stays: new ones come at the end."""
        hints = get_type_hints(self.row, include_extras=True)
        return tuple(_column(name, hint) for name, hint in hints.items())


def _column(name: str, hint: Any) -> Column:
    *marks, meaning = hint.__metadata__
    kind, is_optional = hint.__origin__, False
    if kind not in _KINDS:
        kind = next(each for each in kind.__args__ if each is not type(None))
        is_optional = True
    return Column(name, marks[0] if marks else _KINDS[kind], is_optional, meaning)
