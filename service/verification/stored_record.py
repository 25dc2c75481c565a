"""A stored game as a record that the auditor's own tools read: what the worker validates and audits."""

from collections.abc import Iterator
from itertools import chain

import msgspec

from events.chain.commitments import salt_key
from events.game.record import FORMAT, Header, RecordBroken
from events.log.disclosure import ALL, Form, form_for, viewer_name
from events.log.recorded import RecordedEvent
from events.log.upcasting import NewerSchema, UndecodableEvent
from events.rules.catalogues.catalogue import CatalogueInvalid
from events.store.errors import ArchiveDamaged, StoreDamaged
from events.store.event_store import EventStore
from replay.records.report import Report
from service.access.game_access import SECRET
from service.catalogues.catalogues import catalogue_kept

OPENING = "secret_revealed"
"""The event that opens a game's secret, the last of its log."""
CHUNK = 500
"""Entries read at once."""


class GameUnreadable(Exception):
    """A game cannot be checked here, and nothing is said against it; the message says what it needs."""


def read_stored_record(store: EventStore, game: str, version: int) -> tuple[Header, Iterator[Form]]:
    """Header and entries of a game up to a version, in the scope `all`; entries are read as they are asked for.

    Raises:
        RecordBroken: at the version that is missing or cannot be read, at once or later.
        GameUnreadable: a newer release wrote it, its secret is gone, or its file in the archive is damaged; at once
            or later.
        GameNotFound, StoreUnavailable
    """
    private = store.private(game)
    if SECRET not in private:
        raise GameUnreadable("the store has lost the game's secret")
    forms = _forms(store, game, version, salt_key(private[SECRET]))
    try:
        first = next(forms)
        catalogue = catalogue_kept(private)(str(first.entry["data"]["catalogue"]))
    except StopIteration:
        raise RecordBroken(1, "the log has no entries") from None
    except (CatalogueInvalid, StoreDamaged, LookupError, TypeError) as error:
        raise RecordBroken(1, str(error)) from error
    secret = private[SECRET] if _is_open(store, game, version) else ""
    return Header(FORMAT, game, viewer_name(ALL), catalogue, secret), chain([first], forms)


def _is_open(store: EventStore, game: str, version: int) -> bool:
    """Whether the log up to a version ends with the opening of its secret, which a record's header then names."""
    try:
        return [entry.type for entry in _read(store, game, version - 1, 1)] == [OPENING]
    except StoreDamaged:
        return False


def check_readable(report: Report) -> None:
    """Tell a game that is pinned to what this release has not from one that does not hold.

    Raises:
        GameUnreadable: engine, rule system or options of the first event are unknown here, and its chain hash holds.
    """
    for finding in report.findings:
        if finding.check == "pinned" and finding.version == 1:
            raise GameUnreadable(f"version 1: {finding.reason}")


def _read(store: EventStore, game: str, after: int, limit: int) -> tuple[RecordedEvent, ...]:
    try:
        return store.read(game, after, limit)
    except ArchiveDamaged as damaged:
        raise GameUnreadable(f"{damaged} Put a copy of that file back.") from damaged


def _forms(store: EventStore, game: str, version: int, key: bytes) -> Iterator[Form]:
    after, size = 0, CHUNK
    while after < version:
        try:
            entries = _read(store, game, after, min(size, version - after))
        except StoreDamaged as damaged:
            if size == 1:
                raise RecordBroken(after + 1, str(damaged)) from damaged
            size = 1
            continue
        for recorded in entries:
            after = recorded.version
            try:
                form = form_for(recorded, key, ALL)
            except NewerSchema as newer:
                raise GameUnreadable(f"version {after}: {newer}") from newer
            except (
                msgspec.DecodeError,
                LookupError,
                ValueError,
                TypeError,
                AttributeError,
                UndecodableEvent,
            ) as error:
                raise RecordBroken(after, f"this entry cannot be read: {error}") from error
            yield form
