"""One open stream: whom it is for, what they were told, and what is on its way to them."""

from collections.abc import Sequence
from threading import Lock
from typing import Final

from events.log.disclosure import Disclosure
from events.log.recorded import RecordedEvent
from service.http.context.callers import Viewpoint
from service.http.context.cursors import Cursor, cursor_at
from service.http.context.presence import Present
from service.http.follow.case_news import StreamCases
from service.http.follow.frames import END, event_frames
from service.http.follow.narration import Narrator
from service.http.push.outbox import Outbox

LAST_EVENT: Final = "secret_revealed"


class Subscription:
    """A caller's stream of a game from a place in its log on."""

    __slots__ = (
        "_is_filling",
        "_key",
        "_lock",
        "after",
        "caller",
        "cases",
        "is_behind",
        "is_gone",
        "language",
        "loaded",
        "narrator",
        "outbox",
        "place",
        "present",
        "viewer",
    )

    def __init__(self, seen: Viewpoint, after: Cursor, language: str | None, outbox: Outbox) -> None:
        """Tell a caller what follows this cursor, with sentences where there is a language."""
        self.caller = seen.caller
        self.viewer = seen.viewer
        self.loaded = None if language is None else seen.loaded
        """The game as it stood at the beginning, for sentences; a stream would hold it long after it is of use."""
        self.language = language
        self.outbox = outbox
        self.place = ""
        """Its place among those who are present."""
        self.present = Present()
        self.cases = StreamCases(seen.caller)
        self.after = after
        """Where it has come to by itself; while it takes part in a reading, that one knows."""
        self.narrator: Narrator | None = None
        """Tells what follows `after`; None where that is nobody's task, or nobody's yet."""
        self.is_behind = True
        """Whether it reads the log by itself, and takes part in no reading."""
        self.is_gone = False
        self._is_filling = False
        self._key = seen.table.key
        self._lock = Lock()

    def may_fill(self) -> bool:
        """Whether it is time to read on for it, and nobody does; who gets True does it until `has_enough`."""
        with self._lock:
            may = self._needs_more() and not self._is_filling
            self._is_filling |= may
        return may

    def has_enough(self) -> bool:
        """Whether there is nothing to read for it now; asked again once somebody has taken something."""
        with self._lock:
            self._is_filling = self._needs_more()
            return not self._is_filling

    def gives_up(self) -> None:
        """Leave reading on to whoever asks next whether they may."""
        with self._lock:
            self._is_filling = False

    def _needs_more(self) -> bool:
        return self.is_behind and not self.is_gone and self.outbox.has_room

    def tell(self, entries: Sequence[RecordedEvent]) -> None:
        """Bring what follows `after`."""
        if entries:
            disclosures = [Disclosure(entry, self._key) for entry in entries]
            self.outbox.put(event_frames(disclosures, self.viewer, self.narrator))
            self.after = cursor_at(entries[-1].version, entries[-1].hash)
            self.end_with(entries)

    def end_with(self, entries: Sequence[RecordedEvent]) -> None:
        """End where these, which it was told, are the game's last ones."""
        if entries[-1].type == LAST_EVENT:
            self.outbox.end(END)
