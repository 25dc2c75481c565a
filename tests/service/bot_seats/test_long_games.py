"""No game of bots holds up another: of a long one only what is new is read, and each one gives way now and then."""

from dataclasses import replace

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.bot_seats import bot_players
from service.bot_seats.bot_memories import BotMemories
from service.bot_seats.bot_players import BotPlayers
from tests.service.in_process import InProcess
from tests.service.play.test_snapshots import CountingStore, stored
from tests.support.recorded_games import recorded_game

BOTS = [{"name": f"Rob {number}", "kind": "bot", "bot": "random"} for number in range(3)]


def test_of_a_long_game_a_bot_reads_only_what_is_new() -> None:
    """However long the log is: what its bots remember of it is followed, and not made anew."""
    game, store = recorded_game(5, 4, (), 12), CountingStore()
    _, table = stored(game, store)
    memories = BotMemories(store)
    memories.of(replace(table, version=table.version - 60))
    for version in range(table.version - 40, table.version + 1, 20):
        store.entries = 0
        assert memories.of(replace(table, version=version)).version == version
        assert store.entries == 20


def test_the_bots_of_each_game_give_way_after_some_commands(
    api: InProcess, store: RedisEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round goes through all games before any of them has its next turn."""
    monkeypatch.setattr(bot_players, "COMMANDS_AT_ONCE", 3)
    games = [api.create(BOTS)["game"] for _ in range(4)]
    begun = {game: len(store.read(game)) for game in games}
    players = BotPlayers(store)
    for partition in range(store.partitions):
        if entries := store.read_feed(partition):
            players.process_batch(partition, 0, entries)
    for turn in (1, 2):
        players.play()
        played = [
            sum(1 for each in store.read(game, begun[game]) if each.actor != "dealer" and each.command)
            for game in games
        ]
        assert played == [3 * turn] * len(games)
