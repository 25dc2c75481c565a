"""What must hold in the store itself: each command once, each version once, each feed without a gap."""

from collections.abc import Iterator, Sequence

import msgspec

from events.store.errors import StoreDamaged
from events.store.event_store import FeedEntry
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from events.store.remembered_commands import RememberedAnswer
from tests.faults.ledger import Acknowledged, Refused, command_id

AT_ONCE = 1000
"""Feed entries read at once."""


def games_in(store: RedisEventStore, partition: int) -> dict[str, int]:
    """The games that a feed tells of, and the version of each."""
    return {entry.game_id: entry.last_version for entry in _feed(store, partition)}


def feed_findings(store: RedisEventStore, partition: int) -> Iterator[str]:
    """Positions without a gap, and each game's versions told once and in order."""
    told: dict[str, int] = {}
    for position, entry in enumerate(_feed(store, partition), start=1):
        if entry.position != position:
            yield f"the feed of partition {partition} goes from {position - 1} to {entry.position}"
            return
        if entry.first_version != told.get(entry.game_id, 0) + 1:
            yield f"the feed tells of version {entry.first_version} of {entry.game_id} out of turn"
        told[entry.game_id] = entry.last_version


def stored_game_findings(
    store: RedisEventStore,
    game: str,
    version: int,
    acknowledged: Sequence[Acknowledged],
    refused: Sequence[Refused],
) -> Iterator[str]:
    """Every acknowledged command is remembered as answered, no refused one is, and all of them make the log."""
    remembered = _commands(store, game)
    for yes in acknowledged:
        found = remembered.get(command_id(yes.asked))
        if found is None:
            yield f"game {game}: the acknowledged command {command_id(yes.asked)} is lost"
        elif (found.last_version, found.head_hash) != (yes.version, yes.hash):
            yield f"game {game}: {command_id(yes.asked)} was acknowledged otherwise than it is kept"
        elif found.last_version - found.first_version + 1 != yes.events:
            yield f"game {game}: {command_id(yes.asked)} was acknowledged with {yes.events} events"
    for no in refused:
        if command_id(no.asked) in remembered:
            yield f"game {game}: {command_id(no.asked)} was refused, and it is in the log"
    yield from _double_or_missing(game, version, list(remembered.values()))
    try:
        if len(store.read(game)) != version:
            yield f"game {game}: the stream does not end where the feed says"
    except StoreDamaged as damaged:
        yield f"game {game}: the stream cannot be read: {damaged}"
    head = store.head(game)
    if head is None or head.version != version:
        yield f"game {game}: head and feed do not agree"


def _double_or_missing(game: str, version: int, commands: list[RememberedAnswer]) -> Iterator[str]:
    """The commands' events are the log's: every version belongs to exactly one command."""
    expected = 1
    for each in sorted(commands, key=lambda one: one.first_version):
        if each.first_version != expected:
            yield f"game {game}: version {expected} belongs to no command, or to two"
            return
        expected = each.last_version + 1
    if expected != version + 1:
        yield f"game {game}: the commands end at version {expected - 1}, the log at {version}"


def _commands(store: RedisEventStore, game: str) -> dict[str, RememberedAnswer]:
    found = store.connection.command("HGETALL", GameKeys(game, store.partitions).commands)
    pairs = zip(found[::2], found[1::2], strict=True)
    return {name.decode(): msgspec.json.decode(answer, type=RememberedAnswer) for name, answer in pairs}


def _feed(store: RedisEventStore, partition: int) -> Iterator[FeedEntry]:
    position = 0
    while entries := store.read_feed(partition, position, AT_ONCE):
        yield from entries
        position = entries[-1].position
