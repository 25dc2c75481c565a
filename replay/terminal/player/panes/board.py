"""The lines of a screen on the terminal: one widget that fills the window."""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from replay.terminal.player.panes.screen_lines import screen_lines
from replay.terminal.player.view_state import ViewState
from replay.terminal.table_text import Line


class Board(Widget):
    """Shows where the reader is. Texts get to the terminal as segments, which know no markup."""

    DEFAULT_CSS = "Board { layer: table; width: 100%; height: 100%; }"

    def __init__(self, view: ViewState) -> None:
        """Show this."""
        super().__init__()
        self._sight = view
        self._strips: list[Strip] = []
        self._of = Size(0, 0)

    def show(self, view: ViewState) -> None:
        """Show that."""
        self._sight = view
        self._of = Size(0, 0)
        self.refresh()

    def prepare(self) -> None:
        """Make the lines now, while the next frame is not due yet."""
        size = self.size
        lines = screen_lines(self._sight, size.width, size.height)
        self._strips, self._of = [build_strip(line, size.width) for line in lines], size

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        return self._drawn[y]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Some lines of the window; no style sheet has a say in them, so none is asked line by line."""
        strips = self._drawn[crop.y : crop.bottom]
        for each in self.get_line_filters():
            strips = [strip.apply_filter(each, self.background_colors[1]) for strip in strips]
        return (
            strips if crop.width == self._of.width else [strip.crop(crop.x, crop.right) for strip in strips]
        )

    @property
    def _drawn(self) -> list[Strip]:
        """All lines of the window."""
        if self._of != self.size:
            self.prepare()
        return self._strips


def build_strip(line: Line, width: int) -> Strip:
    """A line as Textual puts it on the terminal, at exactly this width."""
    segments = [Segment(text, parse_style(style)) for text, style in line if text]
    used = sum([segment.cell_length for segment in segments])
    if used > width:  # Textual counts the columns of some letters otherwise than `replay.commentary.cells`
        return Strip(segments, used).adjust_cell_length(width)
    if used < width:
        segments.append(Segment(" " * (width - used), parse_style("")))
    return Strip(segments, width)


@lru_cache(maxsize=256)
def parse_style(name: str) -> Style:
    """A style of table and log; colours are those of the reader's terminal."""
    return Style.parse(name) if name else Style()
