"""Cursors: a place in a game's history that names the chain hash there, so another history is told from this one.

A store that fails over, or loses the end of its file with the machine, comes back older than it was. Who holds an
entity tag or a cursor from before must hear of it, and not go on in a history that nobody shares any more.
"""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from events.chain.hash_chain import GENESIS
from events.log.disclosure import Form
from events.log.recorded import RecordedEvent
from service.http.context.services import services
from service.http.context.turns import LONG
from service.http.messages.bodies import forms, headers_for
from service.http.messages.problems import Problem
from service.http.schemas.queries import CURSOR_PATTERN
from service.play.tables import LoadedGame

"""A version such as `41`, or a cursor such as `41-0f3c9a1e`."""
_CURSOR: Final = re.compile(CURSOR_PATTERN, re.ASCII)
LOST: Final = "history_lost"
FORKED: Final = "history_forked"


class Cursor(NamedTuple):
    """The version that was read last, and the beginning of its chain hash; empty where only the version is known."""

    version: int
    hash: str = ""

    def __str__(self) -> str:
        """The form in which it is handed out."""
        return f"{self.version}-{self.hash}" if self.hash else str(self.version)


def cursor_at(version: int, chain_hash: str) -> Cursor:
    """The cursor of a version with its whole chain hash."""
    return Cursor(version, chain_hash[:8])


def cursor_in(text: str | None) -> Cursor | None:
    """Read a version or a cursor; None when it is neither, or not given."""
    if text is None or not _CURSOR.fullmatch(text):
        return None
    version, _, chain_hash = text.partition("-")
    return Cursor(int(version), chain_hash)


def cursor_after(page: Sequence[Any], loaded: LoadedGame, begun: Cursor) -> Cursor:
    """The cursor behind a page of forms that begins after `begun`."""
    if page:
        return cursor_at(page[-1].entry["version"], page[-1].hash)
    return begun if begun.hash else cursor_at(begun.version, _hash_at(loaded, begun.version))


def code_for(loaded: LoadedGame, seen: Cursor) -> str | None:
    """What has become of the history that a cursor is from: lost, forked, or None where it is this one."""
    if seen.version > loaded.table.version:
        return LOST
    if seen.hash and not _hash_at(loaded, seen.version).startswith(seen.hash):
        return FORKED
    return None


def refuse_another_history(loaded: LoadedGame, seen: Cursor, viewer: int, status: HTTPStatus) -> None:
    """Refuse what was decided or read in a history that is not this game's any more.

    The answer holds where the game is, and the first events, as the viewer may see them, after the last version
    that both histories can have in common; `next` is the version of the last of them.

    Raises:
        Problem: `history_lost` or `history_forked`, with this status.
    """
    code = code_for(loaded, seen)
    if code is None:
        return
    table = loaded.table
    shared = max(0, min(seen.version - 1, table.version))
    events = missed_after(loaded, shared, viewer)
    raise Problem(
        status,
        code,
        _detail(code, loaded, seen, shared),
        headers=headers_for(table.version, table.hash),
        version=table.version,
        hash=table.hash,
        cursor=str(cursor_at(table.version, table.hash)),
        shared=shared,
        events=events,
        next=shared + len(events),
    )


def missed_after(loaded: LoadedGame, version: int, viewer: int) -> list[Form]:
    """The first events after a version, as the viewer may see them: a page that is not long.

    Raises:
        StoreUnavailable
    """
    table = loaded.table
    # Up to this table and no further: the log may have come further than the caller may see.
    most = min(LONG, table.version - version)
    return forms(services().store.read(table.game, version, most), table.key, viewer) if most > 0 else []


def with_own_hash(loaded: LoadedGame, seen: Cursor) -> Cursor:
    """The cursor with its hash, so that what is lost while its holder waits is told as well."""
    if seen.hash or seen.version > loaded.table.version:
        return seen
    return cursor_at(seen.version, _hash_at(loaded, seen.version))


def find_divergence(entries: Sequence[RecordedEvent], seen: Cursor) -> str | None:
    """As `code_for`, from the log's entries beginning with the one at the cursor (or the first one, at version 0)."""
    if not entries:
        return LOST
    return None if not seen.version or entries[0].hash.startswith(seen.hash) else FORKED


def _detail(code: str, loaded: LoadedGame, seen: Cursor, shared: int) -> str:
    if code == LOST:
        what = (
            f"The log of this game once had version {seen.version} and has lost it: it ends at version "
            f"{loaded.table.version}."
        )
    else:
        what = (
            f"Version {seen.version} of this game is another one than you have seen: its history has forked."
        )
    rest = f"Drop what you have read after version {shared}, and read on from there"
    return f"{what} {rest}; from further back where that has forked too."


def _hash_at(loaded: LoadedGame, version: int) -> str:
    table = loaded.table
    if version == table.version:
        return table.hash
    return services().store.read(table.game, version - 1, 1)[0].hash if version else GENESIS
