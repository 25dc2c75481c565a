"""What the cases of a game have to know about it, from its log."""

from events.disputes.commands import Command, GiveRuling, OpenDispute
from events.disputes.facts import FINISHED, GameFacts, Result, SeenSince, VersionFacts
from events.disputes.state import REWOUND
from events.rules.table.absence import PEOPLE
from events.rules.table.seen import find_seen
from service.access.game_access import GameAccess
from service.play.tables import LoadedGame, Tables
from service.storage.store import Store


class Facts:
    """Gathers the facts about games. Every method may raise what a store raises."""

    def __init__(self, store: Store, tables: Tables) -> None:
        """Read them from this store, whose tables these are."""
        self._store = store
        self._tables = tables
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
            persons=tuple(
                seat for seat, player in enumerate(state.seats) if (player.away or player.kind) in PEOPLE
            ),
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
        """What is to be known of the version that a command names, and what was seen since then."""
        game, head = loaded.table.game, loaded.table.version
        match command:
            case OpenDispute(version=version) if 1 <= version <= head:
                return (VersionFacts(version, self._store.read(game, version - 1, 1)[0].hash),), ()
            case GiveRuling(kind=kind, to_version=int(version)) if kind == REWOUND and 1 <= version < head:
                counts = loaded.table.log.counts(version)
                hash_then = self._store.read(game, version - 1, 1)[0].hash
                earlier = self._tables.earlier(loaded)(version)
                seen = find_seen(earlier, loaded.table.state) if counts and earlier is not None else ()
                return (
                    (VersionFacts(version, hash_then, counts, earlier is not None),),
                    tuple(SeenSince(each.what, len(each.cards), each.seat) for each in seen),
                )
        return (), ()
