"""What opens over the table: lines to read, or lines to choose one of."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from replay.terminal.player.panes.board import build_strip
from replay.terminal.player.panes.pieces import align_ends, crop
from replay.terminal.table_text import Line

_TO_READ = "↑ ↓ PageUp PageDown scroll · Escape closes"
_TO_CHOOSE = "↑ ↓ PageUp PageDown move · Enter chooses · Escape closes"


class Sheet(Widget):
    """A heading, as many of the lines as fit, and the keys that work."""

    DEFAULT_CSS = "Sheet { width: 100%; height: 100%; }"

    def __init__(self, title: str, lines: Sequence[Line], chosen: int | None) -> None:
        """Show these; `chosen` is the line that Enter takes, None where they are only to be read."""
        super().__init__()
        self._title, self._lines = title, lines
        self.chosen = chosen
        self._top = 0

    @property
    def page(self) -> int:
        """How many lines fit."""
        return max(self.size.height - 3, 1)

    def move(self, by: int) -> None:
        """Scroll, or move to another line."""
        if self.chosen is None:
            self._top = min(max(self._top + by, 0), max(len(self._lines) - self.page, 0))
        else:
            self.chosen = min(max(self.chosen + by, 0), len(self._lines) - 1)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        width, height = self.size
        return build_strip(crop(self._line(y, self.size), width) if y < height else [], width)

    def _line(self, y: int, size: Size) -> Line:
        if y == 0:
            return [(self._title, "bold")]
        if y == size.height - 1:
            keys = _TO_READ if self.chosen is None else _TO_CHOOSE
            return align_ends([(keys, "dim")], [(self._where, "dim")], size.width)
        if self.chosen is not None:
            self._top = min(max(self._top, self.chosen - self.page + 1), self.chosen)
        place = self._top + y - 2
        if y == 1 or place >= len(self._lines):
            return []
        line = self._lines[place]
        if self.chosen is None:
            return line
        return (
            [("▸ ", "bold"), *((text, "reverse") for text, _ in line)]
            if place == self.chosen
            else [("  ", ""), *line]
        )

    @property
    def _where(self) -> str:
        """Which of the lines one sees; nothing where it is all of them."""
        if len(self._lines) <= self.page:
            return ""
        if self.chosen is not None:
            return f"{self.chosen + 1} of {len(self._lines)}"
        return f"{self._top + 1} to {min(self._top + self.page, len(self._lines))} of {len(self._lines)}"


class Dialog(ModalScreen[int | None]):
    """Lines to read, or to choose one of; it answers the place of the one that was chosen."""

    CSS = "Dialog { background: ansi_default; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark", "dismiss(None)"),
        Binding("up", "move(-1)"),
        Binding("down", "move(1)"),
        Binding("pageup", "turn(-1)"),
        Binding("pagedown,space", "turn(1)"),
        Binding("home", "move(-1000000000)"),
        Binding("end", "move(1000000000)"),
        Binding("enter", "choose"),
    ]

    def __init__(self, title: str, lines: Sequence[Line], chosen: int | None = None) -> None:
        """Show these lines; with `chosen` one of them can be chosen, and that is the first one marked."""
        super().__init__()
        self.sheet = Sheet(title, lines, chosen)

    def compose(self) -> ComposeResult:
        """Nothing but the sheet."""
        yield self.sheet

    def action_move(self, by: int) -> None:
        """Scroll, or move the mark."""
        self.sheet.move(by)

    def action_turn(self, pages: int) -> None:
        """The same by whole pages."""
        self.sheet.move(pages * self.sheet.page)

    def action_choose(self) -> None:
        """Close with what is marked."""
        self.dismiss(self.sheet.chosen)
