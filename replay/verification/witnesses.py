"""When a game was played, by the clocks of witnesses: what their cosignatures on the log can say, and what not.

Not later: a witness signs a checkpoint with the time, and the record proves that the game's head is in the log of
that checkpoint. So everything up to the head was there by then.

Not earlier: what holds the hash of something that nobody could know before a moment is younger than that moment. A
cosignature is such a thing, for only the witness can make it. The one place in a game where people put in what they
like, before anything is dealt, is the seed of a seat; where it is the SHA-256 of a co-signed checkpoint, the game
from that entry on is not older than the cosignature, whoever chose it.

Logged after: one witness co-signs only logs that have grown out of each other. Where it has co-signed one that is too
small to hold the game, it had not seen the game in the log by then. That bounds when it was logged, not when it was
played: the service may have kept it back.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from events import domain_events as e
from events.transparency.checkpoint import Checkpoint, parse_checkpoint
from events.transparency.cosignature import MOST_AHEAD, Cosignature, WitnessKey, check_past, cosignatures
from events.transparency.log_proof import InclusionProof
from events.transparency.signed_note import Note, NoteRefused, parse_note
from replay.records.report import NO_BOUNDS, Bounds, Discrepancy, Witnessed
from replay.verification.entry import VerifiedEntry

CLOCKS_DIFFER: Final = 1000 * MOST_AHEAD
"""Milliseconds by which the clocks of service and witness may differ before a record's times are a finding."""


@dataclass(frozen=True, slots=True)
class EarlierCheckpoint:
    """A co-signed checkpoint that its reader kept from before the game, or from before it was logged."""

    note: Note
    digest: str
    """SHA-256 of its text with all signature lines, as `sha256sum` says it of the file."""

    @classmethod
    def parse(cls, text: str) -> "EarlierCheckpoint":
        """Read it.

        Raises:
            NoteRefused: it is no signed note.
        """
        return cls(parse_note(text), hashlib.sha256(text.encode()).hexdigest())


@dataclass(slots=True)
class WitnessChecks:
    """Holds one record against what witnesses have said.

    Attributes:
        bounds: what is known of its time so far.
    """

    keys: Sequence[WitnessKey]
    earlier: Sequence[EarlierCheckpoint]
    now: int | None = None
    """By the reader's own clock, in milliseconds since the epoch; None where nothing is held against that."""
    bounds: Bounds = NO_BOUNDS
    _by_digest: dict[str, tuple[Checkpoint, tuple[Cosignature, ...]]] = field(default_factory=dict)
    _bound: set[str] = field(default_factory=set)
    """The digests of those checkpoints that have bound something."""
    _last_at: int = 0

    @property
    def is_asked(self) -> bool:
        """Whether the reader trusts any witness."""
        return bool(self.keys)

    def begin(self) -> None:
        """Read the earlier checkpoints.

        Raises:
            Discrepancy: one is none, or no witness that is trusted has co-signed it.
        """
        for each in self.earlier:
            checkpoint, found = self._cosigned(each.note)
            if not found:
                raise Discrepancy("log", "no witness of yours has co-signed the earlier checkpoint", 0)
            self._by_digest[each.digest] = checkpoint, found

    def follow(self, entry: VerifiedEntry) -> None:
        """Look whether an entry holds the hash of an earlier checkpoint.

        Raises:
            Discrepancy: it says that it is older than what it holds.
        """
        self._last_at = entry.at
        if not self._by_digest or not isinstance(entry.event, e.SeatTaken):
            return
        seed = entry.event.seed
        for digest, (_, found) in self._by_digest.items():
            if digest not in seed:
                continue
            self._bound.add(digest)
            # All of the lines are in the hash, so the last one had been made by then.
            at = 1000 * max(each.at for each in found)
            if entry.at + CLOCKS_DIFFER < at:
                raise Discrepancy(
                    "log", f"the entry says that it is of {entry.at}, and holds what a witness made at {at}"
                )
            if at > self.bounds.not_earlier:
                self._set(not_earlier=at, not_earlier_from=entry.version)

    def finish(self, proofs: Sequence[InclusionProof]) -> None:
        """Look who has co-signed the checkpoints that hold the game's head; the proofs were checked.

        Raises:
            Discrepancy: nobody that is trusted; or the record's times cannot be, by what they say.
        """
        if not self.is_asked:
            return
        found = [
            (each.key, Witnessed(str(each.key), proof.checkpoint.size, 1000 * each.at))
            for proof in proofs
            for each in self._cosigned(proof.note)[1]
        ]
        if not found:
            raise Discrepancy(
                "log",
                "no witness of yours has co-signed a log that holds the game"
                if proofs
                else "the record has no proof that it is in a log that witnesses have co-signed",
            )
        witnessed = tuple(sorted((each for _, each in found), key=lambda each: (each.at, each.witness)))
        self._set(witnessed=witnessed, not_later=witnessed[0].at)
        self._check_times()
        for digest, (checkpoint, cosigned) in self._by_digest.items():
            made: dict[WitnessKey, int] = {}
            for each in cosigned:
                made[each.key] = max(each.at, made.get(each.key, 0))
            self._compare(digest, checkpoint, made, proofs, found)

    def _compare(
        self,
        digest: str,
        earlier: Checkpoint,
        made: dict[WitnessKey, int],
        proofs: Sequence[InclusionProof],
        found: Sequence[tuple[WitnessKey, Witnessed]],
    ) -> None:
        """What an earlier checkpoint says about when the game was logged, by witnesses that have seen both."""
        shown = proofs[0]
        if earlier.origin != shown.checkpoint.origin:
            raise Discrepancy(
                "log", f"the earlier checkpoint is of the log {earlier.origin[:60]}, not of this one"
            )
        both = [made[key] for key, _ in found if key in made]
        if earlier.size <= shown.index and both:
            self._set(logged_after=max(self.bounds.logged_after, 1000 * max(both)))
            self._bound.add(digest)
        if digest not in self._bound:
            raise Discrepancy(
                "log",
                f"the game is in the log of the earlier checkpoint of {earlier.size} entries, and no seed comes from"
                " it"
                if earlier.size > shown.index
                else "no seed comes from the earlier checkpoint, and no witness has co-signed both logs",
            )

    def _check_times(self) -> None:
        at, bounds = self._last_at, self.bounds
        if at - CLOCKS_DIFFER > bounds.not_later:
            raise Discrepancy(
                "log",
                f"the record's times go to {at}, and a witness has seen its head in the log at {bounds.not_later}",
            )
        if bounds.not_earlier - CLOCKS_DIFFER > bounds.not_later:
            raise Discrepancy(
                "log",
                "a witness has seen the head before the seeds can have been chosen: its clock cannot be right",
            )

    def _cosigned(self, note: Note) -> tuple[Checkpoint, tuple[Cosignature, ...]]:
        try:
            checkpoint, found = parse_checkpoint(note.text), cosignatures(note, self.keys)
            if self.now is not None:
                check_past(found, self.now / 1000)
        except NoteRefused as refused:
            raise Discrepancy("log", str(refused)) from refused
        return checkpoint, found

    def _set(self, **changed: object) -> None:
        given = {name: getattr(self.bounds, name) for name in Bounds.__struct_fields__}
        self.bounds = Bounds(**(given | changed))
