"""On which line of a TOML document a value stands: the standard library's parser reads values, but keeps no places.

A document is cut into its statements, each with the number of its first line, and the parser itself says what a
statement means. So a key is found however it is written: dotted, quoted, in a table or in a table within a list.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from events.rules.catalogues.faults import Place

_PIECE = re.compile(
    r'''
    """ (?: \\. | [^\\] )*? """ "{0,2}        # strings, which may hold anything of what follows
    | \'\'\' .*? \'\'\' '{0,2}
    | " (?: \\. | [^"\\\n] )* "
    | ' [^'\n]* '
    | \# [^\n]*
    | [\[{] | [\]}]                           # what opens and closes lists and inline tables
    | \n
    | [^"'\#\[\]{}\n]+ | .
    ''',
    re.VERBOSE | re.DOTALL,
)
_POSITION = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)")


class TomlLines:
    """The lines of a document that the parser has accepted."""

    def __init__(self, text: str) -> None:
        """Find the line of every key."""
        self._lines: dict[Place, int] = {}
        table: Place = ()
        for line, statement in statements(text):
            value = tomllib.loads(statement)
            if statement.startswith("["):
                table = self._open_table(value, line)
            else:
                self._note(table, value, line)

    def of(self, place: Place) -> int:
        """The line where this value begins, or else that of the nearest table or list around it."""
        while place and place not in self._lines:
            place = place[:-1]
        return self._lines.get(place, 1)

    def _open_table(self, header: dict[str, Any], line: int) -> Place:
        """The place of the table that a header such as `[[beans]]` opens."""
        place: Place = ()
        inner: Any = header
        while inner:
            ((key, inner),) = inner.items()
            place = (*place, key)
            if isinstance(inner, list):
                self._lines.setdefault(place, line)
                place = (*place, self._length(place))
                break
            if inner and (length := self._length(place)):
                place = (*place, length - 1)
        self._lines.setdefault(place, line)
        return place

    def _length(self, place: Place) -> int:
        number = 0
        while (*place, number) in self._lines:
            number += 1
        return number

    def _note(self, place: Place, value: Any, line: int) -> None:
        self._lines.setdefault(place, line)
        inner = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        for key, each in inner:
            self._note((*place, key), each, line)


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Each statement of a document with the number of its first line; comments and empty lines are none."""
    line, first, depth = 1, 1, 0
    pieces: list[str] = []
    for piece in (*_PIECE.findall(text.replace("\r\n", "\n")), "\n"):
        depth += (piece in ("[", "{")) - (piece in ("]", "}"))
        line += piece.count("\n")
        if piece != "\n" or depth:
            pieces.append("" if piece.startswith("#") else piece)
            continue
        statement = "".join(pieces).strip()
        if statement:
            yield first, statement
        pieces, first = [], line


def line_of_error(error: Exception, text: str) -> int | None:
    """The line of what the parser refuses; None where that cannot be told."""
    if found := _POSITION.search(str(error)):
        return int(found[1]) if found[1] else text.count("\n") + 1
    for line, statement in statements(text):
        try:
            tomllib.loads(statement)
        except (ValueError, RecursionError):
            return line
    return None


def without_position(error: Exception) -> str:
    """The parser's reason, without the place that it names."""
    return _POSITION.sub("", str(error)).strip()
