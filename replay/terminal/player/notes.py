"""The annotations of a game, out of a file and into it, as the player shows and writes them."""

from bisect import insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from replay.annotations.book import AnnotationBook
from replay.annotations.content import NOTE, AnnotationRefused
from replay.annotations.entries import AnnotationBroken, Moment
from replay.annotations.files import Binding
from replay.annotations.glyphs import MOVES
from replay.annotations.moments import check_bound
from replay.annotations.on_disk import append_as, read_path, write_path
from replay.annotations.on_screen import note_lines
from replay.annotations.sets import Standing
from replay.platform.exit_status import OutputFailed
from replay.platform.output_file import ANNOTATIONS, OutputRefused, check_output
from replay.timeline.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Note:
    """Something that somebody has written about a version.

    Attributes:
        version: which one.
        text: all of it, safe for a screen, with line feeds.
        variations: the tokens of branches attached to it.
    """

    version: int
    text: str
    variations: tuple[str, ...] = ()


class NotWritten(Exception):
    """An annotation could not be written; the message says why."""


class Notes:
    """The annotations of one game in a file; with an author they can be added to.

    Attributes:
        versions: the versions that have any, in order.
    """

    def __init__(self, timeline: Timeline, path: str | None = None, author: str | None = None) -> None:
        """Read a file of annotations; the first note of an author creates one that does not exist yet.

        Without a path there are no annotations.

        Raises:
            FileBroken, RecordBroken, Unbound, SourceUnreadable
            OutputRefused: there is an author, and the file is not one of annotations.
        """
        self._timeline, self._path, self._author = timeline, path, author
        self._notes: dict[int, list[Note]] = defaultdict(list)
        self.versions: list[int] = []
        if path is None:
            return
        if author is not None:
            check_output(Path(path), ANNOTATIONS, force=None)
        self._game = Binding(timeline.header.game, timeline.at(1).form.hash)
        self._book = AnnotationBook(self._game.game)
        if author is None or Path(path).exists():
            binding, self._book = read_path(path)
            check_bound(binding, self._book, self._game, self._hashes())
        for each in self._book.standing:
            if each.withdrawn is None:
                self._add(each)

    def at(self, version: int) -> Sequence[Note]:
        """What has been written about a version."""
        return self._notes.get(version, ())

    def write(self, version: int, text: str) -> None:
        """Add a comment at a version; it may begin with the sign of a move glyph, such as `?!`.

        Raises:
            NotWritten: there is no file or no author, it is too long, or the file cannot be written.
        """
        if self._path is None:
            raise NotWritten("There is no file to write to: start with --annotations FILE --author NAME.")
        if self._author is None:
            raise NotWritten("There is no author: start with --author NAME.")
        moment = Moment(version, self._timeline.at(version).form.hash)
        seats = len(self._timeline.at(1).state.seats)
        try:
            book = AnnotationBook.of(self._game.game, self._book.entries)
            entry = append_as(book, self._author, NOTE, moment, _parse_note(text), seats=seats)
            write_path(self._path, self._game, book)
        except AnnotationRefused as refused:
            raise NotWritten(refused.detail) from refused
        except (AnnotationBroken, OutputRefused, OutputFailed) as error:
            raise NotWritten(str(error)) from error
        self._book = book
        self._add(Standing(entry, entry, (entry.number,)))

    def _add(self, note: Standing) -> None:
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


def _parse_note(text: str) -> dict[str, str]:
    """The content of a note; the sign of a move glyph at the beginning of the text becomes its glyph."""
    signs = {glyph.sign: code for code, glyph in MOVES.items()}
    first, _, rest = text.partition(" ")
    if first in signs:
        return {"move": signs[first], **({"comment": rest.strip()} if rest.strip() else {})}
    return {"comment": text}
