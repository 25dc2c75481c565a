"""A game that goes on while the player shows it: read in a thread of its own until the game is over."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import Final

from events.disclosure import Form
from replay.game_address import SourceUnreadable
from replay.timeline import Timeline

OVER: Final = "The game is over."


class Growth:
    """The reading of a game at its address.

    Attributes:
        said: why reading has ended; empty while it goes on.
    """

    def __init__(self, timeline: Timeline, caught_up: Event) -> None:
        """Fill this timeline, which is empty; `caught_up` is set at the end, if nobody has set it before."""
        self._timeline = timeline
        self._caught_up = caught_up
        self.said = ""

    def begin(self, entries: Iterator[Form]) -> None:
        """Read from now on, for as long as the program runs."""
        Thread(target=self._read, args=(entries,), name="growth", daemon=True).start()

    def _read(self, entries: Iterator[Form]) -> None:
        said = OVER
        try:
            self._timeline.recording.read(entries)
        except SourceUnreadable as error:
            said = str(error)
        finally:
            self.said = said
            self._caught_up.set()
