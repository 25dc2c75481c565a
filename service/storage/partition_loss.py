"""Whether a feed still holds what was seen of it, and what it has lost if it does not."""

from events.store.event_store import EventStore, FeedEntry


def what_was_lost(store: EventStore, partition: int, seen: tuple[FeedEntry, ...]) -> str | None:
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
