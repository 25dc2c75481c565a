"""Carrying out a plan: many lanes in one thread, each of which sends a command when the one before it is answered.

A lane is a game at a time, since a game's commands build on one another, and has a connection for each seat, since
players do not share one. Where the plan has a rate, each command is due at a moment of its own, and its time counts
from there: a server that is slow for a while cannot hide it by being asked less (coordinated omission).
"""

import heapq
import selectors
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from itertools import chain, cycle

from tests.benchmarks.chosen import PLAYERS, ChosenGame, Step
from tests.benchmarks.load.connection import Connection
from tests.benchmarks.load.plan import Found, Plan

PATIENCE_SECONDS = 30.0
"""An answer that takes longer than this is not waited for."""


class Lane:
    """One game after the other; `due` is when its next command is to be sent, `interval` the time between two."""

    def __init__(self, port: int, steps: Iterator[Step], due: float, interval: float) -> None:
        """Connect its players."""
        self.connections = [Connection(port) for _ in range(PLAYERS)]
        self.asked: Connection | None = None
        """Where the last command was sent."""
        self.due = due
        self._interval = interval
        self._steps = steps

    def send_next(self) -> bool:
        """Send the next command; False where there is none."""
        step = next(self._steps, None)
        if step is not None:
            self.asked = self.connections[step.seat]
            self.asked.send(step.request)
        return step is not None

    def answered(self, now: float) -> float:
        """How long the command took from when it was due; the next one gets its moment."""
        took = now - self.due
        self.due = self.due + self._interval if self._interval else now
        return took


def _steps(games: tuple[ChosenGame, ...], *, again: bool) -> Iterator[Step]:
    steps = chain.from_iterable(game.steps for game in games)
    return cycle(steps) if again else steps


@contextmanager
def playing(plan: Plan) -> Iterator[tuple[list[Lane], float]]:
    """The lanes of a plan, connected, and the moment at which they begin; they are closed when this is left."""
    interval = len(plan.lanes) / plan.rate if plan.rate else 0.0
    begun = time.perf_counter()
    lanes = [
        Lane(plan.port, _steps(games, again=plan.again), begun + interval * place / len(plan.lanes), interval)
        for place, games in enumerate(plan.lanes)
    ]
    try:
        yield lanes, begun
    finally:
        for lane in lanes:
            for connection in lane.connections:
                connection.close()


def carried_out(plan: Plan) -> Found:
    """Play until the plan's time is over or a lane has nothing more to send."""
    with playing(plan) as (lanes, begun):
        return Run(lanes, begun, plan).found()


class Run:
    """One run of all lanes."""

    def __init__(self, lanes: list[Lane], begun: float, plan: Plan) -> None:
        self._counts_from, self._ends = begun + plan.warm_up, begun + plan.warm_up + plan.seconds
        self._took: list[float] = []
        self._refused = 0
        self._sent = 0
        self._exhausted = False
        self._last = self._counts_from
        self._selector = selectors.DefaultSelector()
        for lane in lanes:
            for connection in lane.connections:
                self._watch(lane, connection)
        self._waiting = [(lane.due, place, lane) for place, lane in enumerate(lanes)]
        heapq.heapify(self._waiting)
        self._places = {id(lane): place for place, lane in enumerate(lanes)}

    def found(self) -> Found:
        """Play, and say what was seen."""
        used: float | None = None
        while (now := time.perf_counter()) < self._ends and not self._exhausted:
            if used is None and now >= self._counts_from:
                used = time.process_time()
            self._send_what_is_due(now)
            next_due = self._waiting[0][0] if self._waiting else self._ends
            self._read(min(max(next_due - time.perf_counter(), 0.0), 0.2))
        processor = 0.0 if used is None else time.process_time() - used
        seconds = max(min(time.perf_counter(), self._ends) - self._counts_from, 0.0)
        self._await_the_rest()
        return Found(
            counted=len(self._took),
            seconds=seconds,
            milliseconds=tuple(round(1000 * each, 3) for each in self._took),
            refused=self._refused,
            processor_seconds=processor,
            exhausted=self._exhausted,
        )

    def _send_what_is_due(self, now: float) -> None:
        while self._waiting and self._waiting[0][0] <= now:
            _, _, lane = heapq.heappop(self._waiting)
            self._send(lane)

    def _send(self, lane: Lane) -> None:
        if lane.send_next():
            self._sent += 1
        else:
            self._exhausted = True

    def _watch(self, lane: Lane, connection: Connection) -> None:
        self._selector.register(connection, selectors.EVENT_READ, (lane, connection))

    def _read(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            self._hear(*key.data)

    def _hear(self, lane: Lane, connection: Connection) -> None:
        status = connection.answer()
        if status is None:
            return
        self._sent -= 1
        self._note(lane, connection, status)
        if connection.is_over:
            self._connect_anew(lane, connection)
        heapq.heappush(self._waiting, (lane.due, self._places[id(lane)], lane))

    def _note(self, lane: Lane, _connection: Connection, status: int) -> None:
        now = time.perf_counter()
        took = lane.answered(now)
        if status != HTTPStatus.OK:
            self._refused += 1
        elif self._counts_from <= now < self._ends:
            self._took.append(took)

    def _connect_anew(self, lane: Lane, connection: Connection) -> None:
        self._selector.unregister(connection)
        connection.connect_anew()
        self._watch(lane, connection)

    def _await_the_rest(self) -> None:
        """What was sent is still answered, so that the next round begins with a server that has nothing to do."""
        until = time.perf_counter() + PATIENCE_SECONDS
        while self._sent and time.perf_counter() < until:
            self._read(0.2)
