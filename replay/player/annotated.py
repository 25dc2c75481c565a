"""The annotations of a game out of a file, and into it, as the player shows and writes them."""

import secrets
import time
from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from replay.annotations.book import AnnotationBook
from replay.annotations.content import NOTE, Refused, check_vocabulary, content_in
from replay.annotations.entries import AnnotationBroken, Author, Entry, Moment, new_entry
from replay.annotations.files import Binding
from replay.annotations.glyphs import MOVES
from replay.annotations.moments import check_binding, check_moments
from replay.annotations.on_disk import read_path, write_path
from replay.annotations.on_screen import note_lines
from replay.annotations.sets import AnnotationSet, Standing
from replay.player.notes import Note, NotWritten
from replay.timeline import Timeline


class Annotated:
    """The annotations of one game; with an author one can write, too.

    Attributes:
        versions: the versions that have any, in order.
    """

    def __init__(self, timeline: Timeline, path: str, author: str | None) -> None:
        """Read a file of annotations; one that is not there yet is begun by the first note of an author.

        Raises:
            FileBroken, RecordBroken, Unbound, SourceUnreadable
        """
        self._timeline, self._path, self._author = timeline, path, author
        self._game = Binding(timeline.header.game, timeline.at(1).form.hash)
        self._book = AnnotationBook(self._game.game)
        self._notes: dict[int, list[Note]] = defaultdict(list)
        self.versions: list[int] = []
        if author is None or Path(path).exists():
            binding, self._book = read_path(path)
            check_binding(binding, self._game)
            check_moments(self._book, self._hashes())
        for each in self._book.standing:
            if each.withdrawn is None:
                self._take(each)

    def at(self, version: int) -> Sequence[Note]:
        """What has been said about a version."""
        return self._notes.get(version, ())

    def write(self, version: int, text: str) -> None:
        """Add a comment at a version; it may begin with the sign of a move glyph, such as `?!`.

        Raises:
            NotWritten: there is no author, it is too long, or the file cannot be written.
        """
        if self._author is None:
            raise NotWritten("Nobody writes here: begin with --author NAME.")
        try:
            entry = self._entry(version, text, self._author)
            book = AnnotationBook.of(self._game.game, (*self._book.entries, entry))
            write_path(self._path, self._game, book)
        except Refused as refused:
            raise NotWritten(refused.detail) from refused
        except (AnnotationBroken, OSError) as error:
            raise NotWritten(str(error)) from error
        self._book = book
        self._take(Standing(entry, entry, (entry.number,)))

    def _entry(self, version: int, text: str, author: str) -> Entry:
        data = _data(text)
        content = content_in(NOTE, data)
        if content is not None:
            check_vocabulary(content, len(self._timeline.at(1).state.seats))
        mine = (each for each in self._book.sets if (each.author.kind, each.author.name) == ("file", author))
        own = next(mine, None) or AnnotationSet()
        now = time.time_ns() // 1_000_000
        return new_entry(
            game=self._game.game,
            set_id=own.id or secrets.token_hex(10),
            number=own.number + 1,
            previous=own.head,
            author=own.author if own.number else Author("file", author),
            at=max(now, own.entries[-1].at) if own.number else now,
            kind=NOTE,
            moment=Moment(version, self._timeline.at(version).form.hash),
            data=data,
        )

    def _take(self, note: Standing) -> None:
        version = note.first.moment.version
        if version not in self._notes:
            insort(self.versions, version)
        self._notes[version].append(Note(version, "\n".join(note_lines(note)), note.content.variations))

    def _hashes(self) -> dict[int, str]:
        """The chain hash of each version that somebody has written about, as far as the record goes."""
        versions = {entry.moment.version for entry in self._book.entries}
        return {
            version: self._timeline.at(version).form.hash
            for version in versions
            if version <= self._timeline.last
        }


def _data(text: str) -> dict[str, str]:
    """A note: the sign of a move glyph at its beginning is one."""
    signs = {glyph.sign: code for code, glyph in MOVES.items()}
    first, _, rest = text.partition(" ")
    if first in signs:
        return {"move": signs[first], **({"comment": rest.strip()} if rest.strip() else {})}
    return {"comment": text}
