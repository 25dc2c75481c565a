"""The logs of a store's tournaments: read as far as they are new, and written entry after entry.

What was read is kept, so that of a log only what follows is read and checked. The store is asked for the last entry
that is known too: where it has another one there, as after a restored backup, the log is read anew. Two who write at
once both get in, one after the other: the store compares number and hash.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from events.chain.hash_chain import GENESIS
from events.store.errors import StoreDamaged
from events.store.event_store import EventStore
from events.tournaments.commands import SERVICE, Command, Step
from events.tournaments.decide import decide
from events.tournaments.entries import TournamentEntry, TournamentLogBroken, next_entries, read_entries
from events.tournaments.events import TournamentEvent, TournamentEventRecord
from events.tournaments.evolve import fold
from events.tournaments.state import FINISHED, RUNNING, Tournament
from service.play.outcome import TooBusy
from service.storage.kept_readings import KeptReadings
from service.tournaments.store import Listed, Moved, TournamentNotFound, TournamentRecords

KEPT_BYTES: Final = 32_000_000
"""Bytes of logs that a process keeps in memory: some fifty tournaments of 512 players and a few rounds."""
RULED_FOR: Final = 40 * 24 * 3_600_000
"""Milliseconds after the end in which a dispute about a game may still change the table: cases can take so long."""
_BESIDE_A_LINE: Final = 600
"""Bytes that an entry takes beside its line, and a log without any."""
_TRIES: Final = 20


@dataclass(frozen=True, slots=True)
class TournamentLog:
    """A tournament, and how it came about."""

    entries: tuple[TournamentEntry, ...]
    tournament: Tournament
    size: int
    """Bytes that it takes, about."""

    @property
    def name(self) -> str:
        """The tournament's id."""
        return self.tournament.settings.tournament

    @property
    def last(self) -> TournamentEntry:
        """The last entry."""
        return self.entries[-1]


class Tournaments:
    """The tournaments in a store. Every method may raise StoreUnavailable and StoreDamaged."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self.records = TournamentRecords(store)
        self._kept = KeptReadings[TournamentLog](KEPT_BYTES)

    def of(self, name: str) -> TournamentLog:
        """A tournament as it stands.

        Raises:
            TournamentNotFound
        """
        known = self._kept.find_or_read(name, lambda: self._read(name))
        found = list(self.records.entries(name, len(known.entries)))
        if not found or found[0][1] != known.last.hash:
            log, size = self._read(name)
            self._kept.keep(name, log, size)
            return log
        if found[1:]:
            known = _follow(name, known, found[1:])
            self._kept.keep(name, known, known.size)
        return known

    def send(self, name: str, step: Step) -> tuple[TournamentLog, Sequence[TournamentEvent]]:
        """Take a step, as often as others are faster; where the tournament stands then, and what came of it.

        Raises:
            TournamentRefused: it may not be, and nothing has happened.
            TooBusy: others were faster every time.
            TournamentNotFound, PartitionQuarantined
        """
        for _ in range(_TRIES):
            log = self.of(name)
            at = max(step.at, log.last.happened.at)
            events = decide(log.tournament, Step(step.command, step.by, at))
            if not events:
                return log, ()
            happened = [TournamentEventRecord(at, step.by, event) for event in events]
            entries = next_entries(name, log.last, happened)
            tournament = fold(happened, log.tournament)
            if tournament is None:
                raise TournamentNotFound(name)
            try:
                self.records.append(name, (log.last.number, log.last.hash), entries, _listed(tournament, at))
            except Moved:
                continue
            size = log.size + sum(len(each.stored) + _BESIDE_A_LINE for each in entries)
            after = TournamentLog((*log.entries, *entries), tournament, size)
            self._kept.keep(name, after, after.size)
            return after, events
        raise TooBusy

    def begin(self, name: str, step: Step) -> tuple[TournamentLog, bool]:
        """Announce a tournament; returns it, and whether the same one had been announced before.

        Raises:
            TournamentRefused: nobody could play it, or there is another one with this id.
            PartitionQuarantined
        """
        events = decide(None, step)
        happened = [TournamentEventRecord(step.at, step.by, event) for event in events]
        entries = next_entries(name, None, happened)
        listed = Listed(step.at, None)
        try:
            self.records.append(name, (0, GENESIS), entries, listed)
        except Moved:
            log = self.of(name)
            decide(None if log.entries[0].happened.event == events[0] else log.tournament, step)
            return log, True
        return self.of(name), False

    @staticmethod
    def check(tournament: Tournament, command: Command) -> None:
        """Refuse what a tournament would not take as it stands; nothing is written.

        Raises:
            TournamentRefused
        """
        decide(tournament, Step(command, SERVICE, 0))

    def look_again(self, log: TournamentLog, moment: int | None) -> None:
        """Have a tournament looked at again at this moment, unless it has moved on, and is looked at anyway."""
        created = log.tournament.created
        self.records.list_again(log.name, len(log.entries), Listed(created, moment))

    def list_again(self, now: int) -> int:
        """List every tournament of the store as its log says, to be looked at now; returns how many there are.

        For a store into which a backup was put: the lists are no part of it.
        """
        names = self.records.names()
        for name in names:
            log = self.of(name)
            self.look_again(log, _listed(log.tournament, now).due)
        return len(names)

    def _read(self, name: str) -> tuple[TournamentLog, int]:
        found = list(self.records.entries(name))
        if not found:
            raise TournamentNotFound(name)
        log = _follow(name, None, found)
        return log, log.size


def _listed(tournament: Tournament, now: int) -> Listed:
    """Where a tournament is listed that has just moved: one that has begun is looked at at once."""
    return Listed(tournament.created, now if tournament.status in {RUNNING, FINISHED} else None)


def _follow(name: str, log: TournamentLog | None, found: Sequence[tuple[bytes, str]]) -> TournamentLog:
    """A log with the entries that follow.

    Raises:
        StoreDamaged: they do not.
    """
    before = log.entries if log is not None else ()
    try:
        new = read_entries(name, found, before)
    except TournamentLogBroken as broken:
        raise StoreDamaged(f"Tournament {name}: {broken}.") from broken
    tournament = fold((each.happened for each in new), log.tournament if log is not None else None)
    if tournament is None:
        raise StoreDamaged(f"Tournament {name} has no beginning.")
    size = (log.size if log is not None else _BESIDE_A_LINE) + sum(
        len(stored) + _BESIDE_A_LINE for stored, _ in found
    )
    return TournamentLog((*before, *new), tournament, size)
