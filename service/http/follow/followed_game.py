"""A game that streams of this process follow: what it tells them, and what they are asked about now and then."""

import time
from threading import Lock

from events.game.table import Table
from service.http.context.callers import Viewpoint
from service.http.context.presence import REFRESH_SECONDS
from service.http.context.services import Services
from service.http.follow.case_news import CaseNews
from service.http.follow.frames import (
    BEGINNING,
    END,
    dispute_frame,
    form_lost_frame,
    presence_frame,
    view_frame,
)
from service.http.follow.log_reading import MOST_AT_ONCE, HistoryDiverged, LogReading, entries_after
from service.http.follow.narration import narrator_for
from service.http.follow.subscription import Subscription
from service.http.push import stream_limits


class FollowedGame:
    """The streams of one game; safe to use from many threads."""

    def __init__(self, found: Services, table: Table) -> None:
        """Follow the game of this table, for nobody yet."""
        self._found = found
        self._game = table.game
        self._key = table.key
        self._is_clocked = table.state.clock is not None
        self._lock = Lock()
        self._streams: set[Subscription] = set()
        self._readings: dict[int, LogReading] = {}
        self._cases = CaseNews(found.dispute_resolution.disputes, table.game)
        self._maintained = self._permitted = self._held = time.monotonic()

    def begin(self, stream: Subscription, seen: Viewpoint, shown: Table | None) -> None:
        """Take a stream in and tell it the beginning: a view or at least who is there, open cases, and past events.

        Raises:
            StoreUnavailable, StoreDamaged
        """
        presence, outbox = self._found.presence, stream.outbox
        stream.place = presence.arrive(self._game, seen.caller.seat)
        stream.present = presence.of(self._game)
        outbox.put(BEGINNING)
        if shown is not None:
            outbox.put(view_frame(shown, seen, stream.present, self._found.shown_names))
        elif seen.table.state.status != "finished":
            outbox.put(presence_frame(stream.present))
        self._tell_cases([stream])
        with self._lock:
            self._streams.add(stream)
        if shown is not None and shown.state.status == "finished":
            outbox.end(END)
        elif stream.may_fill():
            self.fill(stream)

    def leave(self, stream: Subscription) -> None:
        """Let a stream go."""
        stream.is_gone = True
        with self._lock:
            self._streams.discard(stream)
            for delay, reading in [*self._readings.items()]:
                reading.remove(stream)
                if reading.is_empty:
                    del self._readings[delay]
        if stream.place:
            self._found.presence.go(self._game, stream.place)

    def fill(self, stream: Subscription) -> None:
        """Read on in the log for a stream that may be filled, until it has enough or takes part in a reading.

        Raises:
            StoreUnavailable
        """
        try:
            while True:
                self._read_on(stream)
                if stream.has_enough():
                    return
        except HistoryDiverged as lost:
            stream.outbox.end(form_lost_frame(lost.code, stream.after))
        except BaseException:
            # Not where it has enough: somebody else may be reading on for it by now.
            stream.gives_up()
            raise

    def advance(self) -> None:
        """Bring everybody to where the log stands now.

        Raises:
            StoreUnavailable
        """
        with self._lock:
            for delay, reading in [*self._readings.items()]:
                reading.advance()
                if reading.is_empty:
                    del self._readings[delay]

    def is_due(self, now: float) -> bool:
        """Whether it is to be maintained."""
        often = min(stream_limits.PRESENCE_SECONDS, stream_limits.HEARTBEAT_SECONDS)
        return now - self._maintained >= often

    def maintain(self) -> None:
        """Do what is due: end streams whose tokens were revoked, look at the log, tell who is there and of cases.

        Raises:
            StoreUnavailable, StoreDamaged
        """
        self._maintained = now = time.monotonic()
        if now - self._permitted >= stream_limits.HEARTBEAT_SECONDS:
            self._end_unpermitted()
            self._permitted = now
        self.advance()
        with self._lock:
            streams = [stream for stream in self._streams if not stream.outbox.is_ended]
        for stream in streams:
            if stream.may_fill():
                self.fill(stream)
        if now - self._held >= REFRESH_SECONDS and streams:
            self._found.presence.hold(self._game, [stream.place for stream in streams])
            self._held = now
        self._tell_presence(streams)
        self._tell_cases(streams)

    def end(self) -> None:
        """End all streams: their clients come back and are told what is wrong."""
        with self._lock:
            streams = [*self._streams]
        for stream in streams:
            stream.outbox.end()

    def _read_on(self, stream: Subscription) -> None:
        """Read the next entries for a stream, and let it take part where there are no more.

        Raises:
            HistoryDiverged, StoreUnavailable
        """
        if stream.language is not None and stream.loaded is not None and stream.narrator is None:
            stream.narrator = narrator_for(
                self._found, stream.loaded, stream.after.version, stream.viewer, stream.language
            )
        delay = stream.caller.delay
        entries = entries_after(self._found, self._game, delay, stream.after, MOST_AT_ONCE)
        stream.tell(entries)
        if len(entries) < MOST_AT_ONCE and not stream.outbox.is_ended:
            with self._lock:
                self._let_take_part(stream, delay)

    def _let_take_part(self, stream: Subscription, delay: int) -> None:
        """Bring a stream and the reading for it to the same place of the log, if they are near.

        Raises:
            HistoryDiverged, StoreUnavailable
        """
        if stream.is_gone:
            return
        reading = self._readings.get(delay)
        if reading is not None:
            reading.advance()
        if reading is None or reading.is_empty:
            reading = self._readings[delay] = LogReading(
                self._found,
                self._game,
                self._key,
                delay,
                stream.after,
                is_clocked=self._is_clocked,
            )
            reading.add(stream)
            # What has come since it was read may have been told before anybody was here to hear of it.
            reading.advance()
            return
        missing = reading.after.version - stream.after.version
        if 0 < missing <= MOST_AT_ONCE:
            stream.tell(entries_after(self._found, self._game, delay, stream.after, missing))
        if stream.after == reading.after:
            reading.add(stream)

    def _end_unpermitted(self) -> None:
        """End the streams of whoever may see the game no more: a token can be revoked."""
        with self._lock:
            streams = [*self._streams]
        refused = {
            caller
            for caller in {stream.caller for stream in streams}
            if not caller.is_still_admitted(self._found)
        }
        for stream in streams:
            if stream.caller in refused:
                stream.outbox.end()

    def _tell_presence(self, streams: list[Subscription]) -> None:
        present = self._found.presence.of(self._game)
        frame = presence_frame(present)
        for stream in streams:
            if stream.present != present:
                stream.present = present
                stream.outbox.put(frame)

    def _tell_cases(self, streams: list[Subscription]) -> None:
        concerned = [stream for stream in streams if stream.cases.are_told]
        if concerned:
            log = self._cases.log()
            for stream in concerned:
                for case in stream.cases.new(log):
                    stream.outbox.put(dispute_frame(case))
