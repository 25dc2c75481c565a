"""Reading a game's log once for all who follow it, and forming each event once for all who see the same.

Everybody in a reading is at the same place of the log. They are told apart by how many versions they are behind (each
delay is a reading of its own), by the viewer through whose eyes they see, and by the language that they are told in.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from events.game.clock import Clock
from events.log.disclosure import Disclosure
from events.log.recorded import RecordedEvent
from events.store.errors import GameNotFound
from service.http.context.cursors import Cursor, cursor_at, find_divergence
from service.http.context.services import Services
from service.http.follow.frames import clock_frame, event_frames, form_lost_frame
from service.http.follow.narration import Narrator
from service.http.follow.subscription import Subscription

MOST_AT_ONCE: Final = 200
"""Entries read and formed in one step."""


class HistoryDiverged(Exception):
    """The log does not go on from a cursor; `code` says what has become of it."""

    def __init__(self, code: str) -> None:
        """Say whether it was lost or has forked."""
        super().__init__(code)
        self.code = code


def entries_after(
    found: Services, game: str, delay: int, after: Cursor, limit: int
) -> Sequence[RecordedEvent]:
    """The next entries, `limit` at most, that somebody so many versions behind may see.

    Raises:
        HistoryDiverged: this is not the history that the cursor is from, or it has lost its end.
        StoreUnavailable
    """
    # With the entry at the cursor: it tells whether this is still the history that it was.
    first, most = max(after.version - 1, 0), limit + 1
    entries: Sequence[RecordedEvent] = ()
    try:
        if delay:
            most = min(most, max(found.tables.newest(game).visible_version(delay) - first, 0))
        if most:
            entries = found.store.read(game, first, most)
    except GameNotFound:
        pass  # its beginning is lost as well
    code = find_divergence(entries, after)
    if code is not None:
        raise HistoryDiverged(code)
    return entries[1:] if after.version else entries


@dataclass(slots=True)
class _Class:
    """Streams that see the same."""

    narrator: Narrator | None
    members: set[Subscription] = field(default_factory=set)


class LogReading:
    """Streams of one game that have come to the same place of its log; one thread at a time uses it."""

    def __init__(
        self, found: Services, game: str, key: bytes, delay: int, after: Cursor, *, is_clocked: bool
    ) -> None:
        """Begin at a cursor for those who are so many versions behind; `key` is the game's salt key.

        Whether the game `is_clocked` says if they are told of deadlines, too.
        """
        self._found = found
        self._game = game
        self._key = key
        self._delay = delay
        self._is_clocked = is_clocked
        self.after = after
        self._clock: Clock | None = None
        self._classes: dict[tuple[int, str | None], _Class] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nobody takes part."""
        return not self._classes

    def add(self, stream: Subscription) -> None:
        """Let a stream take part that has come to the same place."""
        known = self._classes.setdefault((stream.viewer, stream.language), _Class(stream.narrator))
        known.members.add(stream)
        stream.narrator, stream.is_behind = None, False
        if self._clock is not None:
            stream.outbox.put(clock_frame(self.after.version, self._clock))

    def remove(self, stream: Subscription) -> None:
        """Let a stream go; one that takes no part is none the worse."""
        name = stream.viewer, stream.language
        known = self._classes.get(name)
        if known is not None:
            known.members.discard(stream)
            if not known.members:
                del self._classes[name]

    def advance(self) -> None:
        """Bring everybody to where the log stands now; where it is lost they are told, and nobody is left.

        Raises:
            StoreUnavailable
        """
        has_news = self._clock is None
        while self._classes:
            try:
                entries = entries_after(self._found, self._game, self._delay, self.after, MOST_AT_ONCE)
            except HistoryDiverged as lost:
                self._end(form_lost_frame(lost.code, self.after))
                return
            if entries:
                self._tell(entries)
                has_news = True
            if len(entries) < MOST_AT_ONCE:
                if has_news and self._is_clocked:
                    self._tell_time()
                return

    def _tell_time(self) -> None:
        """Tell everybody what runs now, where that is not what they were told last.

        A game that has gone on meanwhile is told of with what has happened there.
        """
        tables = self._found.tables
        with suppress(GameNotFound):
            table = tables.behind(tables.newest(self._game), self._delay).table
            clock = table.log.clock
            if table.version == self.after.version and clock is not None and clock != self._clock:
                self._clock = clock
                self._put(clock_frame(table.version, clock))

    def _put(self, frame: bytes) -> None:
        for each in self._classes.values():
            for stream in each.members:
                stream.outbox.put(frame)

    def _tell(self, entries: Sequence[RecordedEvent]) -> None:
        before, self.after = self.after, cursor_at(entries[-1].version, entries[-1].hash)
        disclosures = [Disclosure(entry, self._key) for entry in entries]
        for (viewer, _), each in [*self._classes.items()]:
            frames = event_frames(disclosures, viewer, each.narrator)
            for stream in [*each.members]:
                if stream.outbox.is_full:
                    self.remove(stream)
                    stream.after, stream.is_behind = before, True
                    # Somebody may have taken what was waiting just before it was said to be behind.
                    stream.outbox.emptied()
                else:
                    stream.outbox.put(frames)
                    stream.end_with(entries)

    def _end(self, frame: bytes) -> None:
        for each in self._classes.values():
            for stream in each.members:
                stream.outbox.end(frame)
        self._classes.clear()
