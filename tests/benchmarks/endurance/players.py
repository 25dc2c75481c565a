"""`python -m tests.benchmarks.endurance.players`: many games at once, at a rate, one by one, whatever breaks.

Each command is due at a moment of its own, and its time counts from there, sent or not (open loop): what a restart
keeps back is sent faster afterwards, and counts as late. A command without an answer is repeated with its key.
"""

import time
from collections.abc import Callable
from http import HTTPStatus
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Final

import msgspec

from tests.benchmarks.chosen import ChosenGame, Step
from tests.benchmarks.endurance.accounts import Acknowledged
from tests.benchmarks.endurance.answering import Answering
from tests.benchmarks.endurance.messages import (
    Answered,
    Begun,
    Ended,
    Pace,
    Play,
    Stop,
    Told,
    Unanswered,
    Wrong,
)
from tests.benchmarks.endurance.persistent import NoAnswer, Persistent, Reply

WAIT_SECONDS: Final = 0.2


class _Body(msgspec.Struct):
    """What counts of the answer to a command."""

    version: int
    hash: str
    events: list[msgspec.Raw]


class Lane:
    """One game after the other, a command each `interval` seconds, or with 0 as fast as they are answered."""

    def __init__(
        self, port: int, games: "SimpleQueue[ChosenGame]", interval: float, say: Callable[[Told], None]
    ) -> None:
        """Play what is in the queue, until `stop` is set."""
        self.stop = Event()
        self._games = games
        self._connection = Persistent(port)
        self.interval = interval
        self._due = 0.0
        self._say = say

    def run(self, begin: float) -> None:
        """Play; the first command is due at `begin` (time.monotonic)."""
        self._due = begin
        while not self.stop.is_set():
            try:
                game = self._games.get(timeout=WAIT_SECONDS)
            except Empty:
                # Without a game nothing is due: that nobody has chosen one is no fault of the service.
                self._due = max(self._due, time.monotonic())
                continue
            self._say(Begun(game.game))
            try:
                if self._plays(game):
                    self._say(Ended(game.game))
            except (ValueError, OSError) as error:
                self._say(Unanswered(game.game))
                self._say(Wrong(f"An answer cannot be read: {type(error).__name__}: {error}"))
        self._connection.close()

    def _plays(self, game: ChosenGame) -> bool:
        for step in game.steps:
            if self.stop.wait(max(0.0, self._due - time.monotonic())):
                return False
            try:
                reply = self._connection.ask(step.request)
            except NoAnswer as silence:
                self._say(Unanswered(game.game))
                self._say(Wrong(str(silence)))
                return False
            if reply.status != HTTPStatus.OK:
                self._say(Wrong(f"A legal command was answered {reply.status}: {reply.body[:300]!r}"))
                return False
            self._answered(game, step, reply)
        return True

    def _answered(self, game: ChosenGame, step: Step, reply: Reply) -> None:
        now = time.monotonic()
        body = msgspec.json.decode(reply.body, type=_Body)
        told = Acknowledged(step.seat, body.version, body.hash, len(body.events))
        late = now - self._due
        self._due = self._due + self.interval if self.interval else now
        self._say(
            Answered(
                game=game.game, told=told, moment=now, seconds=late, tries=reply.tries, known=reply.known
            )
        )


def main() -> None:
    """Play until told to stop."""
    answering = Answering()
    setting = answering.setting
    games: SimpleQueue[ChosenGame] = SimpleQueue()
    interval = setting.games / setting.rate if setting.rate else 0.0
    lanes = [Lane(setting.port, games, interval, answering.say) for _ in range(setting.games)]
    begin = time.monotonic()
    threads = [
        Thread(target=lane.run, args=(begin + interval * place / setting.games,), daemon=True)
        for place, lane in enumerate(lanes)
    ]
    for thread in threads:
        thread.start()
    for order in answering.orders():
        match order:
            case Play(game):
                games.put(game)
            case Pace(rate):
                for lane in lanes:
                    lane.interval = setting.games / rate
            case Stop():
                break
    for lane in lanes:
        lane.stop.set()
    for thread in threads:
        thread.join()
    answering.end()


if __name__ == "__main__":
    main()
