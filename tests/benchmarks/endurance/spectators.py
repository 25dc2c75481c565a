"""`python -m tests.benchmarks.endurance.spectators`: a stream for each game, resumed wherever it is cut off.

Every version must come once and in order, over all interruptions; how long each came after its command is told.
"""

import re
import time
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from threading import Event, Lock, Thread
from typing import Final

from tests.benchmarks.endurance.answering import Answering
from tests.benchmarks.endurance.messages import Seen, Stop, Told, Watch, Watched, Wrong
from tests.benchmarks.own_service import HOST

SILENCE_SECONDS: Final = 30.0
"""A stream that says nothing for longer is opened anew; a sign of life comes every 20 seconds at the latest."""
PAUSE_SECONDS: Final = 0.2
TELL_SECONDS: Final = 1.0
AT: Final = re.compile(rb'"at":(\d+)')
END: Final = b"end"
LOST: Final = b"history_lost"


class Spectator:
    """Follows one game to its end."""

    def __init__(self, port: int, game: str, say: Callable[[Told], None]) -> None:
        """Watch from the first version on."""
        self._port = port
        self._game = game
        self._say = say
        self._version = 0
        self._last_id = b""
        # What happened before is late without anybody's fault.
        self._counts_from = 1000 * time.time()
        self._lock = Lock()
        self._lags: list[tuple[float, float]] = []
        self._ended = False

    def run(self, stop: Event) -> None:
        """Watch until the game's end, or until told to stop."""
        while not stop.is_set() and not self._ended:
            connection = HTTPConnection(HOST, self._port, timeout=SILENCE_SECONDS)
            try:
                self._open(connection)
            except (OSError, HTTPException):
                stop.wait(PAUSE_SECONDS)
            finally:
                connection.close()
        if self._ended:
            self._say(Watched(self._game, self._version))

    def lags(self) -> list[tuple[float, float]]:
        """What came since this was asked last."""
        with self._lock:
            found, self._lags = self._lags, []
        return found

    def _open(self, connection: HTTPConnection) -> None:
        since = {"Last-Event-ID": self._last_id.decode()} if self._last_id else {}
        query = "" if self._last_id else "?after=0"
        path = f"/v1/games/{self._game}/events{query}"
        connection.request("GET", path, headers={"Accept": "text/event-stream", **since})
        answer = connection.getresponse()
        if answer.status == HTTPStatus.OK:
            self._listen(answer)
        elif (
            answer.status < HTTPStatus.INTERNAL_SERVER_ERROR and answer.status != HTTPStatus.TOO_MANY_REQUESTS
        ):
            self._say(Wrong(f"A stream was answered {answer.status}: {answer.read(300)!r}"))
            self._ended = True

    def _listen(self, answer: HTTPResponse) -> None:
        name = identity = b""
        for line in answer:
            if not line.endswith(b"\n"):
                return  # cut off in the middle of a line
            field, _, value = line.rstrip(b"\r\n").partition(b": ")
            match field:
                case b"event":
                    name = value
                case b"id":
                    identity = value
                case b"data" if identity:
                    self._heard(identity, value)
                case b"data" if name in {END, LOST}:
                    self._ended = True
                    if name == LOST:
                        self._say(Wrong(f"A stream of {self._game} was told that its history is lost"))
                    return
                case b"" if not value:
                    name = identity = b""  # the end of a frame

    def _heard(self, identity: bytes, data: bytes) -> None:
        version = int(identity.partition(b"-")[0])
        if version != self._version + 1:
            self._say(Wrong(f"A stream of {self._game} went from version {self._version} to {version}"))
        self._version, self._last_id = version, identity
        found = AT.search(data)
        if found is not None and int(found[1]) >= self._counts_from:
            with self._lock:
                self._lags.append((time.monotonic(), time.time() - int(found[1]) / 1000))


def main() -> None:
    """Watch until told to stop."""
    answering, stop = Answering(), Event()
    spectators: dict[Spectator, Thread] = {}
    lock = Lock()

    def tell() -> None:
        while not stop.wait(TELL_SECONDS):
            with lock:
                gone = [each for each, thread in spectators.items() if not thread.is_alive()]
                lags = [lag for each in spectators for lag in each.lags()]
                for each in gone:
                    del spectators[each]
            answering.say(Seen(tuple(lags)))

    Thread(target=tell, daemon=True).start()
    for order in answering.orders():
        match order:
            case Watch(game):
                spectator = Spectator(answering.setting.port, game, answering.say)
                thread = Thread(target=spectator.run, args=(stop,), daemon=True)
                thread.start()
                with lock:
                    spectators[spectator] = thread
            case Stop():
                break
    stop.set()
    answering.end()


if __name__ == "__main__":
    main()
