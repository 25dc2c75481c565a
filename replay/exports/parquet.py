"""Events as Parquet, with typed columns, for analysts. Needs pyarrow, which is optional."""

from itertools import islice
from typing import BinaryIO

from replay.exports.rows import event_rows
from replay.platform.optional_libraries import require_library
from replay.timeline.timeline import Timeline

ROWS_AT_ONCE = 10_000


def write_parquet(timeline: Timeline, language: str, output: BinaryIO) -> None:
    """Write the same columns as CSV: texts, numbers, a moment in UTC, cards as lists.

    Raises:
        NotInstalled: pyarrow is not there.
    """
    require_library("pyarrow", "Parquet files")
    import pyarrow as pa  # noqa: PLC0415  # only who exports to Parquet needs it, and waits for it
    from pyarrow import parquet  # noqa: PLC0415

    label = pa.dictionary(pa.int32(), pa.string())
    number = pa.int64()
    schema = pa.schema(
        [
            pa.field("game", label, nullable=False),
            pa.field("version", number, nullable=False),
            pa.field("at", pa.timestamp("ms", tz="UTC"), nullable=False),
            pa.field("turn", number, nullable=False),
            pa.field("phase", label, nullable=False),
            pa.field("actor", label, nullable=False),
            pa.field("command", label, nullable=False),
            pa.field("event", label, nullable=False),
            pa.field("seat", number),
            pa.field("partner", number),
            pa.field("field", number),
            pa.field("offer", number),
            pa.field("coins", number),
            pa.field("cards", pa.list_(pa.string()), nullable=False),
            pa.field("sentence", pa.string(), nullable=False),
            pa.field("data", pa.string(), nullable=False),
            pa.field("hash", pa.string(), nullable=False),
            pa.field("counts", number, nullable=False),
        ]
    )
    with parquet.ParquetWriter(output, schema, compression="zstd") as writer:
        rows = event_rows(timeline, language)
        while batch := [row._asdict() for row in islice(rows, ROWS_AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
