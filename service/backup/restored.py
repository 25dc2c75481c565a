"""Verifying an installation that was restored: read from its store, and held against the backup's manifest."""

import msgspec

from events.game.dealing import log_salt_key
from events.log.stored_chain import ChainBroken, check_chain
from events.transparency.signed_note import parse_note
from service.access.game_access import SECRET
from service.backup.backing_up import digest_heads
from service.backup.files import Manifest
from service.storage.store import Store
from service.verification.signing_keys import SigningKeys
from service.verification.transparency_log import TransparencyLog

_CHUNK = 1000


class NotAsBackedUp(Exception):
    """What was restored is not what was backed up; the message says where."""


class Restored(msgspec.Struct, frozen=True):
    """What was verified."""

    games: int
    events: int
    archived: int


def verify_restored(store: Store, keys: SigningKeys, manifest: Manifest) -> Restored:
    """Verify every feed, every game's chain and head, and the transparency log.

    Raises:
        NotAsBackedUp, StoreError
    """
    heads: dict[str, str] = {}
    events = archived = 0
    for partition, end in enumerate(manifest.feeds):
        for game, version in _feed(store, partition, end).items():
            if game in manifest.damaged:
                continue
            head = store.head(game)
            if head is None or head.version != version:
                raise NotAsBackedUp(f"Game {game} is not at version {version}, which its feed tells of.")
            heads[game] = f"{game} {version} {head.hash}\n"
            if store.archiving.tombstone(game) is not None:
                archived += 1
            else:
                events += _chain(store, game, version, head.hash)
    if (len(heads), digest_heads(heads)) != (manifest.games, manifest.heads):
        raise NotAsBackedUp("The heads of all games together are not those of the backup.")
    expected = parse_note(manifest.checkpoint).text
    if parse_note(TransparencyLog(store, keys).checkpoint()).text != expected:
        raise NotAsBackedUp(
            f"The transparency log is not that of the backup, whose checkpoint is:\n{expected}"
        )
    return Restored(len(heads), events, archived)


def _feed(store: Store, partition: int, end: int) -> dict[str, int]:
    """The games of a feed without gaps up to its end, each with the last version that it tells of."""
    versions: dict[str, int] = {}
    position = 0
    while entries := store.read_feed(partition, position, _CHUNK):
        for entry in entries:
            position += 1
            if entry.position != position or entry.first_version != versions.get(entry.game_id, 0) + 1:
                raise NotAsBackedUp(f"The feed of partition {partition} has a gap at position {position}.")
            versions[entry.game_id] = entry.last_version
    if (position, store.feed_end(partition)) != (end, end):
        raise NotAsBackedUp(f"The feed of partition {partition} ends at {position}, not at {end}.")
    return versions


def _chain(store: Store, game: str, version: int, head: str) -> int:
    """Compute a game's hash chain again; returns the number of its entries."""
    entries = store.read(game)
    private = store.private(game)
    if (len(entries), entries[-1].hash) != (version, head):
        raise NotAsBackedUp(f"Game {game}: the entries do not end with the head.")
    if SECRET not in private:  # without it no salt can be computed, before the backup as after it
        return len(entries)
    try:
        check_chain(entries, log_salt_key(entries[0], private[SECRET]))
    except ChainBroken as broken:
        raise NotAsBackedUp(f"Game {game}: {broken}.") from broken
    return len(entries)
