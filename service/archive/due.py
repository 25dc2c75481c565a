"""Which games are to be archived, as the log itself tells; and which stay though they are old enough, and why.

The feeds are asked, not the list of games: that one may be behind, and leaves out what it could not read.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from events.store.errors import GameNotFound, StoreDamaged
from events.store.event_store import Head
from service.storage.store import Store
from service.verification.finished_games import LAST_EVENT, list_games
from service.verification.store import Validations

INVALID: Final = "it was found invalid"
NOT_VALIDATED: Final = "it has not been validated as it stands"


class ReviewedGame(msgspec.Struct, frozen=True):
    """A game that ended long enough ago, and is not archived."""

    game: str
    version: int
    stays: str = ""
    """Why it is not archived; empty where it is due."""


def review_games(
    store: Store, now: int, after_seconds: int, games: Iterable[tuple[str, int]] | None = None
) -> Iterator[ReviewedGame]:
    """The games that ended so long before `now` (milliseconds since the epoch), and those that cannot be read.

    Looked at are all games, or `games` as `list_games` has them. For one that was put back from the archive it is the
    time since then that counts.

    Raises:
        StoreUnavailable
    """
    validations = Validations(store)
    latest = now - after_seconds * 1000
    for game, version in list_games(store) if games is None else games:
        try:
            if store.archiving.tombstone(game) is not None:
                continue
            last = store.read(game, version - 1, 1)
            head = store.head(game)
        except GameNotFound:
            yield ReviewedGame(game, version, "its feed tells of it, and its log is gone")
        except StoreDamaged as damaged:
            yield ReviewedGame(game, version, str(damaged))
        else:
            if head is None or last[0].type != LAST_EVENT:
                continue
            if max(last[0].at, store.archiving.restored_at(game)) <= latest:
                yield ReviewedGame(game, version, reason_to_stay(validations, game, head))


def reason_to_stay(validations: Validations, game: str, head: Head) -> str:
    """Why a game is not archived as it stands; empty where its newest report found this very log finished and valid.

    Raises:
        StoreUnavailable
    """
    reports = validations.reports(game)
    newest = reports[0] if reports else {}
    if (newest.get("version"), newest.get("head"), newest.get("status")) == (
        head.version,
        head.hash,
        "finished",
    ):
        return "" if newest.get("ok") else INVALID
    return INVALID if newest and not newest.get("ok") else NOT_VALIDATED
