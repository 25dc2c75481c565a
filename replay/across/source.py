"""Where finished games come from: a folder of record files, and whatever else can name games and open them."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Protocol

import msgspec

from events.game.record import End, Header, RecordBroken, read_record
from events.log.disclosure import Form
from replay.across.left import NotTaken, Reason
from replay.client.game_address import SourceUnreadable
from replay.client.sources import record_lines
from replay.platform.safe_text import safe

ENDINGS: Final = (".ndjson", ".ndjson.gz")
"""How the name of a record file ends; an archive's files are among them."""


class Beside(NamedTuple):
    """What a source knows of a game besides its record, before it is read.

    Attributes:
        visibility: `public`, `unlisted` or `private`; empty where the source does not know, as no record tells.
        quarantine: why what holds it is in quarantine; empty where nothing is.
        ruled: what a ruling after its end made of its result: `annulled`, `awarded` or `replaced`; empty where none
            did, or the source does not know: the log of the game's cases tells, and not its record.
    """

    visibility: str = ""
    quarantine: str = ""
    ruled: str = ""


NOTHING_BESIDE: Final = Beside()
"""Of a source that has records and nothing else."""


class OpenedGame(NamedTuple):
    """A game that is being read.

    Attributes:
        header: the record's header.
        forms: its entries, read as they are asked for.
    """

    header: Header
    forms: Iterable[Form]


class GameSource(Protocol):
    """Names games and opens them. It is sent to the processes that read them, so it must be possible to pickle it."""

    def names(self) -> Iterator[str]:
        """Return the names of all games, always in the same order."""
        ...

    def beside(self, name: str) -> Beside:
        """Return what is known of one of them; asked first, so that nothing is told of a game that is left out."""
        ...

    def open(self, name: str) -> AbstractContextManager[OpenedGame]:
        """Open one of them, to be read until it is closed.

        Raises:
            NotTaken: it cannot be opened, or not be handed out; the reason says why.
            RecordBroken: what is there cannot be read, at once or while it is read.
        """
        ...


class _Begin(msgspec.Struct, frozen=True):
    """As much of a record's first line as says which game it is."""

    game: str


@dataclass(frozen=True, slots=True)
class RecordFolder:
    """The record files in a folder and those below it, plain or gzipped; a game's name is its path from there."""

    path: Path

    def names(self) -> Iterator[str]:
        """The paths of the record files, in the order of their names, folder by folder.

        Raises:
            OSError: a folder cannot be read.
        """
        for folder, folders, files in os.walk(self.path, onerror=_refuse):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if name.endswith(ENDINGS) and not name.startswith("."):
                    yield (Path(folder) / name).relative_to(self.path).as_posix()

    def beside(self, _name: str) -> Beside:
        """Nothing: a record tells no more than itself."""
        return NOTHING_BESIDE

    def identify(self, name: str) -> tuple[str, str]:
        """Which game a file holds by its first and last line: id, and the chain hash after the last entry.

        Nothing is verified. Both are empty where the file cannot be read, or is no record.
        """
        try:
            with record_lines(str(self.path / name)) as lines:
                first = next(lines, b"")
                last = next(iter(deque(lines, 1)), first)
            return msgspec.json.decode(first, type=_Begin).game, msgspec.json.decode(last, type=End).hash
        except (SourceUnreadable, RecordBroken, UnicodeError, msgspec.DecodeError):
            return "", ""

    @contextmanager
    def open(self, name: str) -> Iterator[OpenedGame]:
        """Open the record of this name (see `GameSource.open`)."""
        try:
            with record_lines(str(self.path / name)) as lines:
                yield OpenedGame(*read_record(lines))
        except SourceUnreadable as error:
            raise NotTaken(Reason.UNREADABLE, safe(str(error))) from error
        except UnicodeError as error:
            raise RecordBroken(0, f"its name cannot be written: {error}") from error


def _refuse(error: OSError) -> None:
    raise error
