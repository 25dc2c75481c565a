"""The process that plays the bots' seats, through the same command path as everybody.

It follows the feeds: whenever a game has moved, its bots are asked until none of them acts. A partition's
checkpoint moves only when all its games are settled, so a killed process looks at them again; a command decided
twice is appended once, because its id names the version it was decided on. Games in which a bot gives people
time to answer are kept beside the checkpoint.
"""

import logging
import math
import signal
import sys
import time
from threading import Event

from events.bots.driver import next_bot_command
from events.redis_store import RedisEventStore
from events.rules.legal import waiting_for
from events.store_errors import (
    ArchiveUnavailable,
    CheckpointMoved,
    GameNotFound,
    PartitionQuarantined,
    StoreDamaged,
    StoreError,
)
from service.bot_memories import BotMemories
from service.checkpoints import Checkpoints, Write
from service.clock import now_milliseconds
from service.command_handling import CommandHandling, TooBusy
from service.configuration import setting
from service.deciding import Refused, Request, Stale
from service.heartbeats import Heartbeat
from service.parent_watch import end_with_parents
from service.process_logging import log_to_standard_error
from service.progress import BOTS
from service.rounds import gathered
from service.start_report import say_that_it_starts
from service.store_at_start import settings_at_start, store_at_start
from service.tables import Tables

PATIENCE_SECONDS = 20.0
"""How long an active bot waits for people to answer before it ends trading; FIELDBOOK_BOT_PATIENCE overrides."""
COMMANDS_AT_ONCE = 20
"""Commands played in one game before the next game has its turn."""
GATHER_SECONDS = 0.02
"""How long bots that have heard of something wait for more: people wait for them."""
COMPARISON_SECONDS = 1.0
"""How often the feeds' ends are compared with how far they were read: a store may come back older than it was."""
QUARANTINE_MILLISECONDS = 10_000
"""How often the bots look whether a quarantined partition was released."""
STOP_SECONDS = 10.0
"""How long the step under way may take when what this process belongs to is gone."""
_log = logging.getLogger("fieldbook.bots")


