"""Auditing a stored game: both engines are asked again about every command, and each answer is signed.

There is a receipt for each version of the rules that was asked: the one that the game is pinned to and, where that
is another one, today's. An audit never touches the game: what a correction of the rules would have changed is
written into the receipt, and the verdict on the game is that of the rules of its day.
"""

from typing import Final

import msgspec

from events.game.record import RecordBroken
from events.rules.definition.rule_system import ENGINE_VERSION
from events.rules.errors import UnknownSystem
from events.rules.systems.registry import system_named
from events.store.errors import GameNotFound
from events.store.event_store import EventStore, Head
from events.transparency.audit_receipt import AGREES, DIFFERS, INVALID, UNKNOWN_SYSTEM, AuditReceipt
from replay.platform.safe_text import safe
from replay.records.report import Finding, Report
from replay.verification.audit import AuditReport, EngineReport, audit
from service.verification.receipts import PublishedReceipt
from service.verification.signing_keys import SigningKeys
from service.verification.store import Receipts
from service.verification.stored_record import check_readable, read_stored_record

MOST_SHOWN: Final = 20
"""Differences listed in a receipt's report; all are counted, and `fieldbook replay audit` lists them."""


class Auditor:
    """Audits the games of a store."""

    def __init__(self, store: EventStore, keys: SigningKeys) -> None:
        """Audit games of this store and sign with these keys."""
        self._store = store
        self._keys = keys
        self._receipts = Receipts(store)

    def audit(self, game: str, at: int, *, again: bool = False) -> tuple[PublishedReceipt, ...]:
        """The receipts of a finished game as it stands, made now (at `at`, milliseconds since the epoch) or before.

        Raises:
            GameUnreadable: this release cannot audit it, and says nothing against it.
            GameNotFound, StoreUnavailable
        """
        head = self._store.head(game)
        if head is None:
            raise GameNotFound(game)
        known = tuple(each for each in self._receipts.of(game) if concerns(each, head))
        if is_complete(known) and not again:
            return known
        made = tuple(self._sign(game, head, at, each) for each in _answers(self._audit(game, head)))
        self._receipts.publish(game, made)
        return made

    def _audit(self, game: str, head: Head) -> AuditReport:
        try:
            report = audit(*read_stored_record(self._store, game, head.version))
        except RecordBroken as broken:
            return _broken(Report(ok=False, scope="all", game=game), broken.version, broken.reason)
        found = report.verification
        check_readable(found)
        if found.ok and (found.head, found.status) != (head.hash, "finished"):
            return _broken(
                found, head.version, "the log does not end as the store says: finished, with this hash"
            )
        return report

    def _sign(self, game: str, head: Head, at: int, answer: "_Answer") -> PublishedReceipt:
        text = AuditReceipt(
            game, head.version, head.hash, answer.system, answer.system_version, ENGINE_VERSION, answer.result
        ).text()
        differences = answer.asked.differences[:MOST_SHOWN] if answer.asked is not None else ()
        return PublishedReceipt(
            version=head.version,
            hash=head.hash,
            system=answer.system,
            system_version=answer.system_version,
            engine_version=ENGINE_VERSION,
            pinned=answer.pinned,
            result=answer.result,
            commands=answer.asked.commands if answer.asked is not None else 0,
            differing=answer.asked.differing if answer.asked is not None else 0,
            differences=differences,
            findings=answer.findings,
            at=at,
            note=self._keys.sign(text),
        )


class _Answer(msgspec.Struct, frozen=True):
    """What one version of the rules says of a game."""

    system: str
    system_version: int
    pinned: bool
    result: str
    asked: EngineReport | None = None
    findings: tuple[Finding, ...] = ()


def concerns(receipt: PublishedReceipt, head: Head) -> bool:
    """Whether a receipt is about the game at this head, by the engine of this installation."""
    found = receipt.version, receipt.hash, receipt.engine_version
    return found == (head.version, head.hash, ENGINE_VERSION)


def is_complete(receipts: tuple[PublishedReceipt, ...]) -> bool:
    """Whether these receipts say all that an audit could say today: of the pinned rules and of today's."""
    if any(each.result == INVALID for each in receipts):
        return True
    asked = {(each.system, each.system_version) for each in receipts}
    return any(each.pinned for each in receipts) and any(_is_newest(*each) for each in asked)


def _is_newest(system: str, version: int) -> bool:
    try:
        return system_named(system).version == version
    except UnknownSystem:
        return False


def _answers(report: AuditReport) -> list[_Answer]:
    found = report.verification
    if not found.ok:
        system, version = (found.system, found.system_version) if found.system else (UNKNOWN_SYSTEM, 0)
        return [_Answer(system, version, pinned=True, result=INVALID, findings=found.findings)]
    answers: dict[int, _Answer] = {}
    for asked in report.engines:
        pinned = asked.system_version == found.system_version
        result = DIFFERS if asked.differing else AGREES
        answers[asked.system_version] = _Answer(
            found.system, asked.system_version, pinned=pinned, result=result, asked=asked
        )
    return list(answers.values())


def _broken(report: Report, version: int, reason: str) -> AuditReport:
    findings = (Finding("record", version, safe(reason)),)
    return AuditReport(ok=False, verification=msgspec.structs.replace(report, ok=False, findings=findings))
