"""What all parts of the player stand on: it shows a sight, asks for a line, opens what is to read or to choose."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Input

from replay.player.board import Board
from replay.player.dialogs import Dialog
from replay.player.keys import KEYS
from replay.player.sight import Sight
from replay.table_text import Line
from replay.timeline import EVENT, Timeline

IDLE_SECONDS: Final = 1.5
"""Without a new screen for so long, or twice that, nobody waits for one."""
MOST_UNTIDY: Final = 10_000
"""Screens after which it is looked for garbage in any case."""


def _bindings() -> list[BindingType]:
    """Every key, looked at in the order of typing: so what is typed fast after `g` gets into its line."""
    return [
        Binding(name, "leave" if name.startswith("ctrl") else key.action, key.does, show=False, priority=True)
        for key in KEYS
        for name in key.names
    ]


def _collect_newest() -> None:
    """Look for garbage among the newest objects only."""
    gc.collect(0)


class Stage(App[None]):
    """A sight on the whole screen.

    Attributes:
        main: the game as it was played, for who looks at it now.
        sight: where the reader is.
    """

    CSS = """
    Screen { background: ansi_default; color: ansi_default; layers: table typed; }
    #prompt { layer: typed; dock: bottom; height: 1; border: none; padding: 0; display: none; }
    #prompt { background: ansi_default; }
    """
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = _bindings()

    def __init__(self, main: Timeline, sight: Sight) -> None:
        """Begin here, in the game as it was played."""
        super().__init__(ansi_color=True)
        self.main = main
        self.sight = sight
        self._timer: Timer | None = None
        self._answered: Callable[[str], None] = lambda _: None
        self._shown = self._seen_shown = self._tidied = 0

    def on_mount(self) -> None:
        """Look for garbage now and then, when nobody waits for the next screen."""
        self.set_interval(IDLE_SECONDS, self._tidy)

    def _tidy(self) -> None:
        idle = self._shown == self._seen_shown
        self._seen_shown = self._shown
        waiting = self._shown - self._tidied
        if waiting > MOST_UNTIDY or (idle and waiting):
            gc.collect()
            self._tidied = self._shown

    def compose(self) -> ComposeResult:
        """The board, and a line to type in that shows when something is asked."""
        yield Board(self.sight)
        prompt = Input(id="prompt", select_on_focus=False)
        prompt.cursor_blink = False
        yield prompt

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether keys of the player act: not while a line is typed, or something is open above the table."""
        del parameters
        if isinstance(self.screen, Dialog):
            return action == "leave"
        return action in {"stop", "leave"} or not self.query_one("#prompt", Input).display

    def action_leave(self) -> None:
        """Leave, whatever is open."""
        self.exit()

    def show(self, sight: Sight) -> None:
        """Be here from now on."""
        moved = sight.version != self.sight.version or sight.course is not self.sight.course
        self.sight = sight
        self._shown += 1
        self._board.show(sight)
        if moved:
            self._board.prepare()
        if not gc.isenabled():  # it was left to us: what this screen made is looked through once it is drawn
            self.call_after_refresh(_collect_newest)
        if moved or sight.tempo.playing != (self._timer is not None):
            self.wind()

    def say(self, message: str) -> None:
        """Say something in the last line."""
        self.show(replace(self.sight, message=message))

    @property
    def _board(self) -> Board:
        return self.screen_stack[0].query_one(Board)

    def go(self, sight: Sight) -> None:
        self.workers.cancel_group(self, "search")
        self.show(sight)

    # --- playing by itself ---------------------------------------------------------------------------------

    def wind(self) -> None:
        """Set the timer for the next event, if it plays."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        course, version = self.sight.course, self.sight.version
        if self.sight.tempo.playing and version < course.last:
            here, following = (int(course.at(each).form.entry["at"]) for each in (version, version + 1))
            self._timer = self.set_timer(self.sight.tempo.pause(here, following), self._play_on)

    def _play_on(self) -> None:
        sight = self.sight.forward(EVENT)
        if sight.version == sight.course.last:
            sight = replace(sight, tempo=replace(sight.tempo, playing=False), message=sight.end)
        self.show(sight)

    # --- asking, reading, choosing -------------------------------------------------------------------------

    def action_stop(self) -> None:
        """Stop what is going on."""
        self.close_prompt()
        self.go(replace(self.sight, tempo=replace(self.sight.tempo, playing=False), message=""))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Take what was typed."""
        self.close_prompt()
        self._answered(submitted.value)

    def ask(self, question: str, answered: Callable[[str], None]) -> None:
        prompt = self.query_one("#prompt", Input)
        self._answered = answered
        prompt.value, prompt.placeholder = "", question
        prompt.display = True
        self.screen.set_focus(prompt)

    def close_prompt(self) -> None:
        prompt = self.query_one("#prompt", Input)
        prompt.display = False
        self.screen.set_focus(None)

    def read(self, title: str, lines: Sequence[Line]) -> None:
        self.push_screen(Dialog(title, lines))

    def choose(
        self, title: str, lines: Sequence[Line], chosen: Callable[[int], None], first: int = 0
    ) -> None:
        def answered(place: int | None) -> None:
            if place is not None:
                chosen(place)

        self.push_screen(Dialog(title, lines, first), answered)
