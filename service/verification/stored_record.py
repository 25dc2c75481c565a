"""A stored game as a record that the auditor's own tools read: what the worker validates and audits."""

from collections.abc import Iterator
from itertools import chain

import msgspec

from events.game.dealing import log_salt_key
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
from service.verification.finished_games import LAST_EVENT

CHUNK = 1000
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
    forms = _forms(store, game, version, private[SECRET])
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
        return [entry.type for entry in store.read(game, version - 1, 1)] == [LAST_EVENT]
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


def read_in_pieces(store: EventStore, game: str, after: int, version: int) -> Iterator[RecordedEvent]:
    """The entries behind one version up to another, also those in front of a place that is damaged.

    Raises:
        StoreDamaged: at that place.
        GameNotFound, StoreUnavailable
    """
    size = CHUNK
    while after < version:
        try:
            entries = store.read(game, after, min(size, version - after))
        except StoreDamaged as damaged:
            if size == 1 or isinstance(damaged, ArchiveDamaged):
                raise
            size = 1
            continue
        if not entries:
            raise StoreDamaged(f"Game {game} ends at version {after}; its feed tells of version {version}.")
        yield from entries
        after = entries[-1].version


def _forms(store: EventStore, game: str, version: int, secret: str) -> Iterator[Form]:
    after, key = 0, b""
    try:
        for recorded in read_in_pieces(store, game, 0, version):
            after, key = recorded.version, key or log_salt_key(recorded, secret)
            yield _form(recorded, key)
    except ArchiveDamaged as damaged:
        raise GameUnreadable(f"{damaged} Put a copy of that file back.") from damaged
    except StoreDamaged as damaged:
        raise RecordBroken(after + 1, str(damaged)) from damaged


def _form(recorded: RecordedEvent, key: bytes) -> Form:
    try:
        return form_for(recorded, key, ALL)
    except NewerSchema as newer:
        raise GameUnreadable(f"version {recorded.version}: {newer}") from newer
    except (
        msgspec.DecodeError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        UndecodableEvent,
    ) as error:
        raise RecordBroken(recorded.version, f"this entry cannot be read: {error}") from error
