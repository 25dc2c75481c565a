"""Memory per event in the store, live and archived, beside what one would write without thinking about it."""

from collections.abc import Iterable

import msgspec

from events.log.recorded import RecordedEvent
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from service.archive.files import record_bytes, tombstone_of
from service.storage.levels import Durability
from service.verification.stored_record import read_stored_record
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import GAMES, PlayedGame, played_games
from tests.benchmarks.measuring import Side, compared
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.stores import measured_store, put_as_played


class Memory:
    """What the store itself says (MEMORY USAGE) of the streams of finished games, for each event."""

    name = "memory"
    about = "memory per event, live and archived, beside plain JSON in the same store"

    def __init__(self, games: int = GAMES) -> None:
        """Keep so many games."""
        self._games = games

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        games = played_games(self._games)
        events = sum(len(game.log) for game in games)
        with measured_store(Durability.MEMORY) as store:
            for game in games:
                put_as_played(store, game.table, game.log)
                _put_plain(store, game)
            plain = Side(
                "plain JSON, one field per stream entry",
                lambda: sum(_used(store, _plain_key(game)) for game in games) / events,
            )
            live = sum(_all_used(store, game) for game in games) / events
            yield compared(
                f"{self.name}/live",
                "bytes/event",
                goal=Goal(at_most=0.8),
                ours=Side(
                    "log", lambda: sum(_used(store, _keys(store, game).log) for game in games) / events
                ),
                beside=plain,
                rounds=rounds,
                notes=(
                    (
                        "both hold the same: event, command, actor, time, both hashes. With a game's head, its secret"
                        f" and the answers that are remembered of every command it is {live:.0f} bytes."
                    ),
                ),
            )
            files = sum(_archive(store, game) for game in games) / events
            yield compared(
                f"{self.name}/archived",
                "bytes/event",
                goal=Goal(at_most=0.25),
                ours=Side(
                    "all that stays in the store", lambda: sum(_all_used(store, g) for g in games) / events
                ),
                beside=plain,
                rounds=rounds,
                notes=(
                    f"the games' record files take {files:.0f} bytes an event on disk or in an object store.",
                ),
            )


def _plain_key(game: PlayedGame) -> str:
    return f"plain:{game.table.game}"


def _plain(entry: RecordedEvent) -> bytes:
    """An entry as one JSON object with the names that its members have in a record."""
    written = msgspec.structs.asdict(entry)
    written["data"] = msgspec.Raw(entry.data)
    written["command"] = msgspec.Raw(entry.command or b"null")
    return msgspec.json.encode(written)


def _put_plain(store: RedisEventStore, game: PlayedGame) -> None:
    for entry in game.log:
        store.connection.command("XADD", _plain_key(game), f"{entry.version}-0", "event", _plain(entry))


def _keys(store: RedisEventStore, game: PlayedGame) -> GameKeys:
    return GameKeys(game.table.game, store.partitions)


def _used(store: RedisEventStore, key: str) -> int:
    """Bytes that a key takes, all of its entries counted."""
    return int(store.connection.command("MEMORY", "USAGE", key, "SAMPLES", 0) or 0)


def _all_used(store: RedisEventStore, game: PlayedGame) -> int:
    """Bytes of everything that the store keeps of one game; its partition's feed is not of one game."""
    keys = _keys(store, game)
    return sum(_used(store, key) for key in (keys.log, keys.head, keys.commands, keys.private))


def _archive(store: RedisEventStore, game: PlayedGame) -> int:
    """Archive a game as `fieldbook archive` does, and return the size of its file; nothing is written to disk."""
    content = record_bytes(*read_stored_record(store, game.table.game, len(game.log)))
    tombstone = tombstone_of(game.table.game, game.log, content, 1)
    store.archiving.archive(tombstone, store.archiving.commands(game.table.game))
    return len(content)
