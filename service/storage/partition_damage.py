"""What is damaged in a partition: its games' heads against their logs, its feed against both and what was seen of it.

Each partition's feed names its games. It is read in stretches, and each stretch's games are compared on the server,
so memory stays bounded whatever the store holds, and a game that is gone altogether is found too.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from events.store.event_store import EventStore, FeedEntry
from events.store.redis.client.pool import Argument
from events.store.redis.keys import GameKeys, feed_head_key, feed_key
from events.store.redis.redis_store import require_redis

STRETCH: Final = 2000
"""Feed entries that the server looks through in one call."""
AT_ONCE: Final = 200
"""Games that the server compares in one call."""
MOST_NAMED: Final = 10
"""Damaged games that a sentence names."""


class DamagedGame(NamedTuple):
    """A game that does not hold together."""

    game: str
    what: str


def find_damage(store: EventStore, partition: int) -> str | None:
    """Say what is damaged in a partition; None when it holds together.

    Raises:
        StoreError
    """
    position = 0
    found: dict[str, str] = {}
    while True:
        keys = (feed_key(partition), feed_head_key(partition))
        match require_redis(store).functions.call("told", keys, (position, STRETCH)):
            case [b"damaged", what]:
                return f"{what.decode()}."
            case [_, last, *told]:
                if last == position:
                    break
                position = last
                found.update(_find_damaged(store, told))
    if not found:
        return None
    named = [f"game {game}: {what}" for game, what in list(found.items())[:MOST_NAMED]]
    more = [f"and {len(found) - MOST_NAMED} more games"] if len(found) > MOST_NAMED else []
    return "; ".join(named + more) + "."


def _find_damaged(store: EventStore, told: list[bytes]) -> Iterator[DamagedGame]:
    """The damaged ones of games that a feed tells of: id, version and chain hash in turn."""
    games = list(zip(told[::3], told[1::3], told[2::3], strict=True))
    for start in range(0, len(games), AT_ONCE):
        chunk = games[start : start + AT_ONCE]
        keys: list[str] = []
        arguments: list[Argument] = []
        for game, version, chain_hash in chunk:
            of_game = GameKeys(game.decode(), store.partitions)
            keys += (of_game.log, of_game.head)
            arguments += (version, chain_hash)
        wrong = require_redis(store).functions.call("compare", keys, arguments)
        for number, what in zip(wrong[::2], wrong[1::2], strict=True):
            yield DamagedGame(chunk[number - 1][0].decode(), what.decode())


def find_loss(store: EventStore, partition: int, seen: tuple[FeedEntry, ...]) -> str | None:
    """Say what a partition's feed has lost of the entries that were seen last, in order; None when nothing.

    Raises:
        StoreError
    """
    if not seen:
        return None
    first, last = seen[0].position, seen[-1].position
    there = {entry.position: entry for entry in store.read_feed(partition, first - 1, last - first + 1)}
    missing = [entry for entry in seen if there.get(entry.position) != entry]
    if not missing:
        return None
    since = missing[0].position
    games = dict.fromkeys(entry.game_id for entry in missing)
    named = ", ".join(f"{game} (it was at version {_version(missing, game)})" for game in games)
    least = "" if since > first or first == 1 else "at least "
    appends = "1 append" if len(missing) == 1 else f"{len(missing)} appends"
    end = store.feed_end(partition)
    return (
        f"the store has lost {least}{appends} that it had acknowledged, from position"
        f" {since} of the feed on: the feed had come to position {last} and is at {end}. Games concerned,"
        f" as far as is known: {named}."
    )


def _version(entries: list[FeedEntry], game: str) -> int:
    return max(entry.last_version for entry in entries if entry.game_id == game)
