"""Games in figures outside of memory: it holds where each of them lies, however much there is to say of a game."""

import weakref
from collections.abc import Iterable, Iterator
from tempfile import SpooledTemporaryFile
from typing import Final

import msgspec

from replay.across.screening.figures.game import ScreenedGame

ROOM: Final = 8 << 20
"""Bytes that wait in memory before a file is made."""
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(ScreenedGame).decode


class Spool:
    """Games in the order of their ids, read anew whenever somebody goes through them."""

    def __init__(self, games: Iterable[ScreenedGame] = ()) -> None:
        """Take these games.

        Raises:
            OSError: there is no room for temporary files.
        """
        self._file = SpooledTemporaryFile(ROOM)  # noqa: SIM115 (open as long as somebody goes through it)
        weakref.finalize(self, self._file.close)
        self._places: list[tuple[str, str, int, int]] = []
        self._end = 0
        for game in games:
            self.add(game)

    def add(self, game: ScreenedGame) -> None:
        """Take one more game.

        Raises:
            OSError: there is no room for temporary files.
        """
        packed = _encode(game)
        self._file.seek(self._end)
        self._file.write(packed)
        self._places.append((game.game, game.source, self._end, len(packed)))
        self._end += len(packed)

    def __len__(self) -> int:
        """How many games there are."""
        return len(self._places)

    def __iter__(self) -> Iterator[ScreenedGame]:
        """The games by id, and by source where an id is there twice."""
        for _, _, place, size in sorted(self._places):
            self._file.seek(place)
            yield _decode(self._file.read(size))
