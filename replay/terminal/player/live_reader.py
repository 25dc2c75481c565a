"""Reading a live game while the player shows it, in a thread of its own until the game is over."""

from collections.abc import Iterator
from threading import Event, Thread
from typing import Final

from events.log.disclosure import Form
from replay.client.game_address import SourceUnreadable
from replay.timeline.timeline import Timeline

OVER: Final = "The game is over."


class LiveReader:
    """Reads a game at its address.

    Attributes:
        outcome: why reading has ended; empty while it goes on.
    """

    def __init__(self, timeline: Timeline, caught_up: Event) -> None:
        """Fill this timeline, which is empty; `caught_up` is set at the end, if nobody has set it before."""
        self._timeline = timeline
        self._caught_up = caught_up
        self.outcome = ""

    def start(self, entries: Iterator[Form]) -> None:
        """Read from now on, for as long as the program runs."""
        Thread(target=self._read, args=(entries,), name="live-reader", daemon=True).start()

    def _read(self, entries: Iterator[Form]) -> None:
        outcome = OVER
        try:
            self._timeline.recording.read(entries)
        except SourceUnreadable as error:
            outcome = str(error)
        finally:
            self.outcome = outcome
            self._caught_up.set()
