"""Commands to log entries: load, decide, append at the version decided on, and again when others were faster.

A command is applied to the newest state if it is still legal there, since trading is simultaneous; with an
expected version only to that one. The command id makes a retry safe: it gets the first answer, and the store
remembers it as long as the game.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from events.commands import Command
from events.recorded import RecordedEvent
from events.rules.errors import RuleViolation
from events.store import Appended, EventStore, KnownCommand
from events.store_errors import CommandIdReused, HistoryForked, VersionConflict
from events.table import Table, actor_name
from service.foreseeable import foreseeable
from service.tables import Sitting, Tables

ATTEMPTS = 32
"""How often a command is decided anew when others were faster."""


class Stale(Exception):
    """The version that the caller decided on is not the game's.

    Attributes:
        sitting: the game as it stands.
    """

    def __init__(self, sitting: Sitting) -> None:
        """Keep the game as it stands, for the answer."""
        super().__init__("the game has moved on")
        self.sitting = sitting


class Refused(Exception):
    """The rules refuse a command; nothing was appended.

    Attributes:
        violation: why.
        table: the table that it was decided on.
        place: which command of several it was, from 0.
    """

    def __init__(self, violation: RuleViolation, table: Table, place: int) -> None:
        """Keep what the answer explains."""
        super().__init__(str(violation))
        self.violation = violation
        self.table = table
        self.place = place


class TurnedUp(Exception):
    """A command of several follows one that may turn up hidden cards; nothing was appended.

    Were both decided together, a refusal of the later one would have shown cards and put them back.

    Attributes:
        place: which command it was that follows, from 0.
    """

    def __init__(self, place: int) -> None:
        """Keep what the answer explains."""
        super().__init__("hidden cards were turned up")
        self.place = place


class TooBusy(Exception):
    """Others were faster every time; nothing was appended and the request can be sent again."""


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what: one or more commands that are applied together or not at all.

    `arrived` is in milliseconds since the epoch. `id` and `fingerprint` make a repeated request known.
    `expected` is the version and hash prefix that the caller decided on, if they insist on it. `private` is
    stored in the same step beside the log.
    """

    actor: int
    commands: Sequence[Command]
    arrived: int
    id: str
    fingerprint: str
    expected: tuple[int, str] | None = None
    private: Mapping[str, str] = field(default_factory=dict)

    @property
    def command_id(self) -> str:
        """What the store remembers the request by: ids of different actors never meet."""
        return f"{actor_name(self.actor)}:{self.id}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a request brought about: its entries, and the game right after them or later.

    A dry run has no entries of a last command that would turn up hidden cards: `withheld` says so.
    """

    sitting: Sitting
    entries: tuple[RecordedEvent, ...]
    duplicate: bool = False
    withheld: bool = False

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

        Raises:
            GameNotFound, Refused, TurnedUp, Stale, TooBusy, CommandIdReused, StoreUnavailable
        """
        told, place = "failed", None
        try:
            outcome = self._sent(game, request, dry_run=dry_run)
            told = "repeated" if outcome.duplicate else "tried" if dry_run else "accepted"
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
                self._watch.decided(request.commands, told, place)

    def _sent(self, game: str, request: Request, *, dry_run: bool) -> Outcome:
        # What a dry run says is not checked by an append, so it begins with what the store holds right now.
        sitting = self._tables.newest(game) if dry_run else self._tables.recent(game)
        for _ in range(ATTEMPTS):
            try:
                outcome = self._attempt(sitting, request, dry_run=dry_run)
            except (Refused, TurnedUp, Stale):
                known = self.first_answer(game, request)
                if known is not None:
                    return known
                newest = self._tables.newest(game)
                if newest.table.hash == sitting.table.hash:
                    raise
                sitting = newest
                continue
            if outcome is not None:
                return outcome
            sitting = self._tables.newest(game)
        raise TooBusy

    def first_answer(self, game: str, request: Request) -> Outcome | None:
        """The outcome of the same request when it was applied before.

        Raises:
            GameNotFound, CommandIdReused, StoreUnavailable
        """
        known: KnownCommand | None = self._store.known_command(game, request.command_id)
        if known is None:
            return None
        if known.fingerprint != request.fingerprint:
            raise CommandIdReused(game, request.command_id)
        return self.repeated(game, known.answer)

    def _attempt(self, sitting: Sitting, request: Request, *, dry_run: bool) -> Outcome | None:
        """Decide on this table and append; None when somebody else was faster."""
        table, entries = _decided(sitting, request)
        if dry_run:
            withheld = not foreseeable(entries)
            if withheld:
                table, entries = _decided(sitting, replace(request, commands=request.commands[:-1]))
            return Outcome(Sitting(table, sitting.private), tuple(entries), withheld=withheld)
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
            )
        except HistoryForked:
            # What this process knows of the game is not in the log any more: it is folded anew.
            self._tables.forget(table.game)
            return None
        except VersionConflict:
            return None
        finally:
            if self._watch is not None:
                self._watch.appended(time.perf_counter() - began)
        if appended.duplicate:
            return self.repeated(table.game, appended)
        kept = self._tables.keep(Sitting(table, {**sitting.private, **request.private}))
        return Outcome(kept, tuple(entries))

    def repeated(self, game: str, answer: Appended) -> Outcome:
        """The outcome of a request that the store had appended before."""
        count = answer.last_version - answer.first_version + 1
        entries = self._store.read(game, answer.first_version - 1, count)
        return Outcome(self._tables.newest(game), entries, duplicate=True)


def _decided(sitting: Sitting, request: Request) -> tuple[Table, list[RecordedEvent]]:
    table = sitting.table
    if request.expected is not None:
        version, prefix = request.expected
        if version != table.version or not table.hash.startswith(prefix):
            raise Stale(sitting)
    entries: list[RecordedEvent] = []
    for place, command in enumerate(request.commands):
        if not foreseeable(entries):
            raise TurnedUp(place)
        try:
            table, more = table.submit(request.actor, command, request.arrived)
        except RuleViolation as violation:
            raise Refused(violation, table, place) from violation
        entries += more
    return table, entries
