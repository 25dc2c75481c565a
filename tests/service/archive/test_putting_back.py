"""Games that are put back from the archive, and replies of the store that get lost on the way."""

from typing import Any

import pytest

from events.store.redis.client.connection import RedisConnection
from events.store.redis.client.pool import Argument
from events.store.redis.redis_store import RedisEventStore
from service.archive.archiving import Archiving, NotArchived
from tests.support.archiving import NOW, Installation
from tests.support.lossy_proxy import LossyProxy

HOUR = 3600


def test_a_restored_game_is_as_it_was(installation: Installation) -> None:
    """Stream, head and commands are back, and the game can be archived again."""
    game = installation.finished()
    commands = installation.store.archiving.commands(game.id)
    tag = f"{{p{installation.store.partition_of(game.id):02}}}:game:{game.id}"
    stored = installation.store.connection.command("XRANGE", f"{tag}:log", "-", "+")
    installation.archiving.archive(game.id, NOW)

    assert installation.archiving.restore(game.id, NOW).what == "restored"

    assert installation.store.connection.command("XRANGE", f"{tag}:log", "-", "+") == stored
    assert installation.store.archiving.tombstone(game.id) is None
    assert installation.store.archiving.commands(game.id) == commands
    assert installation.store.idempotency_record(game.id, "test") is not None
    with pytest.raises(NotArchived, match="not archived"):
        installation.archiving.restore(game.id, NOW)
    assert installation.archiving.archive(game.id, NOW).what == "archived"


def test_a_game_that_was_put_back_is_left_alone_for_as_long_again(in_folder: Installation) -> None:
    """Whoever puts a game back has a reason: the scheduled run does not move it away within the hour."""
    game = in_folder.archived()
    in_folder.archiving.restore(game.id, NOW)

    assert in_folder.due(NOW + HOUR * 1000 - 1, HOUR) == []
    assert in_folder.due(NOW + HOUR * 1000, HOUR) == [game.id]
    in_folder.archiving.archive(game.id, NOW)
    assert in_folder.store.archiving.restored_at(game.id) == 0


@pytest.mark.parametrize("function", ["archive", "restore"])
def test_a_lost_reply_of_the_store_changes_nothing(in_folder: Installation, function: str) -> None:
    """The step was made, its answer was lost and it is asked for again: that is no error, and it is made once."""
    game = in_folder.finished() if function == "archive" else in_folder.archived()
    with LossyProxy(in_folder.url) as proxy:
        through = RedisEventStore(Losing(proxy, function), archived=in_folder.files)
        archiving = Archiving(through, in_folder.target)
        outcome = (
            archiving.archive(game.id, NOW) if function == "archive" else archiving.restore(game.id, NOW)
        )
        assert proxy.lost == 1
        through.close()

    assert outcome.what == {"archive": "archived", "restore": "restored"}[function]
    in_folder.forget()
    assert in_folder.store.read(game.id) == game.recorded.log
    assert in_folder.stream_is_there(game.id) == (function == "restore")
    assert in_folder.store.idempotency_record(game.id, "test") is not None


class Losing(RedisConnection):
    """A connection through a proxy that loses the first reply of one of the store's functions."""

    def __init__(self, proxy: LossyProxy, function: str) -> None:
        """Lose the reply of the function with this name."""
        self._proxy, self._function = proxy, function
        super().__init__(proxy.url)

    def command(self, *arguments: Argument, repeat: bool = False) -> Any:
        """Send a command, whose reply may get lost."""
        if arguments[0] == "FCALL" and str(arguments[1]).endswith(self._function) and not self._proxy.lost:
            self._proxy.lose_next_reply()
        return super().command(*arguments, repeat=repeat)
