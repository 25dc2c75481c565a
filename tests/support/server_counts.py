"""What a store's server was asked, by its own count: every command, also those of the functions that it runs."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from events.store.redis.redis_store import RedisEventStore

_LINE: Final = re.compile(r"^cmdstat_([^:]+):calls=(\d+)", re.MULTILINE)
_OWN: Final = ("info", "config|resetstat")
READING: Final = "xrange"
"""The command that reads entries of a game's log, or of a feed."""
ADDING: Final = "xadd"
"""The command that adds an entry to a game's log or to a feed."""


def count_commands(store: RedisEventStore, act: Callable[[], object]) -> Counter[str]:
    """How often the server has carried out which command while this was done; nobody else may use it meanwhile."""
    store.connection.command("CONFIG", "RESETSTAT")
    act()
    told = store.connection.command("INFO", "commandstats").decode()
    return Counter({name: int(calls) for name, calls in _LINE.findall(told) if name not in _OWN})
