"""Evidence packs: built from a game's log for the cases that wait for one, and kept beside the cases.

The dispute log is the truth about which case waits, and which packs there are: a pack is kept under its own hash
before the log names it. Where somebody writes into the log meanwhile, it is built again with what they said. So a
job that runs twice, or dies half-way, leaves the same as one that runs once; at most a pack that nothing names, which
goes with the next one. `kept_packs` says which others go.
"""

import zlib
from typing import Final

from events.disputes.events import CaseEventRecord, EvidencePackBuilt
from events.disputes.facts import SERVICE
from events.disputes.state import Case
from events.game.record import RecordBroken
from events.log.disclosure import ALL
from events.store.errors import GameNotFound, StoreDamaged
from events.store.event_store import EventStore
from replay.annotations.permissions import Reader, visible
from replay.exports.evidence.builder import build_pack
from replay.exports.evidence.case import collect_dispute, earlier_rulings
from replay.exports.evidence.pack import FORMAT, EvidencePack, pack_bytes, pack_hash
from replay.timeline.timeline import Timeline, read_timeline
from service.annotations.store import Annotations
from service.disputes.disputes import DisputeLog, Disputes
from service.disputes.kept_packs import choose_unneeded
from service.disputes.store import DisputeRecords, Moved
from service.play.outcome import TooBusy
from service.verification.stored_record import read_stored_record

MOST_AT_ONCE: Final = 3
"""Packs that one job builds at most: the next sweep asks for the others, and other games have their turn."""
_TRIES: Final = 20
_ARBITER: Final = Reader(arbitrates=True)


class EvidencePacks:
    """The packs of a store's cases. Every method may raise StoreUnavailable and StoreDamaged."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._store = store
        self._records = DisputeRecords(store)
        self._disputes = Disputes(store)
        self._annotations = Annotations(store)

    def newest(self, game: str, case: Case) -> bytes | None:
        """The newest pack of a case, as JSON; None while there is none."""
        return self.kept(game, case.pack) if case.pack is not None else None

    def kept(self, game: str, sha256: str) -> bytes | None:
        """The pack of a game with this hash, as JSON; None where there is none."""
        packed = self._records.pack(game, sha256)
        if packed is None:
            return None
        content = zlib.decompress(packed)
        if pack_hash(content) != sha256:
            raise StoreDamaged(f"The evidence pack {sha256} of game {game} is not the one that was kept.")
        return content

    def build(self, game: str, at: int) -> int:
        """Build the packs that the cases of a game wait for, some of them where there are many; returns how many.

        Raises:
            GameNotFound, GameUnreadable, PartitionQuarantined
            TooBusy: others wrote every time.
        """
        built = 0
        for _ in range(_TRIES):
            log = self._disputes.of(game)
            waiting = next((case for case in log.cases if case.pack_due and not case.is_over), None)
            if waiting is None or built >= MOST_AT_ONCE:
                return built
            content = pack_bytes(self._pack(log, waiting))
            try:
                built += self._keep(log, waiting, content, at)
            except Moved:
                continue
        raise TooBusy

    def _pack(self, log: DisputeLog, case: Case) -> EvidencePack:
        timeline = self._timeline(log.game)
        kept = self._annotations.of(log.game)
        published = visible(kept.book, {}, _ARBITER, is_over=False)
        return build_pack(
            timeline,
            collect_dispute((entry.happened for entry in log.entries), case.number),
            rulings=earlier_rulings(log.game, [each for each in log.cases if each != case], case.reason),
            annotations=published.standing,
            dispute_log=len(log.entries),
        )

    def _timeline(self, game: str) -> Timeline:
        head = self._store.head(game)
        if head is None:
            raise GameNotFound(game)
        try:
            header, forms = read_stored_record(self._store, game, head.version)
        except RecordBroken as broken:
            raise StoreDamaged(f"The log of game {game} cannot be read: {broken}.") from broken
        return read_timeline(header, forms, ALL)

    def _keep(self, log: DisputeLog, case: Case, content: bytes, at: int) -> bool:
        """Keep a pack and write it down; False where another worker was faster.

        Raises:
            Moved: the case is not where the pack has it.
        """
        sha256 = pack_hash(content)
        self._records.keep_pack(log.game, sha256, zlib.compress(content, 9))
        # Those that others kept before this one is named, and have not named, they have to build anew.
        sizes = self._records.pack_sizes(log.game)
        last = log.entries[-1].happened.at
        event = EvidencePackBuilt(version=case.version, sha256=sha256, format=FORMAT)
        happened = [CaseEventRecord(case.number, max(at, last), SERVICE, event)]
        request = f"evidence-pack/{case.number}/{len(log.entries)}"
        _, known = self._disputes.append(log, happened, SERVICE.who, request, "")
        if not known:
            now = self._disputes.of(log.game)
            self._records.remove_packs(log.game, choose_unneeded(now.entries, now.cases, sizes))
        return not known
