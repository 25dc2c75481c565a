"""The terminal player itself: Textual's application, which turns keys into another sight and shows it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Input

from events.disclosure import ALL, viewer_name
from replay.branches import Branch, BranchError, token_of
from replay.commentary import LANGUAGES
from replay.knowledge import knowledge
from replay.player.board import Board
from replay.player.course import viewers_of
from replay.player.dialogs import Dialog
from replay.player.help_text import help_lines
from replay.player.keys import KEYS
from replay.player.knowledge_pane import knowledge_pane
from replay.player.notes import Note, NotWritten
from replay.player.places import MEANT, NoSuchPlace, place_of
from replay.player.search import Match, NotUnderstood, match_for, matches
from replay.player.sight import Sight
from replay.player.variations import Variation, Variations, bots_play, playable
from replay.safe_text import safe
from replay.table_text import Line, lying_lines
from replay.timeline import EVENT, Timeline

_AT_ONCE = 32
"""Entries looked at before keys get their turn again."""


def _bindings() -> list[BindingType]:
    return [
        Binding(name, key.action, key.does, show=False, priority=name.startswith("ctrl"))
        for key in KEYS
        for name in key.names
    ]


class Player(App[None]):
    """A record on the whole screen.

    Attributes:
        sight: where the reader is.
    """

    CSS = """
    Screen { background: ansi_default; color: ansi_default; }
    #prompt { dock: bottom; height: 1; border: none; padding: 0; display: none; background: ansi_default; }
    """
    AUTO_FOCUS = None
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = _bindings()

    def __init__(self, main: Timeline, sight: Sight, variations: Variations) -> None:
        """Begin here, in the game as it was played, with these variations to walk through."""
        super().__init__(ansi_color=True)
        self.sight = sight
        self._main = main
        self._variations = variations
        self._match: Match | None = None
        self._timer: Timer | None = None
        self._answered: Callable[[str], None] = lambda _: None

    def compose(self) -> ComposeResult:
        """The board, and a line to type in that shows when something is asked."""
        yield Board(self.sight)
        yield Input(id="prompt", select_on_focus=False)

    def show(self, sight: Sight) -> None:
        """Be here from now on."""
        moved = sight.version != self.sight.version or sight.course is not self.sight.course
        self.sight = sight
        self._board.show(sight)
        if moved or sight.tempo.playing != (self._timer is not None):
            self._wind()

    def say(self, message: str) -> None:
        """Say something in the last line."""
        self.show(replace(self.sight, message=message))

    @property
    def _board(self) -> Board:
        return self.screen_stack[0].query_one(Board)

    # --- walking -------------------------------------------------------------------------------------------

    def action_on(self, unit: str) -> None:
        """To the next stop of this unit."""
        self._go(self.sight.forward(unit))

    def action_return(self, unit: str) -> None:
        """To the stop of this unit before."""
        self._go(self.sight.back(unit))

    def action_first(self) -> None:
        """To the first event."""
        self._go(self.sight.gone(1))

    def action_last(self) -> None:
        """To the last event."""
        self._go(self.sight.gone(self.sight.course.last, self.sight.end))

    def action_go(self) -> None:
        """Ask where to go."""
        self._ask(f"Go to ({MEANT}): ", self._gone)

    def _gone(self, said: str) -> None:
        try:
            self._go(self.sight.gone(place_of(self.sight.course, self.sight.version, said)))
        except NoSuchPlace as error:
            self.say(str(error))

    def _go(self, sight: Sight) -> None:
        self.workers.cancel_group(self, "search")
        self.show(sight)

    # --- searching -----------------------------------------------------------------------------------------

    def action_search(self) -> None:
        """Ask what to look for."""
        self._ask("/", self._sought)

    def action_match(self, way: int) -> None:
        """To the next match, or to the one before."""
        if self._match is None:
            self.say("Nothing is sought yet; / begins a search.")
        else:
            self.run_worker(self._seek(self._match, way), group="search", exclusive=True)

    def _sought(self, text: str) -> None:
        if not text.strip():
            self.say("")
            return
        try:
            self._match = match_for(text, self.sight.course.header.catalogue, self.sight.tell)
        except NotUnderstood as error:
            self.say(safe(str(error)))
            return
        self.action_match(1)

    async def _seek(self, match: Match, way: int) -> None:
        course, began = self.sight.course, self.sight.version
        looked = matches(course, began, way, match)
        seen = 0
        while chunk := list(islice(looked, _AT_ONCE)):
            found = next((version for version in chunk if version is not None), None)
            if found is not None:
                self.show(self.sight.gone(found))
                return
            seen += len(chunk)
            self.say(f"Searching … version {began + way * seen}; Escape stops.")
            await asyncio.sleep(0)
        self.say("No match after this version." if way > 0 else "No match before this version.")

    # --- playing by itself ---------------------------------------------------------------------------------

    def action_play(self) -> None:
        """Play, or stop."""
        tempo = self.sight.tempo
        at_end = self.sight.version == self.sight.course.last
        if at_end and not tempo.playing:
            self.say(self.sight.end)
        else:
            self.show(replace(self.sight, tempo=replace(tempo, playing=not tempo.playing), message=""))

    def action_faster(self, places: int) -> None:
        """Faster or slower, in powers of two."""
        self._change_tempo(places, recorded=self.sight.tempo.recorded)

    def action_recorded(self) -> None:
        """With the recorded pauses, or evenly."""
        self._change_tempo(0, recorded=not self.sight.tempo.recorded)

    def _change_tempo(self, places: int, *, recorded: bool) -> None:
        tempo = replace(self.sight.tempo.faster(places), recorded=recorded)
        self.show(replace(self.sight, tempo=tempo, message=f"Tempo: {tempo.shown}."))
        self._wind()

    def _wind(self) -> None:
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

    # --- looking -------------------------------------------------------------------------------------------

    def action_perspective(self) -> None:
        """The next perspective."""
        viewers = viewers_of(self.sight.course)
        self._see_as(viewers[(viewers.index(self.sight.course.viewer) + 1) % len(viewers)])

    def action_choose_perspective(self) -> None:
        """Choose a perspective."""
        viewers, state = viewers_of(self.sight.course), self.sight.step.state
        lines: list[Line] = [
            [(f"{viewer_name(each):9}{self.sight.tell.player(state, each) if each >= 0 else ''}", "")]
            for each in viewers
        ]
        self._choose(
            "Whose perspective?",
            lines,
            lambda place: self._see_as(viewers[place]),
            viewers.index(self.sight.course.viewer),
        )

    def _see_as(self, viewer: int) -> None:
        self._main = self._main.seen_by(viewer)
        inside = isinstance(self.sight.course, Variation)
        course = self.sight.course.seen_by(viewer) if inside else self._main
        self.show(replace(self.sight, course=course, message=f"As {viewer_name(viewer)}."))

    def action_language(self) -> None:
        """The next language."""
        following = LANGUAGES[(LANGUAGES.index(self.sight.language) + 1) % len(LANGUAGES)]
        self.show(self.sight.told_in(following))

    def action_table(self) -> None:
        """The whole table, to read."""
        self._read("The whole table", lying_lines(self.sight.tell, self.sight.step.state))

    def action_knowledge(self) -> None:
        """What this perspective could know for certain."""
        course, version = self.sight.course, self.sight.version
        if course.viewer == ALL:
            self.say("Who sees all has nothing to derive; p changes the perspective.")
        elif isinstance(course, Variation):
            self.say("Of a variation this is not known; m leads back to the game.")
        else:
            known = self._main.recording.at(version).moment.known
            state = self.sight.step.state
            told = knowledge(course.header.catalogue, state, known, course.viewer)
            title = f"What {viewer_name(course.viewer)} could know for certain at version {version}"
            self._read(title, knowledge_pane(self.sight.tell, state, told))

    def action_help(self) -> None:
        """Every key."""
        self._read("The keys of the player", help_lines())

    # --- annotations ---------------------------------------------------------------------------------------

    def action_annotated(self, way: int) -> None:
        """To the next version that somebody has written about, or the one before."""
        versions = self.sight.notes.versions[::way]
        found = next((each for each in versions if (each - self.sight.version) * way > 0), None)
        if found is None or found > self.sight.course.last:
            self.say("No annotation after this version." if way > 0 else "No annotation before this version.")
        else:
            self._go(self.sight.gone(found))

    def action_read(self) -> None:
        """The annotations here."""
        notes = self.sight.notes.at(self.sight.version)
        lines = [line for note in notes for line in (*_as_lines(note), [])]
        if lines:
            self._read(f"Annotations of version {self.sight.version}", lines)
        else:
            self.say("Nobody has written about this version.")

    def action_annotations(self) -> None:
        """All annotations, to go to one."""
        notes = [note for version in self.sight.notes.versions for note in self.sight.notes.at(version)]
        lines: list[Line] = [
            [(f"{note.version:>6}  ", "dim"), (" ".join(note.text.split()), "")] for note in notes
        ]
        if not lines:
            self.say("Nobody has written about this game.")
            return
        here = next((place for place, note in enumerate(notes) if note.version >= self.sight.version), 0)
        self._choose(
            "All annotations", lines, lambda place: self._go(self.sight.gone(notes[place].version)), here
        )

    def action_write(self) -> None:
        """Ask for a comment on this version, and keep it."""
        self._ask(f"Comment on version {self.sight.version}: ", self._written)

    def _written(self, text: str) -> None:
        if not text.strip():
            self.say("")
            return
        try:
            self.sight.notes.write(self.sight.version, text.strip())
        except NotWritten as error:
            self.say(safe(str(error)))
        else:
            self.say(f"Written at version {self.sight.version}.")

    # --- branches ------------------------------------------------------------------------------------------

    def action_variations(self) -> None:
        """Choose a variation and walk through it."""
        here = [token for note in self.sight.notes.at(self.sight.version) for token in note.variations]
        try:
            ways = self._variations.ways(self._main, self.sight.tell, here)
        except BranchError as error:
            self.say(safe(str(error)))
            return
        if not ways:
            self.say("There is no variation yet; v plays one, --branch TOKEN brings one along.")
            return
        lines: list[Line] = [[(way.title, "")] for way in ways]
        self._choose("Which variation?", lines, lambda place: self._enter(ways[place], ways[place].parts + 1))

    def action_vary(self) -> None:
        """Choose what else could be played here, and walk on in that variation."""
        try:
            branch = self._branch_here()
        except BranchError as error:
            self.say(safe(str(error)))
            return
        open_to = playable(branch, self.sight.course.viewer)
        if not open_to:
            self.say("Nothing can be played here.")
            return

        def play(place: int) -> None:
            seat, command, _ = open_to[place]
            self._grow(lambda: (branch.play(seat, command), ""), branch)

        title = f"What else, at version {branch.position.version}?"
        self._choose(title, [[(text, "")] for _, _, text in open_to], play)

    def action_bots(self) -> None:
        """Let bots play on here up to the next turn, in a variation."""
        try:
            branch = self._branch_here()
        except BranchError as error:
            self.say(safe(str(error)))
            return
        self._grow(lambda: bots_play(branch), branch)

    def action_token(self) -> None:
        """The token of the variation, to write down."""
        course = self.sight.course
        if not isinstance(course, Variation):
            self.say("This is the game as it was played; a token stands for a variation.")
            return
        token, width = token_of(course.branch), max(self.size.width, 1)
        rows = [token[start : start + width] for start in range(0, len(token), width)]
        self._read("The token of this variation", [[(row, "")] for row in rows])

    def action_main_line(self) -> None:
        """Back to the game as it was played."""
        message = "This is the game as it was played."
        if self.sight.course is self._main:
            self.say(message)
        else:
            sight = replace(self.sight, course=self._main, variation="")
            self._go(sight.gone(sight.version, message))

    def _branch_here(self) -> Branch:
        course, version = self.sight.course, self.sight.version
        if isinstance(course, Variation) and version >= course.parts:
            return course.standing_at(version)
        return self._variations.new(self._main, version)

    def _grow(self, played: Callable[[], tuple[Branch, str]], before: Branch) -> None:
        try:
            branch, message = played()
        except BranchError as error:
            self.say(safe(str(error)))
            return
        self._variations.keep(branch)
        self._enter(Variation(self._main, branch, self.sight.tell), before.position.version + 1)
        self.say(message or "v plays on, b chooses a variation, m leads back to the game.")

    def _enter(self, course: Variation, version: int) -> None:
        version = min(version, course.last)
        self._go(replace(self.sight, course=course, variation=course.title, version=version, message=""))

    # --- asking, reading, choosing -------------------------------------------------------------------------

    def action_stop(self) -> None:
        """Stop what is going on."""
        self._close_prompt()
        self._go(replace(self.sight, tempo=replace(self.sight.tempo, playing=False), message=""))

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Take what was typed."""
        self._close_prompt()
        self._answered(submitted.value)

    def _ask(self, question: str, answered: Callable[[str], None]) -> None:
        prompt = self.query_one("#prompt", Input)
        self._answered = answered
        prompt.value, prompt.placeholder = "", question
        prompt.display = True
        self.screen.set_focus(prompt)

    def _close_prompt(self) -> None:
        prompt = self.query_one("#prompt", Input)
        prompt.display = False
        self.screen.set_focus(None)

    def _read(self, title: str, lines: Sequence[Line]) -> None:
        self.push_screen(Dialog(title, lines))

    def _choose(
        self, title: str, lines: Sequence[Line], chosen: Callable[[int], None], first: int = 0
    ) -> None:
        def answered(place: int | None) -> None:
            if place is not None:
                chosen(place)

        self.push_screen(Dialog(title, lines, first), answered)


def _as_lines(note: Note) -> list[Line]:
    return [[(row, "")] for row in note.text.splitlines()]
