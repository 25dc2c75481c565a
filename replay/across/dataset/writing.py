"""Writing a dataset: part by part, each of them in or not at all, and every game once.

A part is some hundred games in the source's order: their rows are written a file for each table, rule system and
month, a row group whenever some thousand rows wait, and count once the part's own file stands in `parts/`. A file may
have no rows, so that whoever opens the files of a table finds some: a game that no clock saw has no times. A run that
was ended, whatever ended it, is gone on with by the next one: what no part names is taken away, and the games that
parts name are not read again. So the same games give the same files, however often the work was interrupted and on
however many cores it was done.
"""

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from replay.across.dataset.arrow import TabulatedGame, read_ruled
from replay.across.dataset.columns import Table
from replay.across.dataset.format import TABLES
from replay.across.dataset.growing import GrowingFile
from replay.across.dataset.manifest import (
    DatasetRefused,
    Manifest,
    Part,
    Terms,
    WrittenFile,
    WrittenGame,
    part_name,
)
from replay.across.left import Left, Reason
from replay.across.mapping import Mapped, repeated
from replay.across.source import GameSource, RecordFolder

GAMES_IN_PART: Final = 1_000
"""Games of a part at most."""
ROWS_IN_PART: Final = 500_000
"""Rows of all tables with which a part is full before that."""
_LOCK: Final = ".lock"


class DatasetWriter:
    """Adds games to a dataset in a folder; `open_dataset` makes one.

    Attributes:
        before: how many games were in already.
        written: how many games this run has added.
        rows: how many rows, by table.
    """

    def __init__(
        self, folder: Path, terms: Terms, games_in_part: int = GAMES_IN_PART, rows_in_part: int = ROWS_IN_PART
    ) -> None:
        """Go on with what is there."""
        self.written = 0
        self.rows = dict.fromkeys((table.name for table in TABLES), 0)
        self._folder, self._terms = folder, terms
        self._games_in_part, self._rows_in_part = games_in_part, rows_in_part
        self._manifest = Manifest(folder)
        self._heads: dict[str, str] = {}
        self._written: dict[str, set[WrittenGame]] = {}
        self._there: set[str] = set()
        self._parts = 0
        for part in self._manifest.parts():
            self._parts = part.part
            for each in part.games:
                self._heads[each.game] = each.head
                self._written.setdefault(each.name, set()).add(each)
        self.before = len(self._heads)
        self._left: list[Left] = []
        self._games: list[WrittenGame] = []
        self._files: dict[tuple[str, str, str], GrowingFile] = {}
        self._size = 0
        _remove_unfinished(folder, self._parts)

    @property
    def left(self) -> tuple[Left, ...]:
        """What this run has left out so far."""
        return tuple(self._left)

    def find_new(self, source: GameSource) -> list[str]:
        """The source's names of games that have to be read, since none of that name is in.

        The names of a store and of an archive always stand for the same game. A file may hold another game by now: it
        is left unread only where its first and last line still tell of the one that went in under its name.
        """
        return [name for name in source.names() if not self._has(source, name)]

    def _has(self, source: GameSource, name: str) -> bool:
        under_this_name = self._written.get(_plain(name), set())
        if under_this_name and isinstance(source, RecordFolder):
            under_this_name = under_this_name & {WrittenGame(_plain(name), *source.identify(name))}
        self._there.update(each.game for each in under_this_name)
        return bool(under_this_name)

    def name_ruled_since(self, ruled: Mapping[str, str]) -> None:
        """Name the games whose rows tell another ruling about their result than there is by now; the rows stay.

        Call it before games are added, after `find_new`.

        Args:
            ruled: what rulings after their ends made of games' results (`Beside.ruled`), of all games of the source
                about which there is one, by id.
        """
        told = read_ruled(self._folder)
        for game in sorted(self._heads):
            before, now = told.get(game, ""), ruled.get(game, "")
            if before != now and (now or game in self._there):
                detail = f"it is in, told as {_told(before)}; since then it is {_told(now)}"
                self._left.append(Left(game, Reason.RULED_SINCE, detail, game))

    def add(self, each: Mapped[TabulatedGame] | Left) -> None:
        """Take a game's rows, or that it was left out.

        Raises:
            OSError: a part cannot be written.
        """
        if isinstance(each, Left):
            self._left.append(each)
            return
        if each.game in self._heads:
            # What went in under a name that the source has no more was renamed, or moved: that is the same game.
            if self._heads[each.game] != each.head or each.game in self._there:
                self._left.append(repeated(each, self._heads[each.game]))
            self._there.add(each.game)
            return
        self._heads[each.game] = each.head
        self._there.add(each.game)
        self._games.append(WrittenGame(_plain(each.name), each.game, each.head))
        for table in TABLES:
            self._file(table, each.answer.system, each.answer.month).add(each.answer.rows[table.name])
        self._size += each.answer.size
        if len(self._games) == self._games_in_part or self._size >= self._rows_in_part:
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
        files = tuple(self._finish_files())
        self._manifest.add(Part(number, tuple(self._games), files))
        self._parts = number
        self.written += len(self._games)
        self._games, self._size = [], 0

    def discard(self) -> None:
        """Take away what was written of a part that is not full."""
        for file in self._files.values():
            file.discard()
        self._files.clear()

    def _file(self, table: Table, system: str, month: str) -> GrowingFile:
        place = table.name, system, month
        if place not in self._files:
            path = self._folder.joinpath(*place, f"{part_name(self._parts + 1)}.parquet")
            self._files[place] = GrowingFile(path, table, self._terms.audience)
        return self._files[place]

    def _finish_files(self) -> Iterator[WrittenFile]:
        for table in TABLES:
            for place in sorted(place for place in self._files if place[0] == table.name):
                file = self._files[place]
                yield file.finish(self._folder)
                self.rows[table.name] += file.rows
                del self._files[place]


@contextmanager
def open_dataset(
    folder: Path,
    terms: Terms,
    *,
    since_last: bool = False,
    games_in_part: int = GAMES_IN_PART,
    rows_in_part: int = ROWS_IN_PART,
) -> Iterator[DatasetWriter]:
    """Begin a dataset in a folder that has none, or add to the one there; nobody else can meanwhile.

    Raises:
        DatasetRefused: the folder holds something else, a dataset is there and was not to be added to, it was begun
            on other terms, or another process writes it.
        OSError: the folder cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOCK).open("a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            raise DatasetRefused(f"Another process writes {folder}.") from held
        _check_terms(folder, terms, since_last=since_last)
        writer = DatasetWriter(folder, terms, games_in_part, rows_in_part)
        try:
            yield writer
        finally:
            writer.discard()


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


def _told(ruled: str) -> str:
    """What stands in the column `ruled`, in words."""
    return f"{ruled} by a ruling after its end" if ruled else "played to its end and not ruled about"


def _plain(name: str) -> str:
    """A name fit for JSON, also where a file's name is no text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
