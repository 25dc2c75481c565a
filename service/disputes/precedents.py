"""Final rulings by what they are about, over all games: what arbiters decided before about the like.

They stand in the dispute logs of their games; here is only an index, one sorted set for each reason, so that nobody
has to look through all games. Told are those of public games that have finished: everybody may see their cases.
"""

from typing import Final

from events.disputes.state import FINAL, Case
from events.store.errors import ArchiveUnavailable, GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from replay.exports.evidence.case import EarlierRuling, earlier_rulings
from service.access.game_access import PUBLIC_GAME, GameAccess
from service.disputes.disputes import Disputes
from service.disputes.store import DisputeRecords
from service.verification.finished_games import LAST_EVENT

MOST_TOLD: Final = 10
"""Cases of other games in one pack at most."""
_LOOKED_AT: Final = 50


class Precedents:
    """The rulings in a store. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Look among those of this store."""
        self._store = store
        self._records = DisputeRecords(store)
        self._disputes = Disputes(store)
        self._game_access = GameAccess(store)

    def about(self, reason: str, elsewhere_than: str) -> list[EarlierRuling]:
        """The newest final rulings with this reason in other games."""
        found: list[EarlierRuling] = []
        told = 0
        for game, number in self._records.indexed_rulings(reason, _LOOKED_AT):
            if told == MOST_TOLD:
                break
            if game != elsewhere_than and self._is_everybodys(game):
                rulings = self._rulings(game, number)
                found += rulings
                told += bool(rulings)
        return found

    def _rulings(self, game: str, number: int) -> list[EarlierRuling]:
        """The rulings in one case; none where its log cannot be read, which is another one's affair."""
        try:
            cases = self._disputes.of(game).cases
        except StoreDamaged:
            return []
        chosen: tuple[Case, ...] = cases[number - 1 : number]
        return [
            each
            for case in chosen
            if case.status == FINAL
            for each in earlier_rulings(game, (case,), case.reason)
        ]

    def _is_everybodys(self, game: str) -> bool:
        """Whether a game has finished, and everybody may watch it."""
        if self._game_access.policy(game).visibility != PUBLIC_GAME:
            return False
        try:
            head = self._store.head(game)
            return head is not None and self._store.read(game, head.version - 1, 1)[0].type == LAST_EVENT
        except (ArchiveUnavailable, GameNotFound, StoreDamaged):
            return False
