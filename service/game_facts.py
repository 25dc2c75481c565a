"""What the cases of a game have to know about it, from its log."""

from typing import Protocol

from events.disputes.commands import Command, GiveRuling, OpenDispute
from events.disputes.facts import FINISHED, GameFacts, Moment, Result, Seen
from events.disputes.state import REWOUND
from events.redis_store import RedisEventStore
from service.admission import Admissions
from service.tables import Sitting, Tables


class Course(Protocol):
    """What of a game counts, after all that was rewound."""

    def counts(self, sitting: Sitting, version: int) -> bool:
        """Whether a version of the log is part of what counts at the sitting's version."""

    def seen(self, sitting: Sitting, to_version: int) -> tuple[Seen, ...]:
        """The hidden cards that were turned up after a version, and would be known if the game went back to it."""


class Facts:
    """Gathers the facts about games. Every method may raise what a store raises."""

    def __init__(self, store: RedisEventStore, tables: Tables, course: Course | None = None) -> None:
        """Read them from this store; without a course everything counts, and nothing is hidden."""
        self._store = store
        self._tables = tables
        self._course = course
        self._admissions = Admissions(store)

    def of(self, sitting: Sitting, command: Command | None = None) -> GameFacts:
        """The facts about a game at its newest version, with those that a command asks for."""
        table = sitting.table
        state, game = table.state, table.game
        ended = None
        if state.status == FINISHED:
            ended = self._store.read(game, table.version - 1, 1)[0].at
        moments, seen = self._moments(sitting, command)
        return GameFacts(
            game=game,
            seats=len(state.seats),
            persons=tuple(seat for seat, player in enumerate(state.seats) if player.kind == "human"),
            creator=self._admissions.house(game).creator,
            version=table.version,
            hash=table.hash,
            status=state.status,
            ended=ended,
            archived=self._store.archiving.tombstone(game) is not None,
            moments=moments,
            result=Result(state.result.winners, state.result.scores) if state.result is not None else None,
            seen=seen,
        )

    def _moments(
        self, sitting: Sitting, command: Command | None
    ) -> tuple[tuple[Moment, ...], tuple[Seen, ...]]:
        head = sitting.table.version
        match command:
            case OpenDispute(version=version) if 1 <= version <= head:
                return (Moment(version, self._hash_at(sitting, version)),), ()
            case GiveRuling(kind=kind, to_version=int(version)) if kind == REWOUND and 1 <= version < head:
                counts = self._course is None or self._course.counts(sitting, version)
                stops = self._tables.earlier(sitting)(version) is not None
                moment = Moment(version, self._hash_at(sitting, version), counts, stops)
                seen = self._course.seen(sitting, version) if self._course is not None and counts else ()
                return (moment,), seen
        return (), ()

    def _hash_at(self, sitting: Sitting, version: int) -> str:
        if version == sitting.table.version:
            return sitting.table.hash
        return self._store.read(sitting.table.game, version - 1, 1)[0].hash
