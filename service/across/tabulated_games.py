"""The rows of a game for a dataset, on their way from a worker: Arrow's own form of them, compressed."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from replay.across.dataset.names import Names
from replay.across.played_game import PlayedGame
from replay.platform.optional_libraries import require_library

if TYPE_CHECKING:
    from replay.across.dataset.arrow import TabulatedGame


class _Written(msgspec.Struct, frozen=True):
    system: str
    month: str
    tables: dict[str, bytes]


def tabulating(_arguments: Sequence[str]) -> "Callable[[PlayedGame], TabulatedGame]":
    """The function that makes the rows of a game, with the names in its record.

    Raises:
        NotInstalled: it needs pyarrow, and it is not here.
    """
    require_library("pyarrow", "Parquet files")
    from replay.across.dataset.arrow import Tabulate  # noqa: PLC0415 - needs pyarrow

    return Tabulate(Names())


def write_tabulated(game: "TabulatedGame") -> bytes:
    """The rows of a game as bytes."""
    from replay.across.dataset.arrow import batch_bytes  # noqa: PLC0415 - needs pyarrow

    tables = {name: batch_bytes(batch) for name, batch in game.rows.items()}
    return msgspec.msgpack.encode(_Written(game.system, game.month, tables))


def read_tabulated(written: bytes) -> "TabulatedGame":
    """The rows that these bytes stand for."""
    from replay.across.dataset.arrow import TabulatedGame, read_batch  # noqa: PLC0415 - needs pyarrow

    found = msgspec.msgpack.decode(written, type=_Written)
    rows = {name: read_batch(table) for name, table in found.tables.items()}
    return TabulatedGame(found.system, found.month, rows)
