"""Fold: the table from its events, without asking the rules."""

from collections.abc import Iterable, Sequence

from events.domain_events import DomainEvent
from events.game.table import open_table
from events.log.codec import decode_event
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.evolving.evolve import fold
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import GAMES, PlayedGame, played_games
from tests.benchmarks.measuring import SECONDS, Side, compared, rate
from tests.benchmarks.peers.installed import Peers
from tests.support.memory_store import MemoryEventStore

_PUSH = (
    "a step is one change of the table: an event here, a move there; both are decoded beforehand and "
    "neither is checked. `push` changes its board in place and keeps a copy of what it was, to take it "
    "back; `evolve` leaves the table before as it is, so that every version stays there."
)
_GET = (
    "both read JSON from a store in memory, decode it and apply it to the state, without snapshots or a "
    "cache. Its aggregate is the tutorial's, whose events add one string to a list."
)


class Folding:
    """Decoded events evolved, beside `push`; a stored game read and opened, beside an aggregate that is got."""

    name = "fold"
    about = "fold per core, beside python-chess push and eventsourcing's repository.get"

    def __init__(self, games: int = GAMES, seconds: float = SECONDS) -> None:
        """Fold so many games, over and over, for so many seconds a round."""
        self._games = games
        self._seconds = seconds

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        games = played_games(self._games)
        yield self._beside_chess(games, rounds, peers)
        yield self._beside_eventsourcing(games, rounds, peers)

    def _beside_chess(self, games: Sequence[PlayedGame], rounds: int, peers: Peers) -> Comparison:
        logs = [tuple(map(decode_event, game.log)) for game in games]
        return compared(
            f"{self.name}/python-chess",
            "steps/s",
            goal=Goal(at_least=1.0),
            ours=Side("events evolved", lambda: rate(lambda: folded(logs), self._seconds)),
            beside=Side("python-chess push", lambda: peers.rate("python_chess", "push", self._seconds)),
            rounds=rounds,
            notes=(_PUSH,),
        )

    def _beside_eventsourcing(self, games: Sequence[PlayedGame], rounds: int, peers: Peers) -> Comparison:
        store = MemoryEventStore()
        for game in games:
            store.append(game.table.game, game.log, expected_version=0, command_id="all", fingerprint="all")
        events = sum(len(game.log) for game in games) // len(games)
        return compared(
            f"{self.name}/eventsourcing",
            "events/s",
            goal=Goal(at_least=5.0),
            ours=Side(
                "events of a stored game read, decoded, evolved",
                lambda: rate(lambda: opened(games, store), self._seconds),
            ),
            beside=Side(
                f"eventsourcing 9.5 repository.get, {events} events",
                lambda: peers.rate("event_sourcing", events, self._seconds),
            ),
            rounds=rounds,
            notes=(_GET,),
        )


def folded(logs: Sequence[Sequence[DomainEvent]]) -> int:
    """Fold these logs; returns how many events there are."""
    for events in logs:
        fold(events)
    return sum(map(len, logs))


def opened(games: Sequence[PlayedGame], store: MemoryEventStore) -> int:
    """Read and open these games, as the service does with one that it does not know; returns their events."""
    for game in games:
        open_table(store.read(game.table.game), game.table.secret, installed_catalogue)
    return sum(len(game.log) for game in games)
