"""Events as a table for spreadsheets and analysts: one row for each event as the viewer has it, as CSV or Parquet.

The columns, their order and their meaning are documented in docs/replay.md and stay; new ones come at the end.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, and a record may be anybody's work:
in CSV such a text gets an apostrophe in front, which spreadsheets do not show.
"""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime
from io import TextIOWrapper
from itertools import islice
from typing import Any, BinaryIO, NamedTuple, get_type_hints

import msgspec

from events import domain_events as e
from replay.commentary import Commentary
from replay.platform.optional_libraries import require_library
from replay.platform.safe_text import safe, safe_json
from replay.terminal.table_text import is_dated
from replay.timeline.timeline import Step, Timeline

ROWS_AT_ONCE = 10_000
"""Rows of Parquet that are held at a time."""
_FULL_WIDTH = ("\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}", "\N{FULLWIDTH HYPHEN-MINUS}")
_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", *_FULL_WIDTH, "\N{FULLWIDTH COMMERCIAL AT}")
_PARTNER = ("partner", "to", "owner")
_SEAT = ("seat", "active")
_CARDS = ("cards", "card", "hand_cards", "active_cards", "paid", "kept", "coins", "variety", "bonus")


class EventRow(NamedTuple):
    """One event; docs/replay.md says what stands in each column.

    `at` is milliseconds since the epoch, in UTC; None in a simulated game, which has no date.
    """

    game: str
    version: int
    at: int | None
    turn: int
    phase: str
    actor: str
    command: str
    event: str
    seat: int | None
    partner: int | None
    field: int | None
    offer: int | None
    coins: int | None
    cards: tuple[str, ...]
    sentence: str
    data: str
    hash: str
    counts: int


def event_rows(timeline: Timeline, language: str) -> Iterator[EventRow]:
    """The rows of a game, version 1 first."""
    tell = Commentary(timeline.header.catalogue, language)
    for version in range(1, timeline.last + 1):
        yield _row(timeline.at(version), tell)


def _row(step: Step, tell: Commentary) -> EventRow:
    entry, state = step.form.entry, step.state
    return EventRow(
        game=safe(state.game, 60),
        version=step.version,
        at=int(entry["at"]) if is_dated(entry["at"]) else None,
        turn=state.turn,
        phase=safe(state.phase, 60),
        actor=str(entry["actor"]),
        command=str(entry["command"]["type"]) if step.command is not None else "",
        event=str(entry["type"]),
        seat=_first(step.event, _SEAT),
        partner=_first(step.event, _PARTNER),
        field=_first(step.event, ("field",)),
        offer=_first(step.event, ("offer",)),
        coins=_coins(step.event),
        cards=_cards(step.event),
        sentence=tell.sentence(state, step.event),
        data=safe_json(msgspec.json.encode(entry["data"], order="sorted")).decode(),
        hash=step.form.hash,
        counts=int(step.counts),
    )


def _first(event: e.DomainEvent, names: tuple[str, ...]) -> int | None:
    found = (getattr(event, name, None) for name in names)
    return next((value for value in found if isinstance(value, int)), None)


def _coins(event: e.DomainEvent) -> int | None:
    return event.coins if isinstance(event, e.FieldHarvested | e.FieldPaidFromPiles) else None


def _cards(event: e.DomainEvent) -> tuple[str, ...]:
    found: Any = next((getattr(event, name) for name in _CARDS if hasattr(event, name)), ())
    cards = (found,) if isinstance(found, str) else found if isinstance(found, tuple) else ()
    return tuple(safe(str(card), 60) for card in cards)


# --- CSV ---------------------------------------------------------------------------------------------------


def write_csv(timeline: Timeline, language: str, output: BinaryIO) -> None:
    """Write a row for each event, as RFC 4180 has it, in UTF-8 and under a row with the names of the columns."""
    text = TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text)
    writer.writerow(EventRow._fields)
    for row in event_rows(timeline, language):
        writer.writerow(_cells(row))
    text.detach()


def _cells(row: EventRow) -> Iterator[str | int]:
    texts = {"at": "" if row.at is None else moment(row.at), "cards": " ".join(row.cards)}
    for value in (row._asdict() | texts).values():
        yield "" if value is None else harmless(value) if isinstance(value, str) else value


def harmless(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would take it for a formula.

    >>> harmless("=1+1"), harmless("Ann = Ben")
    ("'=1+1", 'Ann = Ben')
    """
    return f"'{text}" if text.lstrip(" \u00a0").startswith(_BEGINS_A_FORMULA) else text


def moment(milliseconds: int) -> str:
    """A moment in UTC (ISO 8601) to the millisecond; one that no calendar has stays a number."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return str(milliseconds)


# --- Parquet -----------------------------------------------------------------------------------------------


def write_parquet(timeline: Timeline, language: str, output: BinaryIO) -> None:
    """Write the same columns as CSV: texts, numbers, a moment in UTC, cards as lists.

    Raises:
        NotInstalled: pyarrow is not there.
    """
    require_library("pyarrow", "Parquet files")
    import pyarrow as pa  # noqa: PLC0415  # only who exports to Parquet needs it, and waits for it
    from pyarrow import parquet  # noqa: PLC0415

    kinds = {
        int: pa.int64(),
        int | None: pa.int64(),
        str: pa.string(),
        tuple[str, ...]: pa.list_(pa.string()),
    }
    label = pa.dictionary(pa.int32(), pa.string())
    labels = dict.fromkeys(("game", "phase", "actor", "command", "event"), label)
    own = {"at": pa.timestamp("ms", tz="UTC"), **labels}
    columns = get_type_hints(EventRow).items()
    schema = pa.schema(
        [pa.field(name, own.get(name, kinds[kind]), nullable=kind == int | None) for name, kind in columns]
    )
    with parquet.ParquetWriter(output, schema, compression="zstd") as writer:
        rows = event_rows(timeline, language)
        while batch := [row._asdict() for row in islice(rows, ROWS_AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
