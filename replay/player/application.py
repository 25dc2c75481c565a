"""The terminal player: what its keys do, besides annotations and variations."""

import asyncio
from dataclasses import replace
from itertools import islice

from events.disclosure import ALL, viewer_name
from replay.commentary import LANGUAGES
from replay.knowledge import knowledge
from replay.player.annotating import Annotating
from replay.player.course import viewers_of
from replay.player.growth import Growth
from replay.player.help_text import help_lines
from replay.player.knowledge_pane import knowledge_pane
from replay.player.places import MEANT, NoSuchPlace, place_of
from replay.player.search import Match, NotUnderstood, match_for, matches
from replay.player.sight import Sight
from replay.player.variations import Variation, Variations
from replay.player.varying import Varying
from replay.safe_text import safe
from replay.table_text import Line, lying_lines
from replay.timeline import Timeline

LOOK_SECONDS = 0.2
"""How often it is looked whether a game has gone on."""
_AT_ONCE = 32
"""Entries looked at before keys get their turn again."""


class Player(Annotating, Varying):
    """A record on the whole screen."""

    def __init__(
        self, main: Timeline, sight: Sight, variations: Variations, growth: Growth | None = None
    ) -> None:
        """Begin here, with these variations to walk through, and with what reads a game that goes on."""
        super().__init__(main, replace(sight, goes_on=growth is not None), variations)
        self._match: Match | None = None
        self._growth = growth
        self._seen = main.last

    # --- a game that goes on -------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Look now and then whether the game has gone on."""
        if self._growth is not None:
            self._looking = self.set_interval(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        """Who stands at the newest event goes along; everybody else is told how many there are."""
        growth, before, self._seen = self._growth, self._seen, self.main.last
        if growth is None:
            return
        over, inside = growth.said, isinstance(self.sight.course, Variation)
        if self._seen != before or over:
            newest = not inside and self.sight.version == before
            version = self._seen if newest else self.sight.version
            sight = replace(self.sight, version=version, goes_on=not over)
            said = sight.end if over and self.main.broken else over
            self.show(replace(sight, message=said or sight.message))
        if over:
            self._growth = None
            self._looking.stop()

    # --- walking -------------------------------------------------------------------------------------------

    def action_on(self, unit: str) -> None:
        """To the next stop of this unit."""
        self.go(self.sight.forward(unit))

    def action_return(self, unit: str) -> None:
        """To the stop of this unit before."""
        self.go(self.sight.back(unit))

    def action_first(self) -> None:
        """To the first event."""
        self.go(self.sight.gone(1))

    def action_last(self) -> None:
        """To the last event."""
        self.go(self.sight.gone(self.sight.course.last, self.sight.end))

    def action_go(self) -> None:
        """Ask where to go."""
        self.ask(f"Go to ({MEANT}): ", self._gone)

    def _gone(self, said: str) -> None:
        try:
            self.go(self.sight.gone(place_of(self.sight.course, self.sight.version, said)))
        except NoSuchPlace as error:
            self.say(str(error))

    # --- searching -----------------------------------------------------------------------------------------

    def action_search(self) -> None:
        """Ask what to look for."""
        self.ask("/", self._sought)

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
        self.wind()

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
        self.choose(
            "Whose perspective?",
            lines,
            lambda place: self._see_as(viewers[place]),
            viewers.index(self.sight.course.viewer),
        )

    def _see_as(self, viewer: int) -> None:
        self.main = self.main.seen_by(viewer)
        inside = isinstance(self.sight.course, Variation)
        course = self.sight.course.seen_by(viewer) if inside else self.main
        self.show(replace(self.sight, course=course, message=f"As {viewer_name(viewer)}."))

    def action_language(self) -> None:
        """The next language."""
        following = LANGUAGES[(LANGUAGES.index(self.sight.language) + 1) % len(LANGUAGES)]
        self.show(self.sight.told_in(following))

    def action_table(self) -> None:
        """The whole table, to read."""
        self.read("The whole table", lying_lines(self.sight.tell, self.sight.step.state))

    def action_knowledge(self) -> None:
        """What this perspective could know for certain."""
        course, version = self.sight.course, self.sight.version
        if course.viewer == ALL:
            self.say("Who sees all has nothing to derive; p changes the perspective.")
        elif isinstance(course, Variation):
            self.say("Of a variation this is not known; m leads back to the game.")
        else:
            known = self.main.recording.at(version).moment.known
            state = self.sight.step.state
            told = knowledge(course.header.catalogue, state, known, course.viewer)
            title = f"What {viewer_name(course.viewer)} could know for certain at version {version}"
            self.read(title, knowledge_pane(self.sight.tell, state, told))

    def action_help(self) -> None:
        """Every key."""
        self.read("The keys of the player", help_lines())
