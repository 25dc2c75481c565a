"""What stands behind a record besides its own chain: signatures, the transparency log, and what the reader kept.

A record may have attached to it the service's signature on its head and the proof that this head is in the service's
log. Whoever verifies brings what they trust: published keys, a checkpoint and receipts kept from earlier. Without
trusted keys the attached ones are used: that finds what was changed by accident, not who changed it on purpose.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, ParamSpec, TypeVar

from msgspec.structs import replace

from events.game.record import Attachment
from events.transparency.checkpoint import Checkpoint, parse_checkpoint
from events.transparency.cosignature import WitnessKey
from events.transparency.game_commitment import GameCommitment, is_game_commitment, parse_game_commitment
from events.transparency.game_head import GameHead, parse_game_head
from events.transparency.log_proof import (
    ConsistencyProof,
    InclusionProof,
    parse_consistency_proof,
    parse_inclusion_proof,
)
from events.transparency.merkle_tree import ProofRefused
from events.transparency.signed_note import Note, NoteRefused, VerifierKey, parse_note
from replay.records.report import NOTHING_BROUGHT, Brought, Discrepancy
from replay.verification.entry import VerifiedEntry
from replay.verification.witnesses import EarlierCheckpoint, WitnessChecks

_ROTATED: Final = (
    "the service has another key under this name: where it was rotated, download /v1/signing-keys of the service and"
    " give the file as --signing-keys"
)
_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Trust:
    """What the reader of a record brings along."""

    keys: tuple[VerifierKey, ...] = ()
    """Keys that the record must be signed with; none: those attached to it will do."""
    checkpoint: Note | None = None
    """A checkpoint of the log kept from earlier: the game must have been in the log by then."""
    receipts: tuple[Note, ...] = ()
    """Signed heads of this game that were kept, which the chain must go through, or the signed commitment to it."""
    witnesses: tuple[WitnessKey, ...] = ()
    """Witnesses one of which must have co-signed a log that holds the game."""
    earlier: tuple[EarlierCheckpoint, ...] = ()
    """Checkpoints that they have co-signed before."""
    now: int | None = None
    """The reader's own clock, in milliseconds since the epoch: no witness may be far ahead of it. None: not asked."""

    @property
    def looks_at_entries(self) -> bool:
        """Whether each entry has to be held against it."""
        return bool(self.receipts or self.witnesses)


