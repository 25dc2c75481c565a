"""The base of the player: it shows a view, asks for a line of text, and opens dialogs to read or to choose from."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Input

from replay.terminal.player.keys import KEYS
from replay.terminal.player.panes.board import Board
from replay.terminal.player.panes.dialogs import Dialog
from replay.terminal.player.view_state import ViewState
from replay.terminal.table_text import Line
from replay.timeline.timeline import EVENT, Timeline

IDLE_SECONDS: Final = 1.5
"""Without a new screen for so long, or twice that, nobody waits for one."""
MOST_SCREENS: Final = 10_000
"""Screens after which garbage is collected in any case."""


def _bindings() -> list[BindingType]:
    """Every key, looked at in the order of typing: so what is typed fast after `g` gets into its line."""
    return [
        Binding(name, "leave" if name.startswith("ctrl") else key.action, key.does, show=False, priority=True)
        for key in KEYS
        for name in key.names
    ]


def _collect_newest() -> None:
    """Collect garbage among the newest objects only."""
    gc.collect(0)


class Stage(App[None]):
    """A view on the whole screen.

    Attributes:
        main: the game as it was played, for who looks at it now.
        view: where the reader is.
    """

    CSS = """
    Screen { background: ansi_default; color: ansi_default; layers: table typed; }
    #prompt { layer: typed; dock: bottom; height: 1; border: none; padding: 0; display: none; }
    #prompt { background: ansi_default; }
    """
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = _bindings()

    def __init__(self, main: Timeline, view: ViewState) -> None:
        """Begin here, in the game as it was played."""
        super().__init__(ansi_color=True)
        self.main = main
        self.view = view
        self._timer: Timer | None = None
        self._on_answer: Callable[[str], None] = lambda _: None
        self._shown = self._seen_shown = self._collected = 0

    def on_mount(self) -> None:
        """Collect garbage now and then, when nobody waits for the next screen."""
        self.set_interval(IDLE_SECONDS, self._collect)

    def _collect(self) -> None:
        idle = self._shown == self._seen_shown
        self._seen_shown = self._shown
        waiting = self._shown - self._collected
        if waiting > MOST_SCREENS or (idle and waiting):
            gc.collect()
            self._collected = self._shown

    def compose(self) -> ComposeResult:
        """The board, and a line to type in that shows when something is asked."""
        yield Board(self.view)
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

    def show(self, view: ViewState) -> None:
        """Show this view from now on."""
        moved = view.version != self.view.version or view.track is not self.view.track
        self.view = view
        self._shown += 1
        self._board.show(view)
        if moved:
            self._board.prepare()
        if not gc.isenabled():  # it was left to us: what this screen made is collected once it is drawn
            self.call_after_refresh(_collect_newest)
        if moved or view.tempo.playing != (self._timer is not None):
            self.schedule_next()

    def say(self, message: str) -> None:
        """Show a message in the last line."""
        self.show(replace(self.view, message=message))

    @property
    def _board(self) -> Board:
        return self.screen_stack[0].query_one(Board)

    def go(self, view: ViewState) -> None:
        self.workers.cancel_group(self, "search")
        self.show(view)

    # --- playing by itself ---------------------------------------------------------------------------------

    def schedule_next(self) -> None:
        """Set the timer for the next event, if it plays."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        track, version = self.view.track, self.view.version
        if self.view.tempo.playing and version < track.last:
            here, following = (int(track.at(each).form.entry["at"]) for each in (version, version + 1))
            self._timer = self.set_timer(self.view.tempo.pause(here, following), self._play_on)

    def _play_on(self) -> None:
        view = self.view.forward(EVENT)
        if view.version == view.track.last:
            view = replace(view, tempo=replace(view.tempo, playing=False), message=view.end)
        self.show(view)

    # --- asking, reading, choosing -------------------------------------------------------------------------

    def action_stop(self) -> None:
        """Stop what is going on."""
        self.close_prompt()
        self.go(replace(self.view, tempo=replace(self.view.tempo, playing=False), message=""))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Take what was typed."""
        self.close_prompt()
        self._on_answer(submitted.value)

    def ask(self, question: str, on_answer: Callable[[str], None]) -> None:
        prompt = self.query_one("#prompt", Input)
        self._on_answer = on_answer
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
        self, title: str, lines: Sequence[Line], on_choice: Callable[[int], None], first: int = 0
    ) -> None:
        def on_dismissed(place: int | None) -> None:
            if place is not None:
                on_choice(place)

        self.push_screen(Dialog(title, lines, first), on_dismissed)
