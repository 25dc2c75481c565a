"""Having the transparency log witnessed: each new checkpoint goes to each witness, and what it co-signs is kept.

A timer looks whether the log has grown. What has to be sent is sent by a thread of its own for each witness, so that
one that is slow or away holds up neither the timer nor the others; it is asked again after a pause that doubles. How
far a witness has come is no state of ours: it says so itself where we are wrong (C2SP tlog-witness, status 409).
"""

import logging
import random
from collections.abc import Callable, Sequence
from threading import Lock, Thread
from typing import Final, NamedTuple

from events.store.errors import StoreError
from events.transparency.cosignature import check_past, cosignatures
from events.transparency.log_proof import encode_hashes, parse_consistency_proof
from events.transparency.signed_note import NoteRefused, parse_note
from service.platform.clock import now_milliseconds
from service.platform.setting_kinds import WitnessAddress
from service.platform.timer import Due
from service.verification.signing_keys import SigningKeysUnusable
from service.verification.transparency_log import NoSuchEntry, TransparencyLog
from service.verification.witness_client import NotAnswered, post

LOOK_SECONDS: Final = 1.0
SHORTEST_PAUSE: Final = 2.0
"""Seconds between two checkpoints that are sent to one witness at least: under load one stands for many games."""
LONGEST_PAUSE: Final = 600.0
COUNTS: Final = "witnessing"
"""Under this name it is counted what became of asking."""
_OK: Final = 200
_CONFLICT: Final = 409
_log = logging.getLogger("fieldbook.witnessing")

Post = Callable[[str, bytes], tuple[int, bytes]]
Count = Callable[[str, str], None]
"""Is told the name of a witness and what became of asking it: `cosigned`, `away` where no answer came, `refused`,
`ahead` where its clock is far ahead of ours, or `failed` where our own store or keys could not be used."""


class _Refused(Exception):
    """A witness does not co-sign, or not in a way that can be used; the message says why."""


class _Ahead(_Refused):
    """A witness has co-signed at a time that is yet to come, by our clock."""


_OUTCOMES: Final = ((_Ahead, "ahead"), (NotAnswered, "away"), ((_Refused, NoteRefused), "refused"))
"""What a failure is counted as; every other one is ours."""
_FAILURES: Final = (_Refused, NotAnswered, NoSuchEntry, StoreError, NoteRefused, SigningKeysUnusable)


class _Course(NamedTuple):
    """How it goes with one witness."""

    is_busy: bool = False
    """Whether a thread is at work for it."""
    known: int = 0
    """The size that it has confirmed last."""
    sent: int = -1
    """The size that it has co-signed in this process's time."""
    due: float = 0.0
    """When it may be asked again: milliseconds since the epoch."""
    pause: float = SHORTEST_PAUSE


class Witnessing:
    """Has the log of an installation witnessed."""

    def __init__(
        self,
        log: TransparencyLog,
        witnesses: Sequence[WitnessAddress],
        *,
        post: Post = post,
        count: Count = lambda _name, _outcome: None,
        now: Callable[[], int] = now_milliseconds,
    ) -> None:
        """Have this log witnessed by these; `post` sends a request and returns status and body.

        `count` is told what became of each request, and `now` is our clock (milliseconds since the epoch).
        """
        self._log = log
        self._witnesses = witnesses
        self._post = post
        self._count = count
        self._now = now
        self._courses = dict.fromkeys(witnesses, _Course())
        self._lock = Lock()

    @property
    def is_busy(self) -> bool:
        """Whether a witness is being asked."""
        with self._lock:
            return any(each.is_busy for each in self._courses.values())

    def declaration(self) -> Due:
        """What the timer does; it only looks, and leaves the rest to threads."""
        return Due("checkpoints for witnesses", self.look, LOOK_SECONDS)

    def look(self, now: int) -> None:
        """Begin to send the checkpoint as it stands to each witness that has not co-signed it and may be asked.

        Raises:
            StoreError
        """
        size = self._log.size()
        for witness in self._witnesses:
            with self._lock:
                course = self._courses[witness]
                if course.is_busy or course.sent == size or now < course.due:
                    continue
                self._courses[witness] = course._replace(is_busy=True)
            Thread(
                target=self._work, args=(witness, now), name=f"witness {witness.key.name}", daemon=True
            ).start()

    def _work(self, witness: WitnessAddress, now: int) -> None:
        course = self._courses[witness]
        try:
            course = self.submit(witness, course)
        except _FAILURES as reason:
            self._count(witness.key.name, _outcome(reason))
            _log.warning(
                "witness %s has not co-signed, and is asked again in %d s: %s",
                witness.key.name,
                course.pause,
                reason,
            )
            jitter = random.uniform(0.8, 1.2)  # noqa: S311 - so that processes do not keep in step
            course = course._replace(
                due=now + 1000 * course.pause * jitter, pause=min(LONGEST_PAUSE, 2 * course.pause)
            )
        else:
            self._count(witness.key.name, "cosigned")
            course = course._replace(due=now + 1000 * SHORTEST_PAUSE, pause=SHORTEST_PAUSE)
        finally:
            with self._lock:
                self._courses[witness] = course._replace(is_busy=False)

    def submit(self, witness: WitnessAddress, course: _Course) -> _Course:
        """Send the checkpoint as it stands to a witness and keep what it co-signs; a wrong size is put right once.

        Raises:
            What `_FAILURES` names: it is tried again later.
        """
        size, known = self._log.size(), min(course.known, self._log.size())
        for _ in range(2):
            checkpoint = self._log.checkpoint(size)
            proof = parse_consistency_proof(self._log.consistency_proof(known, size)) if known else None
            body = f"old {known}\n{encode_hashes(proof.hashes) if proof else ''}\n{checkpoint}"
            status, said = self._post(f"{witness.url}/add-checkpoint", body.encode())
            if status == _OK:
                self._log.cosign(size, _line(witness, checkpoint, said, self._now() / 1000))
                return course._replace(known=size, sent=size)
            if status != _CONFLICT:
                raise _Refused(f"it answers with {status}: {said[:200]!r}")
            known = _size(said)
            if known > size:
                raise _Refused(f"it has seen {known} entries of a log that has {size}: were some lost?")
        raise _Refused(f"it names another size each time, {known} at last")


def _outcome(reason: Exception) -> str:
    return next((outcome for kind, outcome in _OUTCOMES if isinstance(reason, kind)), "failed")


def _line(witness: WitnessAddress, checkpoint: str, said: bytes, now: float) -> str:
    """The signature line of the witness in its answer, verified; others in it count for nothing."""
    text = parse_note(checkpoint).text
    for line in said.decode(errors="replace").split("\n"):
        if not line.startswith("— "):
            continue
        note = parse_note(f"{text}\n{line}\n")
        if found := cosignatures(note, (witness.key,)):
            try:
                check_past(found, now)
            except NoteRefused as refused:
                raise _Ahead(str(refused)) from refused
            return f"{line}\n"
    raise _Refused("its answer holds no cosignature by its key")


def _size(said: bytes) -> int:
    text = said.strip()
    if not text.isdigit() or len(text) > 15:  # noqa: PLR2004 - as in a checkpoint
        raise _Refused(f"the size that it names is none: {said[:40]!r}")
    return int(text)
