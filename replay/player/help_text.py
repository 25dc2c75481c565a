"""The help of the player as lines."""

from replay.player.keys import GROUPS
from replay.table_text import Line

_READING = (
    "> marks whose turn it is, * who has won, ◆ what somebody has written about.",
    "A field shows what it holds and [coins it pays now, +beans to the next coin].",
)


def help_lines() -> list[Line]:
    """Every key with what it does, and how the table is to be read."""
    lines: list[Line] = []
    for title, keys in GROUPS.items():
        lines.append([(title, "bold")])
        lines += [[(f"  {key.shown:15}", ""), (key.does, "")] for key in keys]
    return [*lines, [("The table", "bold")], *([(f"  {text}", "")] for text in _READING)]
