"""The files of an archive, read without the store that they came from."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from events.game.record import read_record
from replay.across.left import NotTaken, Reason
from replay.across.source import ENDINGS, NOTHING_BESIDE, Beside, OpenedGame
from replay.client.sources import lines_in
from replay.platform.safe_text import safe
from service.platform.targets import FileMissing, Target, open_target


class ArchivedGames:
    """A `GameSource` of the records in an archive; their names are their files'.

    What a file does not tell, such as whether a game is private, only the store knows. Every method may raise
    TargetUnavailable, which ends a map.
    """

    def __init__(self, address: str, options: str = "") -> None:
        """Read the archive at this address, with these options of its file system."""
        self._address, self._options = address, options

    def __getstate__(self) -> dict[str, str]:
        """Return what another process needs: it connects for itself."""
        return {"_address": self._address, "_options": self._options}

    @cached_property
    def _target(self) -> Target:
        return open_target(self._address, self._options)

    def names(self) -> Iterator[str]:
        """The names of all record files, sorted.

        Raises:
            FileNotFoundError: the archive is not there, which is not the same as empty.
        """
        if not self._target.is_there():
            raise FileNotFoundError(f"The archive is not there: {self._address}.")
        return (name for name in sorted(self._target.names()) if name.endswith(ENDINGS))

    def beside(self, _name: str) -> Beside:
        """Nothing, without the store."""
        return NOTHING_BESIDE

    @contextmanager
    def open(self, name: str) -> Iterator[OpenedGame]:
        """Open a file (see `GameSource.open`)."""
        try:
            content = self._target.read(name)
        except FileMissing as error:
            raise NotTaken(Reason.UNREADABLE, safe(str(error))) from error
        yield OpenedGame(*read_record(lines_in(content)))
