"""Playing the bots' seats, through the same command path as everybody.

It follows the feeds: whenever a game has moved, its bots are asked until none of them acts. A partition's
checkpoint moves only when all its games are settled, so a killed process looks at them again; a command decided
twice is appended once, because its id names the version it was decided on. Games in which a bot gives people
time to answer are kept beside the checkpoint.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from threading import Event

from events.game.bot_driver import expected_seats, next_bot_command
from events.log.upcasting import UndecodableEvent
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from events.store.errors import (
    ArchiveUnavailable,
    CheckpointMoved,
    GameNotFound,
    PartitionQuarantined,
    StoreDamaged,
    StoreError,
)
from events.store.event_store import FeedEntry
from events.store.waiting import waiting_at_most
from service.bot_seats.bot_memories import BotMemories
from service.bot_seats.left_alone import GamesLeftAlone
from service.bot_seats.restless_games import RestlessGames
from service.feeds.feed_follower import FeedConsumer, FeedFollower
from service.feeds.poll_schedule import PollSchedule
from service.platform.clock import now_milliseconds
from service.platform.metrics import LOOP_FAILURES
from service.platform.timer import Due, Timer
from service.play.budgets import is_within_budget
from service.play.command_handling import CommandHandling
from service.play.deciding import Refused, Request, Stale
from service.play.outcome import TooBusy
from service.play.tables import Tables
from service.projections.progress import BOTS
from service.storage.checkpoints import Checkpoints, Write
from service.storage.heartbeats import Heartbeat
from service.storage.partition_pauses import AFTER_A_FAILURE_SECONDS, FAILURES, PartitionPauses
from service.storage.store import Store

"""How long an active bot waits for people before it ends trading, at tables that do not say it."""
COMMANDS_AT_ONCE = 20
"""Commands played in one game before the next game has its turn."""
GATHER_SECONDS = 0.02
"""How long bots rest after they have played, so that more can gather: people wait for them."""
QUARANTINE_MILLISECONDS = 10_000
"""How often the bots look whether a quarantined partition was released."""
_log = logging.getLogger("fieldbook.bots")


class BotPlayers(FeedConsumer):
    """Plays the bots of all games."""

    batch = 1000
    tolerates_gaps = True

    def __init__(self, store: Store) -> None:
        """Play in the games of this store."""
        self._store = store
        self._tables = Tables(store)
        self._heartbeat = Heartbeat(store, "bots")
        self._handling = CommandHandling(store, self._tables, self._heartbeat)
        self._checkpoints = Checkpoints(store)
        self._left_alone = GamesLeftAlone(store)
        self._memories = BotMemories(store)
        self._pauses = PartitionPauses(_log)
        self._restless = RestlessGames()
        self._waiting: dict[str, int] = {}
        """Games in which a bot waits for people, and until when (milliseconds since the epoch)."""
        self._positions: dict[int, int] = {}
        self._stored: dict[int, tuple[int, frozenset[str]]] = {}

    def run(self, stopping: Event) -> None:
        """Play until told to stop, through outages of the store."""
        follower = FeedFollower(
            self._store,
            [self],
            log=_log,
            beat=self._heartbeat.beat,
            timer=Timer(Due("bots' patience", self._wake)),
            schedule=PollSchedule(GATHER_SECONDS),
        )
        follower.run(stopping)
        try:
            self._heartbeat.hand_in()
        except StoreError as error:
            _log.warning("the last counts are lost: %s", error)

    def begin(self, partitions: Sequence[int]) -> None:
        """Go on where the checkpoints stand."""
        self._memories.forget_all()
        for partition in partitions:
            checkpoint = self._checkpoints.checkpoint(partition, BOTS)
            position, left_alone = self._left_alone.since(partition, self._from(partition, checkpoint))
            self._positions[partition] = position
            self._pauses.work(partition)
            games = frozenset(self._checkpoints.members(partition, BOTS, "waiting"))
            self._stored[partition] = (checkpoint, games)
            self._restless.add(*games, *left_alone)

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

    @property
    def restless(self) -> tuple[str, ...]:
        """Games whose bots may have something to do, in order."""
        return tuple(self._restless)

    def position(self, partition: int) -> int:
        """How far a feed was read; the checkpoint follows when its games are settled."""
        return self._positions[partition]

    def process_batch(self, partition: int, position: int, entries: tuple[FeedEntry, ...]) -> None:
        """See which games have moved."""
        del position
        self._positions[partition] = entries[-1].position
        for entry in entries:
            appended = entry.last_version - entry.first_version + 1
            if self._memories.is_news(entry.game_id, entry.last_version, appended):
                self._restless.add(entry.game_id)

    def lose_feed(self, partition: int, damage: StoreDamaged) -> None:
        """Begin anew: the store may come back older than it was, in more than this partition."""
        _log.warning("partition %d: %s", partition, damage)
        self._begin_anew()

    def finish_turn(self, partitions: Sequence[int]) -> bool:
        """Play; whether there is more to play."""
        del partitions
        self.play()
        return any(not self._is_left_alone(game) for game in self._restless)

    def _begin_anew(self) -> None:
        """Begin anew with every partition that answers; with the others when they do."""
        for partition in range(self._store.partitions):
            with suppress(*FAILURES), self._pauses.asking(partition):
                self.begin((partition,))

    def _is_left_alone(self, game: str) -> bool:
        return self._pauses.is_left_alone(self._store.partition_of(game))

    def _wake(self, now: int) -> int | None:
        """Have the games looked at whose bots have waited long enough; returns when the next ones will have."""
        self._restless.add(*(game for game, until in self._waiting.items() if until <= now))
        return min((until for until in self._waiting.values() if until > now), default=None)

    def play(self) -> None:
        """Let the bots of every restless game act for a while, then move the checkpoints of settled partitions.

        The games of a partition that fails wait; whether the whole store is away is for who follows it to find.
        """
        has_failed = False
        for game in self._restless.in_turn():
            if self._is_left_alone(game):
                continue
            try:
                with (
                    waiting_at_most(AFTER_A_FAILURE_SECONDS if has_failed else inf),
                    self._pauses.asking(self._store.partition_of(game)),
                ):
                    settled = self._try_game(game)
            except FAILURES:
                has_failed = True
                continue
            if settled:
                self._restless.settle(game)
        self._move_checkpoints()

    def _try_game(self, game: str) -> bool:
        """Play some commands; True when no bot of the game has anything to do for now, or it cannot be played."""
        try:
            return self._play_game(game)
        except GameNotFound:
            return True
        except (StoreDamaged, ArchiveUnavailable, UndecodableEvent) as error:
            # An archived game has finished: its bots have nothing to do, whatever its file is like. What this release
            # cannot read, the next one that can looks at again.
            _log.warning("the bots leave game %s alone: %s", game, error)
        except PartitionQuarantined as error:
            # It is looked at again: with its partition's release its bots play on.
            _log.warning("the bots of game %s wait: %s", game, error)
            self._waiting[game] = now_milliseconds() + QUARANTINE_MILLISECONDS
        except StoreError:
            raise
        except Exception:  # noqa: BLE001 - one broken game must not stop the bots of all others
            _log.exception("the bots of game %s cannot play on", game)
            LOOP_FAILURES.labels("bots").inc()
        return True

    def _play_game(self, game: str) -> bool:
        """Play some commands; True when no bot of the game has anything to do for now."""
        self._heartbeat.beat()
        self._waiting.pop(game, None)
        if self._memories.is_left_to_people(game):
            return True
        for _ in self._restless.commands_at_once(game, COMMANDS_AT_ONCE):
            table = self._tables.newest(game).table
            if table.state.status != "running":
                self._tables.forget(game)
                return True
            if not any(seat.bot for seat in table.state.seats):
                self._memories.leave_to_people(game, table.version)
                self._tables.forget(game)
                return True
            self._restless.look_at(game, table.state)
            remembered = self._memories.of(table)
            until = remembered.at + self._patience_at(table.state)
            alone = now_milliseconds() >= until
            chosen = next_bot_command(table, remembered.memory, alone=alone, may_send=is_within_budget)
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
                stands_in=True,
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

    def _patience_at(self, state: GameState) -> int:
        """Milliseconds after the last event for which a bot waits for those who may still answer."""
        people, programs = state.people_patience, state.program_patience
        kinds = {state.seats[seat].kind for seat in expected_seats(state)}
        return 1000 * max((programs if kind == "program" else people for kind in kinds), default=0)

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
            writes.append(self._left_alone.sign(position))
            if self._pauses.is_left_alone(partition):
                continue
            try:
                with self._pauses.asking(partition):
                    self._checkpoints.project(partition, BOTS, at, position, writes)
            except CheckpointMoved as moved:
                _log.warning("another process plays the bots too: %s", moved)
                self._begin_anew()
                return
            except FAILURES:
                continue
            self._stored[partition] = wanted
