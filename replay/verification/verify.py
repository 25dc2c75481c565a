"""Verifying a record: re-derive everything, trust nothing.

Entry by entry, up to the first thing that does not hold. Nothing that a record says makes a verification
fail: whatever goes wrong while an entry is checked becomes a finding with its version, in one place.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeVar, TypeVarTuple

import msgspec

from events.domain_events import Card
from events.game.record import Forms, Header, RecordBroken, read_record
from events.log.disclosure import Form
from events.rules.table.state import GameState
from replay.annotations.book import AnnotationBook
from replay.annotations.record_checks import CHECK as ANNOTATIONS
from replay.annotations.record_checks import AnnotationChecks
from replay.platform.safe_text import safe
from replay.records.report import Discrepancy, Finding, Report, list_unknown
from replay.verification.attestations import AttestationChecks, Trust
from replay.verification.entry import VerifiedEntry
from replay.verification.execution.derivation import write_line
from replay.verification.times import NO_SEEDS, SHOWN
from replay.verification.verification import Verification

NOTHING_TRUSTED: Final = Trust()
"""For a reader who brings nothing along: what is attached to a record is checked against itself."""


def verify(header: Header, forms: Iterable[Form]) -> Report:
    """Verify a record, given as its header and its entries in the header's scope.

    Forms are asked for one at a time. An error of their source passes through, except RecordBroken, which is
    a finding; no error comes out of what the forms hold.
    """
    return Verifier(header).verify(forms)


def verify_lines(lines: Iterable[bytes], trust: Trust = NOTHING_TRUSTED) -> Report:
    """Verify a record, given as the lines of its file, with what is attached to it and what its reader trusts.

    An unreadable header is a finding at version 0.
    """
    try:
        header, forms = read_record(lines)
    except RecordBroken as broken:
        return broken_report(broken)
    return Verifier(header, AttestationChecks(trust)).verify(forms)


def broken_report(broken: RecordBroken) -> Report:
    """The report on a record whose header cannot be read."""
    finding = Finding("record", broken.version, safe(broken.reason))
    return Report(ok=False, scope="", game="", findings=(finding,), stopped_early=True)


_Given = TypeVarTuple("_Given")
_Found = TypeVar("_Found")


class Verifier:
    """Verifies the entries of one record while handing them on.

    Attributes:
        finding: the first thing that does not hold; None so far.
    """

    def __init__(
        self,
        header: Header,
        attested: AttestationChecks | None = None,
        *,
        ask_rules: bool = True,
        is_live: bool = False,
    ) -> None:
        """Begin a verification of the record with this header, and of what is attached to it.

        Without `ask_rules` the commands are not put to the rules: an audit does that itself. With `is_live` the game
        is still running, so its header names no secret.
        """
        self.finding: Finding | None = None
        self._verification = Verification(header, ask_rules=ask_rules, is_live=is_live)
        self._attested = attested
        self._is_held = header.annotations > 0 or (attested is not None and attested.trust.looks_at_entries)
        self._read: Forms | None = None
        self._game = header.game
        self._annotated = AnnotationChecks(header.game) if header.annotations else None

    def iterate_verified(self, forms: Iterable[Form]) -> Iterator[VerifiedEntry]:
        """Every entry that holds, up to the first that does not; `finding` then says why."""
        read = self._read = forms if isinstance(forms, Forms) else None
        rest = iter(forms)
        try:
            self._run_step(self._begin)
            while True:
                entry = None
                if read is not None and (line := read.next_line()):
                    entry = self._run_step(self._accept, line)
                    if entry is not None:
                        read.skip(entry.hash)
                if entry is None:
                    form = next(rest, None)
                    if form is None:
                        break
                    entry = self._run_step(self._follow, form)
                yield entry
            self._run_step(self._finish)
        except RecordBroken as broken:
            self.finding = Finding("record", broken.version, safe(broken.reason))
        except Discrepancy as found:
            version = self._verification.version if found.version is None else found.version
            self.finding = Finding(found.check, version, safe(str(found)))

    def _begin(self) -> None:
        self._verification.begin()
        if self._attested is not None:
            self._attested.begin(self._game)

    def _accept(self, line: bytes) -> VerifiedEntry | None:
        """The entry of a line that follows; None where it has to be read."""
        entry = self._verification.accept(line)
        if entry is not None and self._is_held:
            self._hold(entry)
        return entry

    def _follow(self, form: Form) -> VerifiedEntry:
        """The entry of a form; where it was read, its line does not follow."""
        entry = None
        if self._read is None:
            entry = self._verification.accept(write_line(form))
        if entry is None:
            entry = self._verification.follow(form)
        self._hold(entry)
        return entry

    def _hold(self, entry: VerifiedEntry) -> None:
        """Hold an entry against what the reader brought and what the record carries."""
        if self._attested is not None:
            self._attested.follow(entry)
        if self._annotated is not None and self._read is not None:
            if entry.version == 1:
                self._annotated.begin(self._read.annotations)
            self._annotated.follow(entry.version, entry.hash)

    def _finish(self) -> None:
        self._verification.finish()
        if self._annotated is not None and self._read is not None:
            self._annotated.finish()
        if self._attested is not None and self._read is not None:
            self._attested.finish(self._verification.game_head, self._read.attachments)

    def _run_step(self, step: Callable[[*_Given], _Found], *given: *_Given) -> _Found:
        """Take one step; whatever a record's values do to the code that reads them comes out as a Discrepancy."""
        try:
            return step(*given)
        except (Discrepancy, MemoryError):
            # That memory was not enough says nothing about a record.
            raise
        except Exception as error:  # what comes in is hostile; here is the one place that expects anything
            reason = f"this cannot be processed ({type(error).__name__}: {safe(str(error), 200)})"
            raise Discrepancy(self._verification.checking, reason) from error

    def verify(self, forms: Iterable[Form]) -> Report:
        """The outcome for all forms."""
        for _ in self.iterate_verified(forms):
            pass
        return self.report()

    @property
    def state(self) -> GameState:
        """The table after the last entry that held, as the record's viewer sees it."""
        return self._verification.state

    @property
    def laid(self) -> Mapping[tuple[str, int], tuple[Card, ...]]:
        """How each pile that was shuffled was laid, top card first, by pile and number; empty without the secret."""
        return self._verification.laid

    @property
    def annotations(self) -> AnnotationBook:
        """What the record carries of annotations, once its first entry was verified."""
        return AnnotationBook(self._game) if self._annotated is None else self._annotated.book

    def report(self) -> Report:
        """The outcome, once every form was asked for."""
        report = self._verification.report(self.finding)
        if self._annotated is not None and self._annotated.made:
            report = msgspec.structs.replace(
                report, checks={**report.checks, ANNOTATIONS: self._annotated.made}
            )
        if self._attested is not None:
            report = msgspec.structs.replace(
                report,
                signed_by=self._attested.signed_by,
                trusted=self._attested.trusted,
                logged=self._attested.logged,
                brought=self._attested.brought,
                bounds=self._attested.witnesses.bounds,
                seeds=SHOWN
                if self._attested.has_shown and report.seeds not in ("", NO_SEEDS)
                else report.seeds,
                checks=report.checks | self._attested.made,
            )
        return msgspec.structs.replace(report, unknown=list_unknown(report))
