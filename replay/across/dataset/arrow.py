"""Tables of a dataset as Arrow and Parquet have them: schemas, the rows of a game, and the bytes of a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Final

import pyarrow as pa
from pyarrow import parquet

from replay.across.dataset.columns import JSON, MOMENT, Table
from replay.across.dataset.format import FORMAT, TABLES
from replay.across.dataset.names import Names
from replay.across.dataset.told_game import ToldGame
from replay.across.played_game import PlayedGame

_TYPES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "text": pa.string(),
        JSON: pa.string(),
        "integer": pa.int64(),
        MOMENT: pa.timestamp("ms", tz="UTC"),
        "boolean": pa.bool_(),
        "number": pa.float64(),
        "list of texts": pa.list_(pa.string()),
        "list of integers": pa.list_(pa.int64()),
    }
)


def table_schema(table: Table, audience: str = "") -> Any:
    """The schema of a table; with an audience, as a file for it carries it: format, table, what each column means."""
    meant = audience != ""
    fields = [
        pa.field(
            column.name,
            _TYPES[column.kind],
            nullable=column.optional,
            metadata={"meaning": column.meaning} if meant else None,
        )
        for column in table.columns
    ]
    told = {"fieldbook.dataset": str(FORMAT), "fieldbook.table": table.name, "fieldbook.audience": audience}
    return pa.schema(fields, metadata=told if meant else None)


_SCHEMAS: Final = MappingProxyType({table.name: table_schema(table) for table in TABLES})


@dataclass(frozen=True, slots=True)
class TabulatedGame:
    """The rows of one game.

    Attributes:
        system: its rule system.
        month: the month in which it ended.
        rows: for each table a record batch of Arrow.
    """

    system: str
    month: str
    rows: Mapping[str, Any]

    @property
    def size(self) -> int:
        """How many rows they are in all tables."""
        return sum(int(batch.num_rows) for batch in self.rows.values())


@dataclass(frozen=True, slots=True)
class Tabulate:
    """The function of one game that makes the rows of all tables, for `map_games`."""

    names: Names

    def __call__(self, played: PlayedGame) -> TabulatedGame:
        """Make the rows of a game."""
        told = ToldGame(played, self.names)
        rows = {table.name: _batch(_SCHEMAS[table.name], list(table.rows(told))) for table in TABLES}
        return TabulatedGame(played.system, told.month, rows)


def _batch(schema: Any, rows: Sequence[tuple[Any, ...]]) -> Any:
    columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def batch_bytes(batch: Any) -> bytes:
    """The rows of a game in one table as bytes for another process: Arrow's own form of them, compressed."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue())


def read_batch(written: bytes) -> Any:
    """The rows that these bytes stand for."""
    with pa.ipc.open_stream(written) as reader:
        return reader.read_next_batch()


def parquet_writer(file: BinaryIO, table: Table, audience: str) -> Any:
    """What writes the file of a table: the same rows, in the same row groups, always give the same bytes."""
    return parquet.ParquetWriter(file, table_schema(table, audience), compression="zstd")


def read_ruled(folder: Path) -> dict[str, str]:
    """What the rows of a dataset's games say of rulings after their ends (column `ruled`), where there were some."""
    found: dict[str, str] = {}
    for path in sorted((folder / "games").glob("*/*/*.parquet")):
        games = parquet.read_table(path, columns=["game", "ruled"])
        rows = zip(games["game"].to_pylist(), games["ruled"].to_pylist(), strict=True)
        found |= {game: ruled for game, ruled in rows if ruled}
    return found


def whole_table(table: Table, batches: Sequence[Any], audience: str) -> Any:
    """The rows of several games in one piece, as a file for an audience carries them."""
    whole = pa.Table.from_batches(batches, _SCHEMAS[table.name]).combine_chunks()
    return pa.Table.from_arrays(whole.columns, schema=table_schema(table, audience))
