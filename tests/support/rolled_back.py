"""A store that comes back older than it was: as after a failover, or with the end of its file cut off."""

from events.store.redis.client.connection import RedisConnection


class Moment:
    """What a server holds at one moment; `return_to` makes it hold exactly that again."""

    def __init__(self, connection: RedisConnection, pattern: str = "*") -> None:
        """Keep every key with its whole content, or those that match a pattern: one server of a cluster may fail."""
        self._connection = connection
        self._pattern = pattern
        self._content = {key: connection.command("DUMP", key) for key in connection.command("KEYS", pattern)}

    def return_to(self) -> None:
        """Lose everything that was written since, at once: no reader sees a part of it."""
        steps: list[tuple[str | int | bytes, ...]] = [("MULTI",)]
        if written := self._connection.command("KEYS", self._pattern):
            steps.append(("DEL", *written))
        steps += [("RESTORE", key, 0, content) for key, content in self._content.items()]
        self._connection.commands(*steps, ("EXEC",))
