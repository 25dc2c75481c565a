"""A game gone through once, from its first version to its last, through the eyes of all perspectives at once.

What hides nothing is told once for all of them, and of a table only what an event has changed is looked at.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from events.domain_events import DomainEvent
from events.log.codec import event_type
from events.log.disclosure import ALL, PUBLIC
from events.log.redacted import event_in
from replay.commentary import Commentary
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.exports.page.cards import Cards
from replay.exports.page.layers import Layers
from replay.exports.page.scene import Change, Scenes, SeatScenes
from replay.records.effective_history import mark_discarded
from replay.records.hidden import hidden_in_event, redact
from replay.terminal.clock_text import describe_clock
from replay.terminal.table_text import phase_after
from replay.timeline.entries import RecordingEntry, Snapshot
from replay.timeline.timeline import Timeline

LAPSES: Final = frozenset({"offer_lapsed", "miss_moves_lapsed"})
"""Events that happen by themselves, after what a command did."""


class Told:
    """What the perspectives of a page were told and saw, so far.

    Attributes:
        layers: what each of them saw, and by which text it was told.
        at: when each event happened: milliseconds since the epoch.
        actor: who acted, by the place among `actors`.
        texts: the sentences, each once, with its number.
        lapses: the versions at which something only lapsed.
    """

    def __init__(self, timeline: Timeline, tell: Commentary, cards: Cards) -> None:
        """Begin before the first version; of the timeline at least the first entry was read, if it has any."""
        self._recording, self._tell = timeline.recording, tell
        self._viewers = viewers_of(timeline)
        self.layers = Layers(self._viewers)
        self.at: list[int] = []
        self.actor: list[int] = []
        self.actors: dict[str, int] = {}
        self.texts: dict[str, int] = {}
        self.lapses: list[int] = []
        self._before, self._phase = Snapshot(), ""
        self._first = Scenes(tell, cards, timeline.rules)
        self._public = Scenes(tell, cards, timeline.rules, beside=self._first)
        self._seats = {seat: SeatScenes(self._public, seat) for seat in self._viewers[2:]}

    def go_on(self, entry: RecordingEntry) -> None:
        """Take the next entry."""
        version, moment, kind = len(self.at) + 1, entry.moment, event_type(entry.event)
        phase = phase_after(kind, moment.public.phase)
        if kind in LAPSES:
            self.lapses.append(version)
        before = self._before
        if not (
            moment.whole is before.whole
            and moment.public is before.public
            and moment.clock is before.clock
            and phase == self._phase
        ):
            self._before, self._phase = moment, phase
            self.layers.change(version, self._changes(entry, phase))
        if entry.event is entry.opened:
            self.layers.tell_all(version, self._text(entry, self._viewers[0], entry.event))
        else:
            self.layers.tell(version, self._tell_each(entry))
        self.at.append(entry.at)
        actor = make_printable(entry.actor, NAME_LENGTH)
        self.actor.append(self.actors.setdefault(actor, len(self.actors)))

    def finish(self) -> None:
        """Mark what was discarded, once all is told: only the whole record says what that is."""
        counting = self._recording.effective_history()
        if not counting.discarded:
            return
        told, self.texts = [*self.texts], {}

        def number_of(version: int, text: int) -> int:
            marked = mark_discarded(told[text], counts=version in counting)
            return self.texts.setdefault(marked, len(self.texts))

        self.layers.tell_anew(number_of)

    def _changes(self, entry: RecordingEntry, phase: str) -> Mapping[int, Change]:
        """What of the table each viewer sees otherwise than before."""
        whole, public = entry.moment.whole, entry.moment.public
        first, *others = self._viewers
        own = self._recording.table(entry.moment, first)
        clock = describe_clock(self._tell, own, entry.moment.clock, entry.at)
        changes = {first: self._first.go_on(own, phase, clock)}
        if others:
            opened = changes[PUBLIC] = self._public.go_on(public, phase, clock)
            for seat, scenes in self._seats.items():
                changes[seat] = scenes.go_on(whole, public, phase, opened)
        return changes

    def _tell_each(self, entry: RecordingEntry) -> Mapping[int, int]:
        """The number of the text by which each viewer is told; who sees the same is told the same."""
        known: list[tuple[DomainEvent, int]] = []
        texts: dict[int, int] = {}
        for viewer, event in self._events(entry):
            number = next((number for each, number in known if each is event), None)
            if number is None:
                number = self._text(entry, viewer, event)
                known.append((event, number))
            texts[viewer] = number
        return texts

    def _text(self, entry: RecordingEntry, viewer: int, event: DomainEvent) -> int:
        """The number of a text; the same one is kept once.

        Of a table a sentence names nothing but what lies open on it.
        """
        text = self._tell.sentence(self._recording.table(entry.moment, viewer), event)
        return self.texts.setdefault(text, len(self.texts))

    def _events(self, entry: RecordingEntry) -> Iterator[tuple[int, DomainEvent]]:
        """What happened as each viewer sees it, where not all see the same."""
        scope = self._recording.scope
        holders = {hidden.holder for hidden in hidden_in_event(entry.form.entry)}
        for viewer in self._viewers:
            if viewer == scope or holders == {viewer}:
                yield viewer, entry.event
            elif viewer in holders:
                yield viewer, event_in(redact(entry.form, viewer).entry)
            else:
                yield viewer, entry.opened


def viewers_of(timeline: Timeline) -> tuple[int, ...]:
    """The perspectives that a page offers: of a whole record all there are, else the one it is for."""
    if timeline.viewer != ALL or not timeline.last:
        return (timeline.viewer,)
    return (ALL, PUBLIC, *range(len(timeline.at(1).state.seats)))
