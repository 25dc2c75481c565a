"""What a witness answers (C2SP tlog-witness, https://c2sp.org/tlog-witness): it co-signs what a log has grown to.

A request is the size that the log believes the witness to know, the proof that it grew from there, and the new
checkpoint. It is co-signed only where it extends the last one that was; so of one size of a log a witness never signs
two, and never a smaller size after a larger one. Its times never decrease either.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from events.transparency.checkpoint import Checkpoint, parse_checkpoint
from events.transparency.cosignature import cosign
from events.transparency.log_proof import decode_hashes
from events.transparency.merkle_tree import EMPTY_ROOT, ProofRefused, check_consistency
from events.transparency.signed_note import LONGEST_NOTE, Note, NoteRefused, VerifierKey, parse_note
from replay.witness.state import Cosigned, WitnessState, hash_of

MOST_PROOF_LINES: Final = 63
LONGEST_REQUEST: Final = 4 * LONGEST_NOTE
"""Bytes of a request at most: its note may have signatures of others, which are up to 5 kB each."""
PLAIN: Final = "text/plain; charset=utf-8"
SIZE: Final = "text/x.tlog.size"
_OLD: Final = re.compile(r"old (0|[1-9][0-9]{0,14})")


class Answer(NamedTuple):
    """What is answered over HTTP."""

    status: int
    body: str
    content_type: str = PLAIN


class Witness:
    """Co-signs the checkpoints of some logs. One call after the other: nothing here may run twice at once."""

    def __init__(self, state: WitnessState, keys: Sequence[VerifierKey], now: Callable[[], float]) -> None:
        """Witness the logs that sign with these keys, of which several may have one name; `now` says the time."""
        self._state = state
        self._now = now
        self._logs: dict[str, list[VerifierKey]] = {}
        for key in keys:
            self._logs.setdefault(key.name, []).append(key)
        self._by_hash: Mapping[str, str] = {hash_of(origin): origin for origin in self._logs}

    def add_checkpoint(self, body: bytes) -> Answer:
        """The answer to a request to co-sign.

        Raises:
            StateUnusable: what was co-signed last cannot be read or written; nothing is co-signed then.
        """
        try:
            old, proof, note = _parse(body)
            checkpoint = parse_checkpoint(note.text)
        except (UnicodeDecodeError, NoteRefused) as refused:
            return _refuse(400, refused)
        keys = self._logs.get(checkpoint.origin)
        if keys is None:
            return _refuse(404, "this witness does not know the log of this name")
        try:
            vouched_for = _vouched_for(note, keys)
        except NoteRefused as refused:
            return _refuse(403, refused)
        return self._cosign(old, proof, vouched_for, checkpoint)

    def checkpoint(self, origin_hash: str) -> Answer:
        """The last checkpoint of a log that was co-signed, for whoever watches it.

        Raises:
            StateUnusable: it cannot be read.
        """
        origin = self._by_hash.get(origin_hash)
        last = None if origin is None else self._state.last(origin)
        if last is None:
            return Answer(404, "this witness has co-signed nothing of such a log\n")
        return Answer(200, last.note)

    def _cosign(self, old: int, proof: Sequence[bytes], note: Note, checkpoint: Checkpoint) -> Answer:
        if old > checkpoint.size:
            return _refuse(400, f"the log has {checkpoint.size} entries, and cannot have had {old}")
        last = self._state.last(checkpoint.origin)
        size = 0 if last is None else last.checkpoint.size
        if old != size:
            return Answer(409, f"{size}\n", SIZE)
        try:
            _check_growth(old, EMPTY_ROOT if last is None else last.checkpoint.root, proof, checkpoint)
        except ProofRefused as refused:
            return _refuse(422, refused)
        # A clock that was put back does not put back what was said.
        at = max(int(self._now()), 1 if last is None else last.at)
        key = self._state.key
        line = cosign(note.text, key.name, self._state.private, at)
        signatures = "".join(each.line() for each in note.signatures)
        self._state.keep(Cosigned(checkpoint, at, f"{note.text}\n{signatures}{line}"))
        return Answer(200, line)


def _refuse(status: int, reason: object) -> Answer:
    return Answer(status, f"{reason}\n")


def _parse(body: bytes) -> tuple[int, tuple[bytes, ...], Note]:
    """The parts of a request: old size, proof, and the signed checkpoint."""
    head, separator, signed = body.decode().partition("\n\n")
    first, *lines = head.split("\n")
    old = _OLD.fullmatch(first)
    if old is None or not separator:
        raise NoteRefused("a request has the line `old <size>`, a proof, an empty line and a checkpoint")
    if len(lines) > MOST_PROOF_LINES:
        raise NoteRefused(f"a proof has at most {MOST_PROOF_LINES} lines")
    return int(old[1]), decode_hashes(lines), parse_note(signed)


def _vouched_for(note: Note, keys: Sequence[VerifierKey]) -> Note:
    """The note with the signatures of these keys alone, of which there must be one."""
    note.require(keys)
    signers = {(each.name, each.id) for each in note.signed_by(keys)}
    return Note(note.text, tuple(each for each in note.signatures if (each.name, each.key_id) in signers))


def _check_growth(old: int, root: bytes, proof: Sequence[bytes], checkpoint: Checkpoint) -> None:
    """Check that the log of this checkpoint begins with the one of size `old` and its root."""
    if not checkpoint.size and checkpoint.root != EMPTY_ROOT:
        raise ProofRefused("a log without entries has another root")
    if old:
        check_consistency(old, checkpoint.size, root, checkpoint.root, proof)
    elif proof:
        raise ProofRefused("from a log without entries to any other there is nothing to prove")
