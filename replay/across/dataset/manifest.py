"""What stands beside the tables of a dataset as JSON: its terms, what each part holds, and what was left out."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from replay.across.dataset.format import FORMAT
from replay.across.left import USUALLY_LEFT, Left, Reason, count_left
from replay.platform.atomic_write import write_durably

PUBLIC, COMPLETE = "public", "complete"
"""Whom a dataset is for: everybody, or who runs the service."""
HIDDEN: Final = frozenset({Reason.PRIVATE, Reason.UNLISTED})
"""Games whose very ids are no matter for everybody: a public dataset counts them, and names none."""
USUALLY_LEFT_FOR: Final = {PUBLIC: USUALLY_LEFT | HIDDEN, COMPLETE: USUALLY_LEFT - HIDDEN}
"""What is left out of a dataset for each audience where nobody has chosen."""
_TERMS, _LEFT, _PARTS = "dataset.json", "left.json", "parts"
_Struct = TypeVar("_Struct", bound=msgspec.Struct)


def choose_left_out(audience: str, leave_out: Iterable[str], take: Iterable[str]) -> frozenset[Reason]:
    """The reasons for which games are left out, by the audience and by what was asked for.

    Raises:
        ValueError: everybody would see games that are not for everybody.
    """
    chosen = USUALLY_LEFT_FOR[audience].union(map(Reason, leave_out)).difference(map(Reason, take))
    if audience == PUBLIC and not chosen >= HIDDEN:
        raise ValueError(
            "A public dataset has nothing of private or unlisted games: say --for complete, over HTTP for=complete."
        )
    return chosen


class DatasetRefused(Exception):
    """A dataset cannot be written or added to like that; the message says why, and what to do."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a dataset is, the same for all of its parts.

    Attributes:
        audience: `public` or `complete`.
        leave_out: the reasons for which games that could be taken are left out.
        pseudonyms: which key made the pseudonyms: the beginning of its SHA-256; empty for names as they are.
        format: the version of the format.
    """

    audience: str
    leave_out: tuple[Reason, ...]
    pseudonyms: str = ""
    format: int = FORMAT


class WrittenGame(msgspec.Struct, frozen=True):
    """A game in a part: the source's name for it, its id, and the chain hash of its last entry."""

    name: str
    game: str
    head: str


class WrittenFile(msgspec.Struct, frozen=True):
    """A file of a part: its path below the dataset, its rows, bytes, and SHA-256."""

    path: str
    rows: int
    size: int
    sha256: str


class Part(msgspec.Struct, frozen=True):
    """Games that were written together. Once this stands beside the tables they are in; before that, none of them.

    Attributes:
        part: its number, from 1.
        games: the games, in the order in which they were read.
        files: the files that hold their rows.
    """

    part: int
    games: tuple[WrittenGame, ...]
    files: tuple[WrittenFile, ...]


class LeftOut(msgspec.Struct, frozen=True):
    """What the last run that came to its end left out.

    Attributes:
        counts: how many games, by reason.
        games: each of them; without those of which a public dataset must not tell.
    """

    counts: dict[str, int]
    games: tuple[Left, ...]


class Manifest:
    """The JSON beside the tables in a folder."""

    def __init__(self, folder: Path) -> None:
        """Read and write it in this folder."""
        self._folder = folder

    def terms(self) -> Terms | None:
        """What the dataset there is; None where there is none.

        Raises:
            DatasetRefused: it is of another format, or cannot be read.
        """
        path = self._folder / _TERMS
        if not path.exists():
            return None
        if _read(path, _Format).format != FORMAT:
            raise DatasetRefused(
                f"{path} is of another format than {FORMAT}: begin a dataset in a new folder."
            )
        return _read(path, Terms)

    def begin(self, terms: Terms) -> None:
        """Write down what the dataset is to be."""
        (self._folder / _PARTS).mkdir(parents=True, exist_ok=True)
        _write(self._folder / _TERMS, terms)

    def parts(self) -> Iterator[Part]:
        """The parts that are in, in their order.

        Raises:
            DatasetRefused: one cannot be read, or is missing.
        """
        for number, path in enumerate(sorted((self._folder / _PARTS).glob("[0-9]*.json")), 1):
            part = _read(path, Part)
            if part.part != number:
                raise DatasetRefused(f"{path} stands where part {number} belongs: one is missing.")
            yield part

    def add(self, part: Part) -> None:
        """Put a part in: its files are on the disk."""
        _write(self._folder / _PARTS / f"{part_name(part.part)}.json", part)

    def left(self) -> LeftOut:
        """What the last run left out; nothing before one came to its end."""
        path = self._folder / _LEFT
        return _read(path, LeftOut) if path.exists() else LeftOut({}, ())

    def leave(self, left: tuple[Left, ...], audience: str) -> None:
        """Write down what a run left out."""
        named = tuple(each for each in left if audience != PUBLIC or each.reason not in HIDDEN)
        _write(self._folder / _LEFT, LeftOut(count_left(left), named))


class _Format(msgspec.Struct):
    """As much of the terms as every format has."""

    format: int


def part_name(number: int) -> str:
    """How a part's files are called."""
    return f"{number:06}"


def _read(path: Path, struct: type[_Struct]) -> _Struct:
    try:
        return msgspec.json.decode(path.read_bytes(), type=struct)
    except (OSError, msgspec.DecodeError) as error:
        raise DatasetRefused(f"{path} cannot be read: {error}") from error


def _write(path: Path, struct: msgspec.Struct) -> None:
    write_durably(path, msgspec.json.format(msgspec.json.encode(struct), indent=1) + b"\n")
