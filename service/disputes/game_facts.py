"""What the cases of a game have to know about it, from its log."""

from typing import Protocol

from events.disputes.commands import Command, GiveRuling, OpenDispute
from events.disputes.facts import FINISHED, GameFacts, Result, SeenSince, VersionFacts
from events.disputes.state import REWOUND
from service.access.game_access import GameAccess
from service.play.tables import LoadedGame, Tables
from service.storage.store import Store


class RewindFacts(Protocol):
    """What of a game counts, after all that was rewound."""

    def counts(self, loaded: LoadedGame, version: int) -> bool:
        """Whether a version of the log is part of what counts at the loaded game's version."""

    def seen(self, loaded: LoadedGame, to_version: int) -> tuple[SeenSince, ...]:
        """The hidden cards that were turned up after a version, and would be known if the game went back to it."""


class Facts:
    """Gathers the facts about games. Every method may raise what a store raises."""

    def __init__(self, store: Store, tables: Tables, course: RewindFacts | None = None) -> None:
        """Read them from this store; without a course everything counts, and nothing is hidden."""
        self._store = store
        self._tables = tables
        self._course = course
        self._game_access = GameAccess(store)

    def of(self, loaded: LoadedGame, command: Command | None = None) -> GameFacts:
        """The facts about a game at its newest version, with those that a command asks for."""
        table = loaded.table
        state, game = table.state, table.game
        ended = None
        if state.status == FINISHED:
            ended = self._store.read(game, table.version - 1, 1)[0].at
        moments, seen = self._moments(loaded, command)
        return GameFacts(
            game=game,
            seats=len(state.seats),
            persons=tuple(seat for seat, player in enumerate(state.seats) if player.kind == "human"),
            creator=self._game_access.policy(game).creator,
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
        self, loaded: LoadedGame, command: Command | None
    ) -> tuple[tuple[VersionFacts, ...], tuple[SeenSince, ...]]:
        head = loaded.table.version
        match command:
            case OpenDispute(version=version) if 1 <= version <= head:
                return (VersionFacts(version, self._hash_at(loaded, version)),), ()
            case GiveRuling(kind=kind, to_version=int(version)) if kind == REWOUND and 1 <= version < head:
                counts = self._course is None or self._course.counts(loaded, version)
                stops = self._tables.earlier(loaded)(version) is not None
                moment = VersionFacts(version, self._hash_at(loaded, version), counts, stops)
                seen = self._course.seen(loaded, version) if self._course is not None and counts else ()
                return (moment,), seen
        return (), ()

    def _hash_at(self, loaded: LoadedGame, version: int) -> str:
        if version == loaded.table.version:
            return loaded.table.hash
        return self._store.read(loaded.table.game, version - 1, 1)[0].hash
