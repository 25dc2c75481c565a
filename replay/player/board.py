"""The lines of a screen on the terminal: one widget that fills the window."""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from replay.player.screen_lines import screen_lines
from replay.player.sight import Sight
from replay.table_text import Line


class Board(Widget):
    """Shows where the reader is. Texts get to the terminal as segments, which know no markup."""

    DEFAULT_CSS = "Board { layer: table; width: 100%; height: 100%; }"

    def __init__(self, sight: Sight) -> None:
        """Show this."""
        super().__init__()
        self._sight = sight
        self._lines: list[Line] = []
        self._of = Size(0, 0)

    def show(self, sight: Sight) -> None:
        """Show that."""
        self._sight = sight
        self._of = Size(0, 0)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        if self._of != self.size:
            self._lines, self._of = screen_lines(self._sight, self.size.width, self.size.height), self.size
        return strip_of(self._lines[y] if y < len(self._lines) else [], self.size.width)


def strip_of(line: Line, width: int) -> Strip:
    """A line as Textual puts it on the terminal, at exactly this width."""
    return Strip([Segment(text, style_of(style)) for text, style in line]).adjust_cell_length(width, Style())


@lru_cache(maxsize=256)
def style_of(name: str) -> Style:
    """A style of table and log; colours are those of the reader's terminal."""
    return Style.parse(name) if name else Style()
