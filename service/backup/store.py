"""What a backup takes out of the store key by key, and how a restore puts everything into an empty one."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Self

import msgspec

from events.log.recorded import RecordedEvent
from events.store.event_store import EventStore, Installation
from events.store.redis.archiving import RedisArchiving
from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.opening import connect
from events.store.redis.functions import StoreFunctions
from events.store.redis.installation import mark_finished, mark_unfinished
from events.store.redis.keys import INSTALLATION, GameKeys, feed_head_key, feed_key, projection_key
from events.store.redis.redis_store import RedisEventStore, require_redis
from events.store.remembered_commands import pack_commands
from events.store.tombstone import Tombstone
from service.backup.files import BackupUnusable, FeedLine, GameLine, KeyLine
from service.storage.checkpoints import CHECKPOINT
from service.storage.durability import check_server
from service.storage.scanning import scan
from service.storage.settings import StoreSettings
from service.storage.store import Store
from service.verification.store import LEAVES, LOG, LOG_PARTITION, PLACES, UNLISTED

COMPUTED_AGAIN: Final = r"(games|bots|clocks)-[^:]*|validations-\d+:(valid|invalid|listed)"
"""The projections that the processes compute again from the feeds, in every version and generation of theirs."""
_IN_A_PARTITION: Final = (
    # What is said about a game, and its cases, are no part of it, and copied as they are; indexes are made again.
    r"game:(?![^:]*:(annotations|disputes|evidence)$).*|disputes:.*|tournaments:.*|feed|feed:head|quarantine|quarantine:accepted"
    # What is known of the time before a backup is kept with it; that a stop was planned then is of no use later.
    rf"|acknowledged|stopping|projection:({COMPUTED_AGAIN}|{LOG})(:.*)?"
)
LEFT_OUT: Final = re.compile(rf"rq:.*|\{{ratings\}}:.*|\{{p\d\d\}}:({_IN_A_PARTITION})|{INSTALLATION}")
"""Keys that are copied in another way, computed again, or only hints."""
_STAYS: Final = -1
"""What the server calls the time to live of a key that does not expire."""


_AT_ONCE: Final = 1000
_ADDING: Final = {"string": "SET", "hash": "HSET", "list": "RPUSH", "set": "SADD", "zset": "ZADD"}


def kept_keys(store: EventStore) -> Iterator[KeyLine]:
    """All keys that are neither left out nor expire, each in one or more lines."""
    connection = require_redis(store).connection
    names = {name.decode() for each in connection.servers() for found in scan(each, "SCAN") for name in found}
    for name in sorted(names):
        if LEFT_OUT.fullmatch(name) is None and connection.command("PTTL", name) == _STAYS:
            yield from _key_lines(connection, name)


def game_keys(store: EventStore, game: str) -> Iterator[KeyLine]:
    """The keys of a game as they are, each in one or more lines."""
    keys = GameKeys(game, store.partitions)
    for name in (keys.log, keys.head, keys.commands, keys.private):
        yield from _key_lines(require_redis(store).connection, name)


def _key_lines(connection: RedisConnection, name: str) -> Iterator[KeyLine]:
    """A key as it is, in pieces where it is large; nothing for one that is not there any more.

    Raises:
        BackupUnusable: it is of a kind that no backup knows.
    """
    command = connection.command
    kind: str = command("TYPE", name).decode()
    match kind:
        case "none":
            return
        case "string":
            yield from (KeyLine(name, kind, [each]) for each in [command("GET", name)] if each is not None)
        case "hash":
            yield from (KeyLine(name, kind, found) for found in scan(connection, "HSCAN", name))
        case "set":
            yield from (KeyLine(name, kind, sorted(found)) for found in scan(connection, "SSCAN", name))
        case "list":
            yield KeyLine(name, kind, command("LRANGE", name, 0, -1))
        case "zset":
            for found in scan(connection, "ZSCAN", name):
                swapped = zip(found[1::2], found[::2], strict=True)
                yield KeyLine(name, kind, [each for pair in swapped for each in pair])
        case "stream":
            entries = [(each[0], each[1]) for each in command("XRANGE", name, "-", "+")]
            yield KeyLine(name, kind, [], entries)
        case _:
            raise BackupUnusable(f"The key {name} is of the kind {kind}, which no backup knows.")


class EmptyStore:
    """A store into which a backup is put; every method may raise what a store raises."""

    def __init__(self, connection: RedisConnection) -> None:
        """Put it into the store behind this connection."""
        self._connection = connection
        self._command = connection.command
        self._leaves = 0

    @classmethod
    def open(cls, settings: StoreSettings) -> Self:
        """Open the configured store.

        Raises:
            StoreMisconfigured: its settings are weaker than what is declared.
        """
        connection = connect(settings.address())
        check_server(connection, settings.durability, trust=settings.trust_durability)
        return cls(connection)

    def close(self) -> None:
        """Close all connections."""
        self._connection.close()

    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return not self._command("DBSIZE")

    def begin(self, installation: Installation) -> None:
        """Write as this installation; no process works with the store until `finish`."""
        mark_unfinished(self._connection, installation)
        self._installation = installation
        functions = StoreFunctions(self._connection)
        self._archiving = RedisArchiving(self._connection, functions, installation.partitions, None)

    def opened(self) -> Store:
        """The store as it is by now, with what is kept beside the log."""
        return RedisEventStore(self._connection, installation=self._installation)

    def finish(self) -> None:
        """Let processes work with the store."""
        mark_finished(self._connection, self._installation)

    def put_key(self, line: KeyLine) -> None:
        """Put a key, or a piece of it, as it was."""
        for start in range(0, len(line.values), _AT_ONCE):
            # Pairs stay together.
            self._command(_ADDING[line.kind], line.name, *line.values[start : start + _AT_ONCE])
        for entry_id, fields in line.entries:
            self._command("XADD", line.name, entry_id, *fields)

    def has_list(self, line: KeyLine) -> bool:
        """Whether the store has exactly so many elements in a list."""
        return bool(self._command("LLEN", line.name) == len(line.values))

    def put_leaf(self, game: str, text: str, *, unlisted: bool) -> None:
        """Put the next leaf of the transparency log."""
        self._command("HSET", _log_key(LEAVES), self._leaves, text)
        self._command("HSET", _log_key(PLACES), game, self._leaves)
        if unlisted:
            self._command("SADD", _log_key(UNLISTED), self._leaves)
        self._leaves += 1

    def put_feed(self, line: FeedLine) -> None:
        """Put an entry of a feed."""
        told = ("g", line.game, "f", line.first, "l", line.last, "h", line.hash)
        self._command("XADD", feed_key(line.partition), f"{line.position}-0", *told)

    def end_feeds(self, ends: Sequence[int]) -> None:
        """Set where the feeds and the transparency log end."""
        self._command("SET", _log_key(CHECKPOINT), self._leaves)
        for partition, end in enumerate(ends):
            if end:
                self._command("SET", feed_head_key(partition), end)

    def put_game(self, game: GameLine, entries: Sequence[RecordedEvent]) -> None:
        """Put a game, in one step: as an archived one, and one with entries is taken out again."""
        keys = GameKeys(game.game, self._installation.partitions)
        for name, text in game.private.items():
            self._command("HSET", keys.private, name, text)
        tombstone = game.tombstone or Tombstone(
            game=game.game, version=game.version, hash=game.hash, file="", sha256="", size=0, at=0
        )
        fields = ("version", game.version, "hash", game.hash, "archive", msgspec.json.encode(tombstone))
        self._command("HSET", keys.head, *fields, "commands", pack_commands(game.commands))
        if game.tombstone is None:
            self._archiving.restore(tombstone, entries)


def _log_key(part: str) -> str:
    return projection_key(LOG_PARTITION, LOG, part)
