"""A load that goes on until the service is stopped, and knows what it was told by then.

A connection that ends is no fault then. A game goes on as long as its next command finds an open connection; what was
sent and never answered is not acknowledged, and nobody knows whether it was applied.
"""

import time
from http import HTTPStatus

import msgspec

from tests.benchmarks.load.connection import Connection
from tests.benchmarks.load.lanes import Lane, Run, playing
from tests.benchmarks.load.plan import Acknowledged, Found, Plan


def carried_out_until_stopped(plan: Plan) -> Found:
    """Play until nothing takes commands any more, or the plan's time is over."""
    with playing(plan) as (lanes, begun):
        run = _RunUntilStopped(lanes, begun, plan)
        return msgspec.structs.replace(run.found(), acknowledged=run.acknowledged())


class _RunUntilStopped(Run):
    """One run; each lane has one game."""

    def __init__(self, lanes: list[Lane], begun: float, plan: Plan) -> None:
        super().__init__(lanes, begun, plan)
        self._games = {id(lane): games[0].game for lane, games in zip(lanes, plan.lanes, strict=True)}
        self._last_answers: dict[int, bytes] = {}
        self._refused_for_now: set[int] = set()

    def acknowledged(self) -> dict[str, Acknowledged]:
        """Where each game stood by the last answer to one of its commands."""
        return {
            self._games[lane]: msgspec.json.decode(body, type=Acknowledged)
            for lane, body in self._last_answers.items()
        }

    def _send(self, lane: Lane) -> None:
        try:
            if id(lane) not in self._refused_for_now:
                super()._send(lane)
        except OSError:
            lane.asked = None
        self._end_where_nobody_plays()

    def _hear(self, lane: Lane, connection: Connection) -> None:
        try:
            super()._hear(lane, connection)
        except OSError:
            self._selector.unregister(connection)
            connection.close()
            if lane.asked is connection:
                self._sent -= 1
        self._end_where_nobody_plays()

    def _note(self, lane: Lane, connection: Connection, status: int) -> None:
        lane.asked = None
        if status == HTTPStatus.OK:
            self._last_answers[id(lane)] = connection.body
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            # So it may answer whoever asks in its last moment. The commands to come build on this one.
            self._refused_for_now.add(id(lane))
        else:
            super()._note(lane, connection, status)

    def _connect_anew(self, lane: Lane, connection: Connection) -> None:
        try:
            super()._connect_anew(lane, connection)
        except OSError:
            connection.close()

    def _end_where_nobody_plays(self) -> None:
        if not self._waiting and not self._sent:
            self._ends = min(self._ends, time.perf_counter())
