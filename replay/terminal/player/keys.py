"""Every key of the player: what it is bound to, how it is shown, what it does, and the help that lists them."""

from dataclasses import dataclass
from typing import Final

from replay.terminal.table_text import Line


@dataclass(frozen=True, slots=True)
class Key:
    """Something that keys do.

    Attributes:
        shown: the keys as help and documents show them, apart from one another by a blank.
        names: the same keys as Textual calls them.
        action: what they do, an action of the player.
        does: the same in a few words.
    """

    shown: str
    names: tuple[str, ...]
    action: str
    does: str


GROUPS: Final[dict[str, tuple[Key, ...]]] = {
    "Moving": (
        Key("e → Enter", ("e", "right", "enter"), "on('event')", "the next event"),
        Key("E ← Backspace", ("E", "left", "backspace"), "return('event')", "the event before"),
        Key("c ↓", ("c", "down"), "on('command')", "the end of the next command"),
        Key("C ↑", ("C", "up"), "return('command')", "the end of the command before"),
        Key("f", ("f",), "on('phase')", "the next phase"),
        Key("F", ("F",), "return('phase')", "the beginning of the phase before"),
        Key("t PageDown", ("t", "pagedown"), "on('turn')", "the next turn"),
        Key("T PageUp", ("T", "pageup"), "return('turn')", "the beginning of the turn before"),
        Key("< Home", ("less_than_sign", "home"), "first", "the first event"),
        Key("> End", ("greater_than_sign", "end"), "last", "the last event"),
        Key("g", ("g",), "go", "go to a version (120, +20, -20, 50%) or a turn (t12)"),
    ),
    "Searching": (
        Key("/", ("slash",), "search", "search for a text in the log"),
        Key("n", ("n",), "match(1)", "the next match"),
        Key("N", ("N",), "match(-1)", "the match before"),
    ),
    "Autoplay": (
        Key("Space", ("space",), "play", "start and stop"),
        Key("+", ("plus", "equals_sign"), "faster(1)", "twice as fast"),
        Key("-", ("minus",), "faster(-1)", "half as fast"),
        Key("r", ("r",), "recorded", "with the pauses of the recorded game, or evenly"),
    ),
    "Looking": (
        Key("p", ("p",), "perspective", "the next perspective: all, public, each seat"),
        Key("P", ("P",), "choose_perspective", "choose a perspective"),
        Key("k", ("k",), "knowledge", "what this perspective could know for certain"),
        Key("x", ("x",), "table", "the whole table, with everything on it"),
        Key("l", ("l",), "language", "the next language: en, de, fr, it"),
    ),
    "Annotations": (
        Key("a", ("a",), "annotated(1)", "the next annotated version"),
        Key("A", ("A",), "annotated(-1)", "the annotated version before"),
        Key("i", ("i",), "read", "read the annotations here"),
        Key("o", ("o",), "annotations", "all annotations, to choose one"),
        Key("w", ("w",), "write", "write one here (needs --annotations and --author)"),
    ),
    "Branches": (
        Key("b", ("b",), "variations", "choose a variation to step through"),
        Key("v", ("v",), "vary", "choose another move here, as a variation"),
        Key("B", ("B",), "bots", "let bots play on to the next turn, as a variation"),
        Key("y", ("y",), "token", "show the token of the variation"),
        Key("m", ("m",), "main_line", "back to the game as it was played"),
    ),
    "The player": (
        Key("?", ("question_mark", "h"), "help", "this help"),
        Key("Escape", ("escape",), "stop", "stop autoplay or a search; close a dialog"),
        Key("q", ("q", "ctrl+c", "ctrl+q"), "quit", "leave"),
    ),
}
"""All keys, in the groups in which they are explained."""
KEYS: Final = tuple(key for group in GROUPS.values() for key in group)
_TABLE_HELP: Final = (
    "> marks whose turn it is, * the winners, ◆ versions with annotations.",
    "A field shows what it holds and [coins it pays now, +beans to the next coin].",
)


def help_lines() -> list[Line]:
    """Every key with what it does, and how to read the table."""
    lines: list[Line] = []
    for title, keys in GROUPS.items():
        lines.append([(title, "bold")])
        lines += [[(f"  {key.shown:15}", ""), (key.does, "")] for key in keys]
    return [*lines, [("The table", "bold")], *([(f"  {text}", "")] for text in _TABLE_HELP)]
