"""A store that comes back older than it was: as after a failover, or with the end of its file cut off."""

from events.redis_connection import RedisConnection


class Moment:
    """Everything that a server holds at one moment; `return_to` makes it hold exactly that again."""

    def __init__(self, connection: RedisConnection) -> None:
        """Keep every key with its whole content."""
        self._connection = connection
        self._content = {key: connection.command("DUMP", key) for key in connection.command("KEYS", "*")}

    def return_to(self) -> None:
        """Lose everything that was written since."""
        self._connection.command("FLUSHALL")
        for key, content in self._content.items():
            self._connection.command("RESTORE", key, 0, content)
