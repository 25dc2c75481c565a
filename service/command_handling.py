"""Commands to log entries: load, decide, append at the version decided on, and again when others were faster.

A command is applied to the newest state if it is still legal there, since trading is simultaneous; with an
expected version only to that one. The command id makes a retry safe: it gets the first answer, and the store
remembers it as long as the game.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from events.actors import actor_name
from events.commands import Command
from events.recorded import RecordedEvent
from events.store import Appended, EventStore, KnownCommand
from events.store_errors import CommandIdReused, HistoryForked, RequirementUnmet, VersionConflict
from service.deciding import Decided, Refused, Request, Stale, TurnedUp, decided, next_decided
from service.foreseeable import foreseeable
from service.tables import Sitting, Tables

ATTEMPTS = 32
"""How often a command is decided anew when others were faster."""


class TooBusy(Exception):
    """Others were faster every time; nothing was appended and the request can be sent again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a request brought about: its entries, and the game right after them or later.

    `applied` is how many of its commands count, and `stopped` why the one after them does not. A dry run has no
    entries of a last command that would turn up hidden cards: `withheld` says so.
    """

    sitting: Sitting
    entries: tuple[RecordedEvent, ...]
    duplicate: bool = False
    withheld: bool = False
    applied: int = 0
    stopped: Refused | TurnedUp | None = None

    @property
    def version(self) -> int:
        """The game's version right after the request."""
        return self.entries[-1].version if self.entries else self.sitting.table.version

    @property
    def hash(self) -> str:
        """The chain head right after the request."""
        return self.entries[-1].hash if self.entries else self.sitting.table.hash


class CommandWatch(Protocol):
    """Is told what became of requests, to count it."""

    def decided(self, commands: Sequence[Command], outcome: str, place: int | None = None) -> None:
        """Commands sent together ended in an outcome; without `place` it is that of all of them.

        It is `accepted`, `repeated`, `tried` (a dry run), `stale`, `busy`, `failed`, or `refused`: then `place` is
        which of them was refused.
        """
        ...

    def appended(self, seconds: float) -> None:
        """An append took so long, whether or not another one was faster."""
        ...


