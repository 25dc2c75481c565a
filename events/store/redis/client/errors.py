"""From what redis-py raises to what a store raises: one table, in words that say what to do."""

from typing import TYPE_CHECKING, Final

import redis

from events.store.errors import StoreDamaged, StoreError, StoreRefused, StoreUnavailable
from events.store.redis.client.pool import NotSent

if TYPE_CHECKING:
    from events.store.redis.client.connection import RedisConnection

PASSING: Final = (
    "LOADING",
    "BUSY",
    "TRYAGAIN",
    "CLUSTERDOWN",
    "MASTERDOWN",
    "NOREPLICAS",
    "READONLY",
    "UNBLOCKED",
)
"""First words of errors that end by themselves: starting, a slow script, a failover, a replica away."""

REFUSALS: Final = {
    "OOM": "The store is out of memory. Raise its maxmemory, or archive finished games.",
    "MISCONF": "The store cannot write to its disk. Free some space there and look at the server's log.",
    "NOPERM": "The store's user may not run a command the log needs. Extend its ACL.",
    "NOAUTH": "The store wants a password. Put it into REDIS_URL.",
    "WRONGPASS": "The store does not accept the password in REDIS_URL.",
    "MOVED": "This is one node of a cluster, and the key lives on another. Correct REDIS_URL.",
}
"""First words of errors that stay until someone acts, and what to do."""


class ReplyLost(StoreUnavailable):
    """A command was sent and has no reply: it may have been executed."""


class FunctionMissing(StoreRefused):
    """The server does not know our function; nothing was executed, so loading it and asking again is safe."""

    server: "RedisConnection | None" = None
    """The one of a cluster's servers that lacks it."""


class Redirected(StoreRefused):
    """A node of a cluster says that another one has the key; nothing was executed.

    `host` may be empty: then it is the host that answered. With `asking` it holds for this command alone, because
    the slot is on its way: the other node takes the command only right after ASKING.
    """

    def __init__(self, text: str, host: str, port: int, *, asking: bool) -> None:
        """Name where the key is."""
        super().__init__(f"{REFUSALS['MOVED']} ({text})")
        self.host = host
        self.port = port
        self.asking = asking


def translate(error: redis.RedisError | OSError) -> StoreError:
    """The child of `StoreError` for what redis-py has raised."""
    match error:
        case NotSent(__cause__=redis.AuthenticationError() as refusal):
            return _from_reply(refusal)
        case redis.AuthenticationError():
            return _from_reply(error)
        case redis.InvalidResponse():
            return StoreRefused(
                f"What answers at the store's address is neither Redis nor Valkey ({error}). Check REDIS_URL."
            )
        case NotSent() | redis.BusyLoadingError():
            return StoreUnavailable(f"The store cannot be reached ({error}). Try again.")
        case redis.ConnectionError() | redis.TimeoutError() | OSError():
            return ReplyLost(f"The store cannot be reached or does not answer in time ({error}). Try again.")
        case _:
            return _from_reply(error)


def _from_reply(error: redis.RedisError) -> StoreError:
    """Return the error for a reply of the server, from its code: the first word it sent."""
    text = str(error)
    # redis-py cuts the code off the errors it knows and keeps it apart.
    code = getattr(error, "status_code", None) or text.partition(" ")[0]
    if "unction not found" in text:
        return FunctionMissing(text)
    if isinstance(error, redis.exceptions.AskError):
        asking = not isinstance(error, redis.exceptions.MovedError)
        return Redirected(text, error.host, error.port, asking=asking)
    if code in PASSING or "failover in progress" in text:
        return StoreUnavailable(f"The store cannot do this for now ({code}: {text}). Try again.")
    if code == "WRONGTYPE":
        return StoreDamaged(f"A key of the log is of another kind than it must be ({text}).")
    if code in REFUSALS:
        return StoreRefused(f"{REFUSALS[code]} ({text})")
    return StoreRefused(f"The store refused ({text}).")
