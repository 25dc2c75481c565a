"""The terminal player: what its keys do, besides annotations and variations, and how it is opened."""

import asyncio
from dataclasses import dataclass, replace
from itertools import islice

from events.log.disclosure import ALL, viewer_name
from replay.commentary import LANGUAGES
from replay.terminal.clock_text import clock_lines
from replay.terminal.player.annotation_actions import AnnotationActions
from replay.terminal.player.keys import help_lines
from replay.terminal.player.live_reader import LiveReader
from replay.terminal.player.notes import Notes
from replay.terminal.player.panes.knowledge_pane import knowledge_pane
from replay.terminal.player.track import (
    PLACES,
    NoSuchPlace,
    find_matches,
    find_place,
    list_viewers,
)
from replay.terminal.player.variation_actions import VariationActions
from replay.terminal.player.variations import Variation, Variations
from replay.terminal.player.view_state import ViewState, open_view
from replay.terminal.table_text import Line, lying_lines
from replay.timeline.knowledge import knowledge
from replay.timeline.timeline import Timeline

POLL_SECONDS = 0.2
"""How often new entries of a live game are looked for."""
_BATCH = 32
"""Entries searched before keys get their turn again."""


class Player(AnnotationActions, VariationActions):
    """A record on the whole screen."""

    def __init__(
        self, main: Timeline, view: ViewState, variations: Variations, live_reader: LiveReader | None = None
    ) -> None:
        """Start here, with these variations, and with what reads a live game."""
        super().__init__(main, replace(view, is_live=live_reader is not None), variations)
        self._sought = ""
        self._growth = live_reader
        self._seen = main.last

    # --- a live game --------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Look for new entries of a live game now and then."""
        if self._growth is not None:
            self._polling = self.set_interval(POLL_SECONDS, self._poll)

    def _poll(self) -> None:
        """Move on to the newest event if the reader was at the newest one before."""
        live_reader, before, self._seen = self._growth, self._seen, self.main.last
        if live_reader is None:
            return
        over, in_variation = live_reader.outcome, isinstance(self.view.track, Variation)
        if self._seen != before or over:
            newest = not in_variation and self.view.version == before
            version = self._seen if newest else self.view.version
            view = replace(self.view, version=version, is_live=not over)
            outcome = view.end if over and self.main.broken else over
            self.show(replace(view, message=outcome or view.message))
        if over:
            self._growth = None
            self._polling.stop()

    # --- walking -------------------------------------------------------------------------------------------

    def action_on(self, unit: str) -> None:
        """To the next stop of this unit."""
        self.go(self.view.forward(unit))

    def action_return(self, unit: str) -> None:
        """To the stop of this unit before."""
        self.go(self.view.back(unit))

    def action_first(self) -> None:
        """To the first event."""
        self.go(self.view.move_to(1))

    def action_last(self) -> None:
        """To the last event."""
        self.go(self.view.move_to(self.view.track.last, self.view.end))

    def action_go(self) -> None:
        """Ask for a place to go to."""
        self.ask(f"Go to ({PLACES}): ", self._go_to)

    def _go_to(self, text: str) -> None:
        try:
            self.go(self.view.move_to(find_place(self.view.track, self.view.version, text)))
        except NoSuchPlace as error:
            self.say(str(error))

    # --- searching -----------------------------------------------------------------------------------------

    def action_search(self) -> None:
        """Ask what to search for."""
        self.ask("/", self._search)

    def action_match(self, way: int) -> None:
        """To the next match, or to the one before."""
        if self._sought:
            self.run_worker(self._seek(self._sought, way), group="search", exclusive=True)
        else:
            self.say("There is no search yet; / starts one.")

    def _search(self, text: str) -> None:
        if not text.strip():
            self.say("")
            return
        self._sought = text
        self.action_match(1)

    async def _seek(self, text: str, way: int) -> None:
        track, began = self.view.track, self.view.version
        found_in_turn = find_matches(track, began, way, text, self.view.tell)
        seen = 0
        while chunk := list(islice(found_in_turn, _BATCH)):
            found = next((version for version in chunk if version is not None), None)
            if found is not None:
                self.show(self.view.move_to(found))
                return
            seen += len(chunk)
            self.say(f"Searching … version {began + way * seen}; Escape stops.")
            await asyncio.sleep(0)
        self.say("No match after this version." if way > 0 else "No match before this version.")

    # --- playing by itself ---------------------------------------------------------------------------------

    def action_play(self) -> None:
        """Play, or stop."""
        tempo = self.view.tempo
        at_end = self.view.version == self.view.track.last
        if at_end and not tempo.playing:
            self.say(self.view.end)
        else:
            self.show(replace(self.view, tempo=replace(tempo, playing=not tempo.playing), message=""))

    def action_faster(self, places: int) -> None:
        """Faster or slower, in powers of two."""
        self._change_tempo(places, recorded=self.view.tempo.recorded)

    def action_recorded(self) -> None:
        """With the recorded pauses, or evenly."""
        self._change_tempo(0, recorded=not self.view.tempo.recorded)

    def _change_tempo(self, places: int, *, recorded: bool) -> None:
        tempo = replace(self.view.tempo.faster(places), recorded=recorded)
        self.show(replace(self.view, tempo=tempo, message=f"Tempo: {tempo.shown}."))
        self.schedule_next()

    # --- looking -------------------------------------------------------------------------------------------

    def action_perspective(self) -> None:
        """The next perspective."""
        viewers = list_viewers(self.view.track)
        self._view_as(viewers[(viewers.index(self.view.track.viewer) + 1) % len(viewers)])

    def action_choose_perspective(self) -> None:
        """Choose a perspective."""
        viewers, state = list_viewers(self.view.track), self.view.step.state
        lines: list[Line] = [
            [(f"{viewer_name(each):9}{self.view.tell.player(state, each) if each >= 0 else ''}", "")]
            for each in viewers
        ]
        self.choose(
            "Whose perspective?",
            lines,
            lambda place: self._view_as(viewers[place]),
            viewers.index(self.view.track.viewer),
        )

    def _view_as(self, viewer: int) -> None:
        self.main = self.main.seen_by(viewer)
        in_variation = isinstance(self.view.track, Variation)
        track = self.view.track.seen_by(viewer) if in_variation else self.main
        self.show(replace(self.view, track=track, message=f"As {viewer_name(viewer)}."))

    def action_language(self) -> None:
        """The next language."""
        language = LANGUAGES[(LANGUAGES.index(self.view.language) + 1) % len(LANGUAGES)]
        self.show(self.view.in_language(language))

    def action_table(self) -> None:
        """The whole table, to read."""
        tell, step = self.view.tell, self.view.step
        self.read("The whole table", [*lying_lines(tell, step.state), *clock_lines(tell, step)])

    def action_knowledge(self) -> None:
        """What this perspective could know for certain."""
        track, version = self.view.track, self.view.version
        if track.viewer == ALL:
            self.say("This perspective sees everything; p changes the perspective.")
        elif isinstance(track, Variation):
            self.say("This is not known in a variation; m returns to the game.")
        else:
            known = self.main.recording.at(version).moment.known
            state = self.view.step.state
            known_cards = knowledge(track.header.catalogue, state, known, track.viewer)
            title = f"What {viewer_name(track.viewer)} could know for certain at version {version}"
            self.read(title, knowledge_pane(self.view.tell, state, known_cards))

    def action_help(self) -> None:
        """Every key."""
        self.read("The keys of the player", help_lines())


@dataclass(frozen=True, slots=True)
class Opening:
    """What a reader starts the player with.

    Attributes:
        version: where to start.
        language: the language of the sentences.
        tokens: the tokens of variations.
        annotations: a file of annotations to show.
        author: who adds to that file; None where nobody does.
        live_reader: what reads a live game; None for a whole record.
    """

    version: int = 1
    language: str = "en"
    tokens: tuple[str, ...] = ()
    annotations: str | None = None
    author: str | None = None
    live_reader: LiveReader | None = None


def open_player(timeline: Timeline, opening: Opening) -> Player:
    """The player on a record that has an entry.

    Raises:
        FileBroken, RecordBroken, Unbound, SourceUnreadable: the annotations cannot be read, or are of another game.
    """
    notes = Notes(timeline, opening.annotations, opening.author)
    view = open_view(timeline, opening.version, opening.language, notes)
    return Player(timeline, view, Variations(opening.tokens), opening.live_reader)
