"""How much memory the store takes for what it keeps."""

import re
from collections import Counter

from events.store.redis.redis_store import RedisEventStore

PASSING = re.compile(r"limits:|rq:|.*:presence:|fieldbook:ticket:")
"""Keys that expire, and those of the queue."""
GAME = re.compile(r":game:[a-z2-7]+:")


def kept_bytes(store: RedisEventStore) -> Counter[str]:
    """Bytes of what a store keeps, by the names of its keys without partition and game."""
    command = store.connection.command
    found: Counter[str] = Counter()
    for key in command("KEYS", "*"):
        if not PASSING.match(key.decode()):
            name = GAME.sub(":game:*:", re.sub(r"^\{p\d+\}", "", key.decode()))
            found[name] += int(command("MEMORY", "USAGE", key, "SAMPLES", 0) or 0)
    return found
