"""Commands to log entries: load, decide, append at the version decided on, and again when others were faster.

A command is applied to the newest state if it is still legal there, since trading is simultaneous; with an
expected version only to that one. The command id makes a retry safe: it gets the first answer, and the store
remembers it as long as the game.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from events.commands import Command
from events.game.log_facts import REWOUND
from events.log.recorded import RecordedEvent
from events.rules.move import CLOCK, HOST
from events.store.errors import CommandIdReused, HistoryForked, VersionConflict
from events.store.event_store import Appended, EventStore
from service.play.deciding import (
    BatchDecision,
    HiddenInformationRevealed,
    Refused,
    Request,
    Stale,
    decide_batch,
    reveals_nothing_hidden,
)
from service.play.first_answers import FirstAnswers
from service.play.lost_time import KnownLives, has_moves, may_be_owed
from service.play.outcome import CommandWatch, Outcome, TooBusy
from service.play.rounds import opening_of
from service.play.steps import Append, Call, LookAgain, Steps, complete
from service.play.tables import LoadedGame, Tables
from service.play.timekeeping import (
    FINGERPRINT,
    TimeUncertain,
    closing_of,
    is_late,
    is_overdue,
    record_time,
    too_late,
)
from service.play.traced_append import traced_append
from service.storage.life_marks import Gap, LifeMarks
from service.telemetry.spans import span
from service.telemetry.store import AppendTraces

FEW: Final = 32
"""Entries that are folded between two requests; more of them are work for a thread."""
ATTEMPTS = 32
"""How often a command is decided anew when others were faster."""
_TOLD: Final = {
    **dict.fromkeys((Refused, HiddenInformationRevealed, CommandIdReused), "refused"),
    Stale: "stale",
    TooBusy: "busy",
    TimeUncertain: "busy",
}


class CommandHandling:
    """Applies requests to the games of a store."""

    def __init__(self, store: EventStore, tables: Tables, watch: CommandWatch | None = None) -> None:
        """Append to this store and keep these tables current; tell `watch` about it."""
        self._store = store
        self._tables = tables
        self._first_answers = FirstAnswers(store, tables)
        self._watch = watch
        self._traces = AppendTraces(store)
        self._lives = KnownLives(lambda partition: LifeMarks(store).look(partition))

    def send(self, game: str, request: Request, *, dry_run: bool = False) -> Outcome:
        """Apply a request to a game; with `dry_run` only say what would happen.

        A dry run knows nothing of command ids. Whatever is raised, nothing was appended.

        A command that comes after its seat's time has that recorded first. One that comes after an outage has what
        was lost given back first, in the same append.

        Raises:
            GameNotFound, Refused, HiddenInformationRevealed, Stale, TooBusy, RequirementUnmet, CommandIdReused,
            StoreUnavailable
        """
        try:
            steps = self.steps(game, request, dry_run=dry_run, records_time=not dry_run)
            outcome = complete(steps, self._store)
        except Exception as error:
            if self._watch is not None:
                told, place = _TOLD.get(type(error), "failed"), getattr(error, "place", None)
                self._watch.count_commands(request.commands, told, place)
            raise
        self.count(request, outcome, dry_run=dry_run)
        return outcome

    def count(self, request: Request, outcome: Outcome, *, dry_run: bool = False) -> None:
        """Count what became of a request's commands."""
        if self._watch is None:
            return
        told = "repeated" if outcome.duplicate else "tried" if dry_run else "accepted"
        if outcome.stopped is not None:
            self._watch.count_commands(request.commands[outcome.applied :], "refused", 0)
        self._watch.count_commands(request.commands[: outcome.applied], told)

    def record_time(self, game: str, at: int, *, gives_back: bool = False) -> Outcome:
        """Record whatever is over in a game by this moment (milliseconds since the epoch), at its exact version.

        With `gives_back` instead what was lost in gaps up to now, so that it is in nobody's bank. An outcome without
        entries says that nothing was to be recorded.

        Raises:
            GameNotFound, TimeUncertain, Refused, StoreUnavailable
        """
        loaded = self._tables.newest(game)
        loaded, recorded = complete(self._record_time(loaded, at, gives_back=gives_back), self._store)
        outcomes = [each for _, each in recorded]
        entries = [entry for each in outcomes for entry in each.entries]
        disclosures = [each for outcome in outcomes for each in outcome.disclosures]
        clock = loaded.table.log.clock
        return Outcome(loaded, entries, disclosures, applied=len(outcomes), clock=clock)

    def record_overdue(self, loaded: LoadedGame, at: int, seat: int | None = None) -> bool:
        """Record what is over in a game before a step of a case is appended; return whether anything was.

        `seat` asks for that step: its own time is over as soon as its grace is. What cannot be known yet of others
        is left out, and so is what the log has no room for.

        Raises:
            GameNotFound, StoreUnavailable
        """
        if not is_overdue(loaded.table, at):
            return False
        newer = loaded
        for whose in (None,) if seat is None else (seat, None):
            with suppress(TimeUncertain, Refused):
                newer, _ = complete(self._record_time(newer, at, whose), self._store)
        return newer.table.hash != loaded.table.hash

    def close_untouched(self, game: str, at: int) -> bool:
        """Close a game that nobody has played for as long as its first event says; whether it was.

        Raises:
            GameNotFound, Refused, StoreUnavailable
        """
        loaded = self._tables.newest(game)
        life = self._lives.look(self._store.partition_of(game))
        command = closing_of(loaded, at, life)
        if command is None:
            return False
        expected = loaded.table.version, loaded.table.hash
        name = f"close-{loaded.table.version}"
        try:
            self.send(game, Request(HOST, (command,), at, name, FINGERPRINT, expected))
        except Stale:
            # Somebody plays it after all.
            return False
        return True

    def open_round_secret(self, game: str, at: int) -> bool:
        """Open the secret of its round in a game that has ended; whether it was closed until now.

        However often and by however many that is asked, it happens once, and then the game is finished. Whoever asks
        knows that all games of the round have ended: with the first secret all of them are open.

        Raises:
            NotOfRound: the game is of no round.
            RoundGoesOn: the game has not ended.
            GameNotFound, TooBusy, StoreUnavailable
        """
        request = opening_of(self._tables.newest(game), at)
        return request is not None and not self.send(game, request).duplicate

    def steps(
        self, game: str, request: Request, *, dry_run: bool = False, records_time: bool = False
    ) -> Steps[Outcome]:
        """The steps of `send`, which counts besides what becomes of them.

        Without `records_time` nothing is recorded: a command that comes after its seat's time is refused, and one
        that comes after the time of another seat raises TooBusy.
        """
        # What a dry run says is not checked by an append, so it begins with what the store holds right now.
        newest = Call(partial(self._tables.newest, game))
        loaded = None if dry_run else self._tables.known(game)
        if loaded is None:
            loaded = yield newest
        for _ in range(ATTEMPTS):
            try:
                found = yield from self._attempt(
                    game, loaded, request, dry_run=dry_run, records_time=records_time
                )
            except (Refused, HiddenInformationRevealed, Stale) as stopped:
                again = (yield newest) if dry_run else (yield from self._read_again(loaded, request))
                if isinstance(again, Outcome):
                    return again
                if again.table.hash == loaded.table.hash:
                    if not (records_time and is_late(stopped)):
                        raise
                    again = yield from self._record_before(again, request)
                loaded = again
                continue
            if isinstance(found, Outcome):
                return found
            loaded = found or (yield newest)
        raise TooBusy

    def _record_before(self, loaded: LoadedGame, request: Request) -> Steps[LoadedGame]:
        """Of a command that came after its seat's time: the game in which it is decided anew.

        Raises:
            Refused: its time was over, and that is recorded.
        """
        loaded, recorded = yield from self._record_time(loaded, request.arrived, request.actor)
        refusal = too_late([command for command, _ in recorded], loaded, 0)
        if refusal is not None:
            raise refusal
        return loaded

    def _record_time(
        self, loaded: LoadedGame, at: int, seat: int | None = None, *, gives_back: bool = False
    ) -> Steps[tuple[LoadedGame, list[tuple[Command, Outcome]]]]:
        game = loaded.table.game
        found = yield from record_time(
            lambda loaded, request: self._attempt(game, loaded, request),
            partial(self._tables.newest, game),
            partial(self._lives.look, self._store.partition_of(game)),
            loaded,
            at,
            seat=seat,
            gives_back=gives_back,
        )
        for command, outcome in found[1]:
            if self._watch is not None:
                self._watch.count_commands((command,), "repeated" if outcome.duplicate else "accepted")
        return found

    def _read_again(self, loaded: LoadedGame, request: Request) -> Steps[Outcome | LoadedGame]:
        """Of a request that cannot be applied to what was known of the game: its first answer, or the newest game."""
        game = loaded.table.game
        look = yield LookAgain(game, loaded.table.version, request.command_id)
        if look.known is not None:
            first: Outcome = yield Call(partial(self._first_answers.repeat_known, game, request, look.known))
            return first
        catch_up = partial(self._tables.catch_up, loaded, look.entries)
        is_brief = are_few(look.entries) and self._tables.follows(loaded, look.entries)
        newest: LoadedGame = catch_up() if is_brief else (yield Call(catch_up))
        return newest

    def _attempt(
        self,
        game: str,
        loaded: LoadedGame,
        request: Request,
        *,
        dry_run: bool = False,
        records_time: bool = False,
    ) -> Steps[Outcome | LoadedGame | None]:
        """Decide on this table and append; when somebody else was faster the newer game, where that is known.

        Where time is over that is not recorded yet, that is recorded instead, and the newer game returned.
        """
        gaps = yield from self._gaps_before(loaded, request)
        with span("decide"):
            found = decide_batch(loaded, request, self._tables.earlier(loaded), gaps)
        table, entries = found.table, found.entries
        if dry_run:
            return _preview(loaded, request, found, gaps)
        if (
            request.actor != CLOCK
            and has_moves(request.commands)
            and is_overdue(loaded.table, request.arrived, gaps)
        ):
            if not records_time:
                raise TooBusy
            with suppress(TimeUncertain):
                settled, _ = yield from self._record_time(loaded, request.arrived)
                if settled.table.hash != loaded.table.hash:
                    return settled
        began = time.perf_counter()
        missed: Sequence[RecordedEvent] = ()
        try:
            asked = Append(
                game,
                entries,
                loaded.table.version,
                loaded.table.hash,
                request.command_id,
                request.fingerprint,
                request.private,
                request.required,
            )
            appended: Appended | None = yield from traced_append(asked, self._traces)
        except HistoryForked:
            # What this process knows of the game is not in the log any more: it is folded anew.
            self._tables.forget(game)
            return None
        except VersionConflict as conflict:
            appended, missed = None, conflict.missed if conflict.is_whole else ()
        finally:
            if self._watch is not None:
                self._watch.count_append(time.perf_counter() - began)
        if appended is None:
            advance = partial(self._tables.advance, loaded, missed)
            newer: LoadedGame | None = advance() if are_few(missed) else (yield Call(advance))
            return newer
        if appended.duplicate:
            first: Outcome = yield Call(partial(self._first_answers.repeat, game, appended, request))
            return first
        kept = self._tables.keep(LoadedGame(table, {**loaded.private, **request.private}))
        return Outcome(
            kept,
            entries,
            found.disclosures,
            applied=found.applied,
            stopped=found.stopped,
            clock=table.log.clock,
        )

    def _gaps_before(self, loaded: LoadedGame, request: Request) -> Steps[tuple[Gap, ...]]:
        """The gaps of which something may have to be given back before a request."""
        table = loaded.table
        if not may_be_owed(table, request.actor, request.commands):
            return ()
        partition, at = self._store.partition_of(table.game), max(request.arrived, table.log.at)
        life = self._lives.known(partition, at)
        if life is None:
            life = yield Call(partial(self._lives.look, partition))
        return life.gaps_until(at)


def are_few(entries: Sequence[RecordedEvent]) -> bool:
    """Whether a table is moved along these in no time: not back to one that has to be folded."""
    return len(entries) <= FEW and not any(each.type == REWOUND for each in entries)


def _preview(loaded: LoadedGame, request: Request, found: BatchDecision, gaps: tuple[Gap, ...]) -> Outcome:
    """What a dry run tells: everything but what its last command would turn up."""
    told = found
    if not reveals_nothing_hidden(found.entries):
        fewer = replace(request, commands=request.commands[: found.applied - 1])
        told = decide_batch(loaded, fewer, gaps=gaps)
    stopped = found.stopped
    if isinstance(stopped, HiddenInformationRevealed):
        stopped = HiddenInformationRevealed(stopped.place, told.table)
    return Outcome(
        replace(loaded, table=told.table),
        told.entries,
        told.disclosures,
        withheld=told is not found,
        applied=found.applied,
        stopped=stopped,
        clock=told.table.log.clock,
    )
