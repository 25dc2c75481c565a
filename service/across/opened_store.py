"""The finished games of a store that is open, with what it knows besides."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from events.game.record import RecordBroken
from events.log.disclosure import Form
from events.store.errors import GameNotFound, StoreDamaged
from events.store.partitions import partition_of
from replay.across.left import NotTaken, Reason
from replay.across.source import Beside, OpenedGame
from replay.platform.safe_text import safe
from service.access.game_access import GameAccess
from service.disputes.disputes import Disputes
from service.storage.store import Store
from service.verification.finished_games import list_finished_games
from service.verification.stored_record import GameUnreadable, read_stored_record


def go_on(_entry: int) -> None:
    """Give way to nobody."""


class OpenedStore:
    """A `GameSource` of the games of a store, for one process; their names are their ids.

    Every method may raise StoreUnavailable: what a store that is away holds is not left out, it is not known.
    """

    def __init__(self, store: Store, after_each: Callable[[int], None] = go_on) -> None:
        """Read this store; `after_each` is called after each entry that was read, with its number."""
        self._store, self._after_each = store, after_each
        self._disputes = Disputes(store)

    def names(self) -> Iterator[str]:
        """The ids of all finished games, partition by partition, in the order in which they were begun."""
        return list_finished_games(self._store)

    def beside(self, name: str) -> Beside:
        """Who may see the game, whether its partition is in quarantine, and what was ruled about it after its end.

        One that lost its secret is private.
        """
        store = self._store
        policy = GameAccess(store).of(name).policy
        quarantine = store.quarantine.reasons().get(partition_of(name, store.partitions), "")
        (ruled,) = self._disputes.ruled([name])
        return Beside(policy.visibility, quarantine, "" if ruled is None else ruled.kind)

    def ruled(self) -> dict[str, str]:
        """What rulings made of games after their ends, of all games of which they made something, by id."""
        return {game: result.kind for game, result in self._disputes.all_ruled().items()}

    @contextmanager
    def open(self, name: str) -> Iterator[OpenedGame]:
        """Open a game (see `GameSource.open`)."""
        store = self._store
        try:
            head = store.head(name)
            if head is None:
                raise NotTaken(Reason.UNREADABLE, "the feed tells of it, and its log is gone")
            header, forms = read_stored_record(store, name, head.version)
            yield OpenedGame(header, self._readable(forms))
        except GameUnreadable as error:
            raise NotTaken(Reason.UNREADABLE, safe(str(error))) from error
        except (GameNotFound, StoreDamaged) as error:
            raise RecordBroken(0, str(error)) from error

    def _readable(self, forms: Iterable[Form]) -> Iterator[Form]:
        """The entries as they are read; where the store cannot hand them out, the reason is the game's."""
        try:
            for number, form in enumerate(forms, 1):
                yield form
                self._after_each(number)
        except GameUnreadable as error:
            raise NotTaken(Reason.UNREADABLE, safe(str(error))) from error
