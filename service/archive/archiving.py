"""Archiving finished games: written, read back, verified and compared before the stream goes.

Nothing is taken from the store before its copy was proved, so a process killed at any point loses nothing, and the
next run finishes what it began.
"""

from collections.abc import Iterator

import msgspec

from events.game.record import RecordBroken
from events.log.recorded import RecordedEvent
from events.store.errors import ArchiveUnavailable, NotAsArchived, StoreDamaged
from events.store.tombstone import Tombstone
from replay.records.report import Report
from replay.verification.verify import verify_lines
from service.access.game_access import SECRET
from service.archive.due import reason_to_stay
from service.archive.files import ArchiveFiles, entries_in, record_bytes, tombstone_of
from service.platform.targets import FileMissing, Target, TargetUnavailable
from service.storage.store import Store
from service.verification.finished_games import list_games
from service.verification.store import Validations
from service.verification.stored_record import GameUnreadable, read_stored_record


class NotArchived(Exception):
    """A game was not archived, restored or verified, and nothing has changed; the message says why."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of one game."""

    game: str
    what: str
    """`archived`, `due` (in a dry run), `stays`, `restored`, `verified`, `failed` or `not tried`."""
    detail: str = ""
    events: int = 0
    size: int = 0
    """Bytes of the file."""


class Archiving:
    """Moves finished games of a store to a target, and back."""

    def __init__(self, store: Store, target: Target) -> None:
        """Archive the games of this store in this target."""
        self._store = store
        self._target = target
        self._validations = Validations(store)

    def archive(self, game: str, now: int) -> Outcome:
        """Archive one finished game.

        Raises:
            NotArchived, StoreError
        """
        for _ in self.steps(game, now):
            pass
        tombstone = self._tombstone(game)
        return Outcome(game, "archived", tombstone.file, tombstone.version, tombstone.size)

    def steps(self, game: str, now: int) -> Iterator[str]:
        """Archive one finished game step by step; after each of them a process may be killed.

        Raises:
            NotArchived, StoreError
        """
        if self._store.archiving.tombstone(game) is not None:
            return
        entries = self._valid_entries(game)
        content = self._record(game, len(entries))
        tombstone = tombstone_of(game, entries, content, now)
        yield "read"
        self._write(tombstone.file, content)
        yield "written"
        if self._read_verified(tombstone) != entries:
            raise NotArchived(f"The archive's copy of game {game} does not hold what the store holds.")
        yield "verified"
        try:
            self._store.archiving.archive(tombstone, self._store.archiving.commands(game))
        except NotAsArchived as error:
            raise NotArchived(str(error)) from error
        yield "archived"

    def _valid_entries(self, game: str) -> tuple[RecordedEvent, ...]:
        head = self._store.head(game)
        if head is None:
            raise NotArchived(f"There is no game {game}.")
        if reason := reason_to_stay(self._validations, game, head):
            raise NotArchived(f"Game {game} is not finished and found valid as it stands: {reason}.")
        return self._store.read(game)

    def _record(self, game: str, version: int) -> bytes:
        try:
            return record_bytes(*read_stored_record(self._store, game, version))
        except (RecordBroken, GameUnreadable) as reason:
            raise NotArchived(f"Game {game} cannot be archived by this release: {reason}.") from reason

    def _write(self, name: str, content: bytes) -> None:
        try:
            if not self._target.is_there():
                raise ArchiveUnavailable(
                    f"The archive is not there: {self._target.address}. Make or mount it; nothing was archived."
                )
            self._target.write(name, content)
        except (TargetUnavailable, FileMissing) as error:
            raise ArchiveUnavailable(str(error)) from error

    def _read_verified(self, tombstone: Tombstone) -> tuple[RecordedEvent, ...]:
        """The entries of an archived record that was read from the target just now and verifies.

        Raises:
            NotArchived: it does not verify.
            ArchiveUnavailable, StoreDamaged
        """
        lines = ArchiveFiles(self._target).lines(tombstone)
        report: Report = verify_lines(lines)
        if not report.ok or (report.game, report.head) != (tombstone.game, tombstone.hash):
            said = report.findings[0].reason if report.findings else f"it is of {report.game}, {report.head}"
            raise NotArchived(f"The archive's file {tombstone.file} does not verify: {said}")
        return entries_in(lines, tombstone)

    def restore(self, game: str, now: int) -> Outcome:
        """Put an archived game back into the store; its file stays in the archive, and its age counts from `now`.

        Raises:
            NotArchived, StoreError
        """
        tombstone = self._tombstone(game)
        try:
            self._store.archiving.restore(tombstone, self._read_verified(tombstone), now)
        except NotAsArchived as error:
            raise NotArchived(str(error)) from error
        return Outcome(game, "restored", tombstone.file, tombstone.version, tombstone.size)

    def archived(self) -> Iterator[str]:
        """The ids of all archived games that the feeds tell of; one whose tombstone cannot be read is among them."""
        for game, _ in list_games(self._store):
            try:
                if self._store.archiving.tombstone(game) is not None:
                    yield game
            except StoreDamaged:
                yield game

    def verify(self, game: str) -> Outcome:
        """Read an archived game's file again and verify all of it.

        Raises:
            NotArchived, StoreError
        """
        tombstone = self._tombstone(game)
        entries = self._read_verified(tombstone)
        secret = self._store.private(game).get(SECRET, "")
        if record_secret(entries) != secret:
            raise NotArchived(f"The secret of game {game} in the store is not the one that its log opens.")
        return Outcome(game, "verified", tombstone.file, tombstone.version, tombstone.size)

    def _tombstone(self, game: str) -> Tombstone:
        tombstone = self._store.archiving.tombstone(game)
        if tombstone is None:
            raise NotArchived(f"Game {game} is not archived.")
        return tombstone


def record_secret(entries: tuple[RecordedEvent, ...]) -> str:
    """The secret that a finished game's last entry opens; empty where it opens none."""
    secret: str = msgspec.json.decode(entries[-1].data).get("secret", "")
    return secret