class CommandHandling:
    """Applies requests to the games of a store."""

    def __init__(self, store: EventStore, tables: Tables, watch: CommandWatch | None = None) -> None:
        """Append to this store and keep these tables current; tell `watch` about it."""
        self._store = store
        self._tables = tables
        self._watch = watch

    def send(self, game: str, request: Request, *, dry_run: bool = False) -> Outcome:
        """Apply a request to a game; with `dry_run` only say what would happen.

        A dry run knows nothing of command ids. Whatever is raised, nothing was appended.

        Raises:
            GameNotFound, Refused, TurnedUp, Stale, TooBusy, RequirementUnmet, CommandIdReused, StoreUnavailable
        """
        told, place, counted = "failed", None, request.commands
        try:
            outcome = self._sent(game, request, dry_run=dry_run)
            told = "repeated" if outcome.duplicate else "tried" if dry_run else "accepted"
            counted = request.commands[: outcome.applied]
            if outcome.stopped is not None and self._watch is not None:
                self._watch.decided(request.commands[outcome.applied :], "refused", 0)
        except (Refused, TurnedUp) as refused:
            told, place = "refused", refused.place
            raise
        except CommandIdReused:
            told = "refused"
            raise
        except Stale:
            told = "stale"
            raise
        except TooBusy:
            told = "busy"
            raise
        else:
            return outcome
        finally:
            if self._watch is not None:
                self._watch.decided(counted, told, place)

    def _sent(self, game: str, request: Request, *, dry_run: bool) -> Outcome:
        # What a dry run says is not checked by an append, so it begins with what the store holds right now.
        sitting = self._tables.newest(game) if dry_run else self._tables.recent(game)
        for _ in range(ATTEMPTS):
            try:
                found = self._attempt(sitting, request, dry_run=dry_run)
            except (Refused, TurnedUp, Stale):
                newest = self._tables.newest(game) if dry_run else self._looked_again(sitting, request)
                if isinstance(newest, Outcome):
                    return newest
                if newest.table.hash == sitting.table.hash:
                    raise
                sitting = newest
                continue
            if isinstance(found, Outcome):
                return found
            sitting = found or self._tables.newest(game)
        raise TooBusy

    def first_answer(self, game: str, request: Request) -> Outcome | None:
        """The outcome of the same request when it was applied before.

        Raises:
            GameNotFound, RequirementUnmet, CommandIdReused, StoreUnavailable
        """
        known = self._store.known_command(game, request.command_id)
        return None if known is None else self._first_answer(game, request, known)

    def _looked_again(self, sitting: Sitting, request: Request) -> Outcome | Sitting:
        """Of a request that cannot be applied to what was known of the game: its first answer, or the newest game."""
        game = sitting.table.game
        look = self._store.look(game, sitting.table.version, request.command_id)
        if look.known is not None:
            return self._first_answer(game, request, look.known)
        return self._tables.brought_up(sitting, look.entries)

    def _first_answer(self, game: str, request: Request, known: KnownCommand) -> Outcome:
        self._check_required(game, request)
        if known.fingerprint != request.fingerprint:
            raise CommandIdReused(game, request.command_id)
        return self.repeated(game, known.answer, request)

    def _check_required(self, game: str, request: Request) -> None:
        """As an append does."""
        private = self._store.private(game) if request.required else {}
        for name, value in request.required.items():
            if private.get(name) != value:
                raise RequirementUnmet(game, name)

    def _attempt(self, sitting: Sitting, request: Request, *, dry_run: bool) -> Outcome | Sitting | None:
        """Decide on this table and append; when somebody else was faster the newer game, where that is known."""
        found = decided(sitting, request, self._tables.earlier(sitting))
        table, entries = found.table, found.entries
        if dry_run:
            return _foreseen(sitting, request, found)
        began = time.perf_counter()
        try:
            appended = self._store.append(
                table.game,
                entries,
                expected_version=sitting.table.version,
                expected_hash=sitting.table.hash,
                command_id=request.command_id,
                fingerprint=request.fingerprint,
                private=request.private,
                required=request.required,
            )
        except HistoryForked:
            # What this process knows of the game is not in the log any more: it is folded anew.
            self._tables.forget(table.game)
            return None
        except VersionConflict as conflict:
            return self._tables.moved(sitting, conflict.missed)
        finally:
            if self._watch is not None:
                self._watch.appended(time.perf_counter() - began)
        if appended.duplicate:
            return self.repeated(table.game, appended, request)
        kept = self._tables.keep(Sitting(table, {**sitting.private, **request.private}))
        return Outcome(kept, tuple(entries), applied=found.applied, stopped=found.stopped)

    def repeated(self, game: str, answer: Appended, request: Request) -> Outcome:
        """The outcome of a request that the store had appended before, the same as it was at first.

        The log says which of its commands were applied; why the next one was not, the table that they led to says
        again, however far the game has come since.
        """
        count = answer.last_version - answer.first_version + 1
        entries = self._store.read(game, answer.first_version - 1, count)
        newest = self._tables.newest(game)
        actor = actor_name(request.actor)
        applied = sum(1 for entry in entries if entry.command and entry.actor == actor)
        stopped = None
        if applied < len(request.commands):
            table = self._tables.at(newest, answer.last_version)
            stopped = next_decided(table, entries, request, applied).stopped
        return Outcome(newest, entries, duplicate=True, applied=applied, stopped=stopped)


def _foreseen(sitting: Sitting, request: Request, found: Decided) -> Outcome:
    """What a dry run tells: everything but what its last command would turn up."""
    told = found
    if not foreseeable(found.entries):
        told = decided(sitting, replace(request, commands=request.commands[: found.applied - 1]))
    stopped = found.stopped
    if isinstance(stopped, TurnedUp):
        stopped = TurnedUp(stopped.place, told.table)
    return Outcome(
        Sitting(told.table, sitting.private),
        tuple(told.entries),
        withheld=told is not found,
        applied=found.applied,
        stopped=stopped,
    )