@dataclass(slots=True)
class AttestationChecks:
    """Checks what is attached to one record, against what its reader trusts.

    Attributes:
        signed_by: the published form of the key that signed the head; empty where none did.
        trusted: whether that key is one that the reader brought along.
        logged: where the head stands in the log, such as `entry 4 of 12`; empty where no proof is attached.
        brought: what the reader brought, that the record was held against.
        made: how often each check was made.
        has_shown: whether the game has the commitment that the reader kept from before it.
        witnesses: when it was played, by what witnesses have said.
    """

    trust: Trust
    signed_by: str = ""
    trusted: bool = False
    logged: str = ""
    brought: Brought = NOTHING_BROUGHT
    made: dict[str, int] = field(default_factory=dict)
    has_shown: bool = False
    witnesses: WitnessChecks = field(init=False)
    _promised: GameCommitment | None = None
    _receipts: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Ask the witnesses that the reader trusts."""
        self.witnesses = WitnessChecks(self.trust.witnesses, self.trust.earlier, self.trust.now)

    def begin(self, game: str) -> None:
        """Read the receipts that the reader kept.

        Raises:
            Discrepancy: one is about another game, or not signed by a trusted key.
        """
        self.witnesses.begin()
        for note in self.trust.receipts:
            if self.trust.keys:
                _require("signature", note.require, self.trust.keys)
            if is_game_commitment(note.text):
                self._promised = _require("signature", parse_game_commitment, note.text)
                _check_game(self._promised.game, game)
                continue
            head = _require("signature", parse_game_head, note.text)
            _check_game(head.game, game)
            if self._receipts.setdefault(head.version, head.hash) != head.hash:
                raise Discrepancy(
                    "signature", "two receipts name different heads of one version", head.version
                )

    def follow(self, entry: VerifiedEntry) -> None:
        """Hold an entry against the receipts and what witnesses have said.

        Raises:
            Discrepancy: a receipt names another chain hash, or another commitment, or its time cannot be.
        """
        self.witnesses.follow(entry)
        if self._promised is not None and entry.version == 1:
            self._count("signature")
            if entry.state.commitment != self._promised.commitment:
                raise Discrepancy("signature", "another commitment than this one was given out for the game")
            if entry.at < self._promised.at:
                raise Discrepancy("signature", "the commitment was given out after the game was set up")
            self.has_shown = True
        receipt = self._receipts.pop(entry.version, None)
        if receipt is None:
            return
        self._count("signature")
        if receipt != entry.hash:
            raise Discrepancy(
                "signature", f"the receipt kept from earlier names the chain hash {receipt[:8]}"
            )
        self.brought = replace(self.brought, receipts=self.brought.receipts + 1, receipts_to=entry.version)

    def finish(self, head: GameHead, attachments: Sequence[Attachment]) -> None:
        """Check what is attached, for a record that ends with this head.

        Raises:
            Discrepancy: of the checks `signature` and `log`.
        """
        for version in self._receipts:
            raise Discrepancy("signature", f"the record ends before version {version} of a receipt", version)
        self.brought = replace(self.brought, keys=len(self.trust.keys))
        published = tuple(
            _require("signature", VerifierKey.parse, text) for text in _contents(attachments, "key")
        )
        keys = self.trust.keys or published
        self._check_signature(head, attachments, keys, published)
        self._check_log(head, attachments, keys)

    def _check_signature(
        self,
        head: GameHead,
        attachments: Sequence[Attachment],
        keys: Sequence[VerifierKey],
        published: Sequence[VerifierKey],
    ) -> None:
        notes = _contents(attachments, "head")
        if not notes and self.trust.keys:
            raise Discrepancy("signature", "the record is not signed")
        for text in notes:
            note = _require("signature", parse_note, text)
            signer = _require("signature", _signer, note, keys)
            for key in published:
                _require("signature", note.require, (key,))
            if note.text != head.text():
                raise Discrepancy("signature", "what is signed is not the head of this record")
            self.signed_by, self.trusted = str(signer), signer in self.trust.keys
            self._count("signature")

    def _check_log(
        self, head: GameHead, attachments: Sequence[Attachment], keys: Sequence[VerifierKey]
    ) -> None:
        proofs = [
            _require("log", parse_inclusion_proof, text) for text in _contents(attachments, "inclusion")
        ]
        for proof in proofs:
            if proof.extra:
                raise Discrepancy("log", "nothing extra stands in a proof that is attached to a record")
            _check_origin(proof.checkpoint, _require("log", proof.note.require, keys))
            _require("log", proof.check, head.text())
            self.logged = f"entry {proof.index} of {proof.checkpoint.size}"
            self._count("log")
        self.witnesses.finish(proofs)
        consistency = [
            _require("log", parse_consistency_proof, text) for text in _contents(attachments, "consistency")
        ]
        if self.trust.checkpoint is None:
            return
        if not proofs:
            raise Discrepancy("log", "the record has no proof that it is in the log of the checkpoint")
        self._check_kept(self.trust.checkpoint, proofs[-1], consistency, keys)

    def _check_kept(
        self,
        note: Note,
        proof: InclusionProof,
        consistency: Sequence[ConsistencyProof],
        keys: Sequence[VerifierKey],
    ) -> None:
        kept, shown = _require("log", parse_checkpoint, note.text), proof.checkpoint
        _check_origin(kept, _require("log", note.require, keys))
        if kept.origin != shown.origin:
            raise Discrepancy("log", f"the checkpoint is of the log {kept.origin}, not of {shown.origin}")
        if proof.index >= kept.size:
            raise Discrepancy(
                "log", f"the game was logged as entry {proof.index}, after the checkpoint of {kept.size}"
            )
        old, new = sorted((kept, shown), key=lambda each: each.size)
        if old.size == new.size and old.root != new.root:
            raise Discrepancy("log", f"the log has shown two different states of {old.size} entries")
        if old.size != new.size:
            fitting = [each for each in consistency if (each.old, each.new) == (old.size, new.size)]
            if not fitting:
                raise Discrepancy(
                    "log",
                    f"no consistency proof from {old.size} to {new.size} entries is attached to the record",
                )
            _require("log", fitting[0].check, old, new)
        self.brought = replace(self.brought, checkpoint=True)
        self._count("log")

    def _count(self, check: str) -> None:
        self.made[check] = self.made.get(check, 0) + 1


def _check_game(named: str, game: str) -> None:
    if named != game:
        raise Discrepancy("signature", f"the receipt is about the game {named}, not this one", 0)


def _check_origin(checkpoint: Checkpoint, signer: VerifierKey) -> None:
    if checkpoint.origin != signer.name:
        raise Discrepancy("log", f"a checkpoint of {checkpoint.origin[:60]} is signed by {signer.name}")


def _signer(note: Note, keys: Sequence[VerifierKey]) -> VerifierKey:
    """Return the key that signed a record's head.

    Raises:
        NoteRefused: none of these did, or a signature is false; it says what to fetch after a rotation.
    """
    try:
        return note.require(keys)
    except NoteRefused as refused:
        if {each.name for each in keys}.isdisjoint(each.name for each in note.signatures) or note.signed_by(
            keys
        ):
            raise
        raise NoteRefused(f"{refused}; {_ROTATED}") from refused


def _contents(attachments: Sequence[Attachment], kind: str) -> list[str]:
    return [each.content for each in attachments if each.attached == kind]


def _require(
    check: str, ask: Callable[_Asked, _Answer], *args: _Asked.args, **kwargs: _Asked.kwargs
) -> _Answer:
    try:
        return ask(*args, **kwargs)
    except (NoteRefused, ProofRefused) as refused:
        raise Discrepancy(check, str(refused)) from refused
