"""Followers of event streams: they come again with Last-Event-ID whatever cuts them off, and must miss nothing."""

import json
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from itertools import cycle
from threading import Event, Thread

from tests.faults.clients import Board
from tests.faults.ledger import Ledger

SILENCE_SECONDS = 25.0
"""A stream that says nothing for longer is given up; a heartbeat comes every 10 seconds, at worst 20."""
PAUSE_SECONDS = 0.2
LOST = "history_lost"
ABOUT_THE_STREAM = {"clock", "end", "presence"}
"""Frames that are no events."""


class Follower:
    """One thread that follows the games of one client, one after the other.

    Attributes:
        heard: the chain hash of every version of every game that came in.
    """

    def __init__(self, number: int, ports: Sequence[int], board: Board, ledger: Ledger) -> None:
        """Follow the games of the client with this number."""
        self.heard: dict[str, list[str]] = {}
        self._number = number
        self._ports = cycle(ports)
        self._board = board
        self._ledger = ledger
        self._stopping = Event()
        self._stream: socket.socket | None = None
        self._thread = Thread(target=self._run, name=f"follower-{number}", daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and cut off the stream that it listens to."""
        self._stopping.set()
        stream = self._stream
        if stream is not None:
            with suppress(OSError):
                stream.shutdown(socket.SHUT_RDWR)

    def await_end(self) -> None:
        """Wait until it has stopped."""
        if self._thread.ident is not None:
            self._thread.join(SILENCE_SECONDS + 5)

    def _run(self) -> None:
        while not self._stopping.wait(PAUSE_SECONDS):
            seats = self._board.seats(self._number)
            if seats:
                self._follow(seats[0].game)

    def _follow(self, game: str) -> None:
        """Follow a game until its stream is cut off or it has ended."""
        known = self.heard.setdefault(game, [])
        connection = HTTPConnection("127.0.0.1", next(self._ports), timeout=SILENCE_SECONDS)
        # The cursor names the hash too, so a history that is another one by now is told.
        last = {"Last-Event-ID": f"{len(known)}-{known[-1][:8]}"} if known else {}
        headers = {"Accept": "text/event-stream", **last}
        begun = time.monotonic()
        try:
            connection.request(
                "GET", f"/v1/games/{game}/events{'' if known else '?after=0'}", headers=headers
            )
            self._stream = connection.sock
            answer = connection.getresponse()
            if answer.status == 200:
                self._listen(game, known, answer)
            elif answer.status == 409:
                told = json.loads(answer.read())
                self._ledger.answer(f"stream: {told['code']}", 0.0)
                del known[told["shared"] :]
            elif answer.status == 404:
                known.clear()
        except TimeoutError:
            self._ledger.find(f"a stream said nothing for {time.monotonic() - begun:.0f} s")
        except (OSError, HTTPException) as error:
            self._ledger.answer(f"stream: {type(error).__name__}", 0.0)
        finally:
            self._stream = None
            connection.close()

    def _listen(self, game: str, known: list[str], answer: HTTPResponse) -> None:
        for event in events_in(answer):
            if event is None:
                self._ledger.answer(f"stream: frame {LOST}", 0.0)
                return
            version, chain_hash = event
            if self._stopping.is_set():
                return
            if version != len(known) + 1:
                self._ledger.find(f"the stream of game {game} went from version {len(known)} to {version}")
                return
            known.append(chain_hash)


def events_in(answer: HTTPResponse) -> Iterator[tuple[int, str] | None]:
    """Version and chain hash of every event of a stream of server-sent events, up to its end; None for a loss."""
    version = 0
    kind = ""
    for raw in answer:
        if not raw.endswith(b"\n"):
            # Cut off in the middle of a line.
            return
        name, _, value = raw.decode().rstrip("\r\n").partition(": ")
        if name == "id":
            version = int(value.partition("-")[0])
        elif name == "event":
            kind = value
        elif name == "data" and kind == LOST:
            yield None
        elif name == "data" and kind not in ABOUT_THE_STREAM:
            yield version, json.loads(value)["hash"]
