"""Writing a dataset: part by part, each of them in or not at all, and every game once.

A part is some hundred games in the source's order: their rows wait in memory, are written a file for each table, rule
system and month, and count once the part's own file stands in `parts/`. A file may have no rows, so that whoever
opens the files of a table finds some: a game that no clock saw has no times. A run that was ended, whatever ended it,
is gone on with by the next one: what no part names is taken away, and the games that parts name are not read again.
So the same games give the same files, however often the work was interrupted and on however many cores it was done.
"""

import fcntl
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from replay.across.dataset.arrow import TabulatedGame, parquet_bytes
from replay.across.dataset.format import TABLES
from replay.across.dataset.manifest import (
    DatasetRefused,
    Manifest,
    Part,
    Terms,
    WrittenFile,
    WrittenGame,
    part_name,
)
from replay.across.left import Left
from replay.across.mapping import Mapped, repeated
from replay.platform.atomic_write import write_durably

GAMES_IN_PART: Final = 1_000
"""Games of a part at most."""
ROWS_IN_PART: Final = 500_000
"""Rows of all tables with which a part is full before that: about 120 MB in memory."""
_LOCK: Final = ".lock"


class DatasetWriter:
    """Adds games to a dataset in a folder; `open_dataset` makes one.

    Attributes:
        before: how many games were in already.
        written: how many games this run has added.
        rows: how many rows, by table.
    """

    def __init__(self, folder: Path, terms: Terms, games_in_part: int = GAMES_IN_PART) -> None:
        """Go on with what is there."""
        self.written = 0
        self.rows = dict.fromkeys((table.name for table in TABLES), 0)
        self._folder, self._terms, self._games_in_part = folder, terms, games_in_part
        self._manifest = Manifest(folder)
        self._heads: dict[str, str] = {}
        self._names: set[str] = set()
        self._parts = 0
        for part in self._manifest.parts():
            self._parts = part.part
            self._names.update(each.name for each in part.games)
            self._heads.update((each.game, each.head) for each in part.games)
        self.before = len(self._heads)
        self._left: list[Left] = []
        self._games: list[WrittenGame] = []
        self._batches: dict[tuple[str, str, str], list[Any]] = defaultdict(list)
        self._size = 0
        _remove_unfinished(folder, self._parts)

    @property
    def left(self) -> tuple[Left, ...]:
        """What this run has left out so far."""
        return tuple(self._left)

    def has(self, name: str) -> bool:
        """Whether the game of which the source speaks by this name is in."""
        return _plain(name) in self._names

    def add(self, each: Mapped[TabulatedGame] | Left) -> None:
        """Take a game's rows, or that it was left out.

        Raises:
            OSError: a part cannot be written.
        """
        if isinstance(each, Left):
            self._left.append(each)
            return
        if each.game in self._heads:
            if self._heads[each.game] != each.head:
                self._left.append(repeated(each, self._heads[each.game]))
            return
        self._heads[each.game] = each.head
        self._games.append(WrittenGame(_plain(each.name), each.game, each.head))
        for table, batch in each.answer.rows.items():
            self._batches[table, each.answer.system, each.answer.month].append(batch)
        self._size += each.answer.size
        if len(self._games) == self._games_in_part or self._size >= ROWS_IN_PART:
            self._commit()

    def finish(self) -> None:
        """Write what waits, and what was left out.

        Raises:
            OSError: it cannot be written.
        """
        self._commit()
        self._manifest.leave(self.left, self._terms.audience)

    def _commit(self) -> None:
        if not self._games:
            return
        number = self._parts + 1
        files = tuple(self._write(part_name(number)))
        self._manifest.add(Part(number, tuple(self._games), files))
        self._parts = number
        self.written += len(self._games)
        self._games, self._size = [], 0
        self._batches.clear()

    def _write(self, name: str) -> Iterator[WrittenFile]:
        for table in TABLES:
            places = sorted(place for place in self._batches if place[0] == table.name)
            for place in places:
                batches = self._batches.pop(place)
                content = parquet_bytes(table, batches, self._terms.audience)
                path = self._folder.joinpath(*place, f"{name}.parquet")
                path.parent.mkdir(parents=True, exist_ok=True)
                write_durably(path, content)
                rows = sum(int(batch.num_rows) for batch in batches)
                self.rows[table.name] += rows
                digest = hashlib.sha256(content).hexdigest()
                yield WrittenFile(path.relative_to(self._folder).as_posix(), rows, len(content), digest)


@contextmanager
def open_dataset(
    folder: Path, terms: Terms, *, since_last: bool = False, games_in_part: int = GAMES_IN_PART
) -> Iterator[DatasetWriter]:
    """Begin a dataset in a folder that has none, or add to the one there; nobody else can meanwhile.

    Raises:
        DatasetRefused: the folder holds something else, a dataset is there and was not to be added to, it was begun
            on other terms, or another process writes it.
        OSError: the folder cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            raise DatasetRefused(f"Another process writes {folder}.") from held
        _check_terms(folder, terms, since_last=since_last)
        yield DatasetWriter(folder, terms, games_in_part)


def _check_terms(folder: Path, terms: Terms, *, since_last: bool) -> None:
    manifest = Manifest(folder)
    there = manifest.terms()
    if there is None:
        if any(each.name != _LOCK for each in folder.iterdir()):
            raise DatasetRefused(f"{folder} holds something else: a dataset begins in a folder of its own.")
        manifest.begin(terms)
    elif not since_last:
        raise DatasetRefused(
            f"{folder} holds a dataset: add to it with --since-last, or choose another folder."
        )
    elif there != terms:
        raise DatasetRefused(
            f"{folder} was begun on other terms: {_listed(there)}. Now they are: {_listed(terms)}."
        )


def _listed(terms: Terms) -> str:
    left = ", ".join(terms.leave_out) or "nothing"
    names = f"pseudonyms by key {terms.pseudonyms}" if terms.pseudonyms else "names"
    return f"{terms.audience}, with {names}, leaving out {left}"


def _remove_unfinished(folder: Path, parts: int) -> None:
    """Take away the files of a part that did not come to its end."""
    for table in TABLES:
        for path in (folder / table.name).glob("*/*/*"):
            if path.suffix == ".part" or (path.stem.isdecimal() and int(path.stem) > parts):
                path.unlink()


def _plain(name: str) -> str:
    """A name fit for JSON, also where a file's name is no text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