class BotPlayers:
    """Plays the bots of all games."""

    def __init__(self, store: RedisEventStore, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """Play in the games of this store."""
        self._store = store
        self._tables = Tables(store)
        self._heartbeat = Heartbeat(store.connection, "bots")
        self._handling = CommandHandling(store, self._tables, self._heartbeat)
        self._checkpoints = Checkpoints(store)
        self._patience = int(patience_seconds * 1000)
        self._memories = BotMemories(store)
        self._restless: dict[str, None] = {}
        """Games whose bots may have something to do, in order."""
        self._waiting: dict[str, int] = {}
        """Games in which a bot waits for people, and until when (milliseconds since the epoch)."""
        self._positions: dict[int, int] = {}
        self._next_comparison = 0.0
        self._stored: dict[int, tuple[int, frozenset[str]]] = {}

    def run(self, stopping: Event) -> None:
        """Play until told to stop, through outages of the store."""
        while not stopping.is_set():
            try:
                self._resume()
                while not stopping.is_set():
                    self.look(seconds=0.0 if self._restless else 1.0)
                    self.play()
            except StoreError as error:
                _log.warning("waiting for the store: %s", error)
                stopping.wait(1.0)
        try:
            self._heartbeat.hand_in()
        except StoreError as error:
            _log.warning("the last counts are lost: %s", error)

    def _resume(self) -> None:
        """Go on where the checkpoints stand."""
        self._positions.clear()
        self._memories.forget_all()
        for partition in range(self._store.partitions):
            checkpoint = self._checkpoints.checkpoint(partition, BOTS)
            self._positions[partition] = self._from(partition, checkpoint)
            key = self._checkpoints.read_model_key(partition, BOTS, "waiting")
            games = frozenset(game.decode() for game in self._store.connection.command("SMEMBERS", key))
            self._stored[partition] = (checkpoint, games)
            self._restless.update(dict.fromkeys(games))

    def _from(self, partition: int, checkpoint: int) -> int:
        """Where to begin with a feed: at the checkpoint, or at the beginning where that names what is lost."""
        end = self._store.feed_end(partition)
        if checkpoint <= end:
            return checkpoint
        _log.warning(
            "partition %d ends at %d, and the bots had come to %d: all its games are looked at again",
            partition,
            end,
            checkpoint,
        )
        return 0

    def look(self, seconds: float) -> None:
        """See which games have moved; with nothing to do, wait for that up to so many seconds."""
        self._heartbeat.beat()
        if time.monotonic() >= self._next_comparison:
            # Also under load, when something new is found all the time: what others do says nothing of a loss.
            self._next_comparison = time.monotonic() + COMPARISON_SECONDS
            if self._is_ahead():
                self._resume()
        if seconds:
            found = gathered(self._store, self._positions, seconds, GATHER_SECONDS)
        else:
            found = {each: self._store.read_feed(each, after) for each, after in self._positions.items()}
        for partition, entries in found.items():
            for entry in entries:
                self._positions[partition] = entry.position
                if self._memories.is_news(entry.game_id, entry.last_version):
                    self._restless[entry.game_id] = None
        now = now_milliseconds()
        self._restless.update({game: None for game, until in self._waiting.items() if until <= now})

    def _is_ahead(self) -> bool:
        """Whether a feed ends before it had been read to: then its store has lost something."""
        return any(self._store.feed_end(each) < position for each, position in self._positions.items())

    def play(self) -> None:
        """Let the bots of every restless game act for a while, then move the checkpoints of settled partitions."""
        for game in list(self._restless):
            try:
                settled = self._play_game(game)
            except GameNotFound:
                settled = True
            except (StoreDamaged, ArchiveUnavailable) as error:
                # An archived game has finished: its bots have nothing to do, whatever its file is like.
                _log.warning("the bots leave game %s alone: %s", game, error)
                settled = True
            except PartitionQuarantined as error:
                # It is looked at again: with its partition's release its bots play on.
                _log.warning("the bots of game %s wait: %s", game, error)
                self._waiting[game] = now_milliseconds() + QUARANTINE_MILLISECONDS
                settled = True
            except StoreError:
                raise
            except Exception:  # noqa: BLE001 - one broken game must not stop the bots of all others
                _log.exception("the bots of game %s cannot play on", game)
                settled = True
            if settled:
                del self._restless[game]
        self._move_checkpoints()

    def _play_game(self, game: str) -> bool:
        """Play some commands; True when no bot of the game has anything to do for now."""
        self._heartbeat.beat()
        self._waiting.pop(game, None)
        for _ in range(COMMANDS_AT_ONCE):
            table = self._tables.newest(game).table
            if table.state.status != "running":
                return True
            if not any(seat.bot for seat in table.state.seats):
                self._memories.leave_to_people(game)
                return True
            remembered = self._memories.of(table)
            until = remembered.at + self._patience
            chosen = next_bot_command(table, remembered.memory, alone=now_milliseconds() >= until)
            if chosen is None:
                if any(table.state.seats[seat].bot for seat in waiting_for(table.state)):
                    self._waiting[game] = until
                return True
            request = Request(
                actor=chosen[0],
                commands=(chosen[1],),
                arrived=now_milliseconds(),
                id=f"bot-{table.version}",
                fingerprint="bot",
                expected=(table.version, table.hash),
            )
            try:
                outcome = self._handling.send(game, request)
            except (Stale, TooBusy):
                continue
            except Refused as refused:
                _log.error(
                    "game %s, version %d: the bot of seat %d was refused: %s",
                    game,
                    table.version,
                    chosen[0],
                    refused,
                )
                return True
            self._memories.keep(game, remembered.follow(outcome.entries))
        return False

    def _move_checkpoints(self) -> None:
        busy = {self._store.partition_of(game) for game in self._restless}
        waiting: dict[int, set[str]] = {}
        for game in self._waiting:
            waiting.setdefault(self._store.partition_of(game), set()).add(game)
        for partition, position in self._positions.items():
            wanted = (position, frozenset(waiting.get(partition, ())))
            if partition in busy or self._stored[partition] == wanted:
                continue
            at, before = self._stored[partition]
            writes = [Write("SADD", "waiting", (game,)) for game in wanted[1] - before]
            writes += [Write("SREM", "waiting", (game,)) for game in before - wanted[1]]
            try:
                self._checkpoints.project(partition, BOTS, at, position, writes)
            except CheckpointMoved as moved:
                _log.warning("another process plays the bots too: %s", moved)
                self._resume()
                return
            self._stored[partition] = wanted


def patience_at_start() -> float:
    """The configured patience; ends this process with status 2 where it is no number of seconds."""
    text = setting("FIELDBOOK_BOT_PATIENCE")
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        _log.error("FIELDBOOK_BOT_PATIENCE must be a number of seconds, not %r", text)
        sys.exit(2)
    return seconds


def main() -> None:
    """Play until SIGTERM or SIGINT."""
    log_to_standard_error()
    end_with_parents(STOP_SECONDS)
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    patience = patience_at_start()
    settings = settings_at_start()
    store = store_at_start(settings)
    say_that_it_starts("bots", settings, store)
    BotPlayers(store, patience).run(stopping)


if __name__ == "__main__":
    main()
