"""`events.store.quarantine.Quarantine` on Redis or Valkey: one key in each quarantined partition's slot."""

from events.store.redis.client.connection import RedisConnection
from events.store.redis.keys import accepted_key, quarantine_key


class RedisQuarantine:
    """The quarantined partitions of one store; every method may raise what a store raises."""

    def __init__(self, connection: RedisConnection, partitions: int) -> None:
        """Keep the reasons on the store's own server."""
        self._connection = connection
        self._partitions = partitions

    def reasons(self) -> dict[int, str]:
        """Return every quarantined partition with its reason; one that does not answer counts as none.

        Nothing is appended to that either.
        """
        asked = [("GET", quarantine_key(partition)) for partition in range(self._partitions)]
        reasons = self._connection.answered_commands(asked)
        return {partition: reason.decode() for partition, reason in enumerate(reasons) if reason is not None}

    def put(self, partition: int, reason: str) -> None:
        """Take no appends to a partition from now on; a reason that stands already is replaced."""
        self._connection.command("SET", quarantine_key(partition), reason)

    def release(self, partition: int, accepted: str = "") -> None:
        """Take appends again; `accepted` is the damage that is not to be a reason any more."""
        self._connection.command("SET", accepted_key(partition), accepted)
        self._connection.command("DEL", quarantine_key(partition))

    def accepted(self, partition: int) -> str:
        """Return the damage that was accepted when the partition was released last; empty when there was none."""
        accepted = self._connection.command("GET", accepted_key(partition)) or b""
        text: str = accepted.decode()
        return text

    def was_released(self, partition: int) -> bool:
        """Say whether the partition was ever released: from then on its games may have gone another way."""
        return bool(self._connection.command("EXISTS", accepted_key(partition)))
