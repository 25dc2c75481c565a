"""Verifying a record: re-derive everything, trust nothing.

Entry by entry, up to the first thing that does not hold. Nothing that a record says makes a verification
fail: whatever goes wrong while an entry is checked becomes a finding with its version, in one place.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from events.disclosure import Form
from events.record import Header, RecordBroken, read_record
from replay.report import Discrepancy, Finding, Report
from replay.safe_text import safe
from replay.verification import Verification


def verify(header: Header, forms: Iterable[Form]) -> Report:
    """Verify a record, given as its header and its entries in the header's scope.

    Forms are asked for one at a time. An error of their source passes through, except RecordBroken, which is
    a finding; no error comes out of what the forms hold.
    """
    verifier = Verifier(header)
    for _ in verifier.verified(forms):
        pass
    return verifier.report()


def verify_lines(lines: Iterable[bytes]) -> Report:
    """Verify a record, given as the lines of its file; an unreadable header is a finding at version 0."""
    try:
        header, forms = read_record(lines)
    except RecordBroken as broken:
        finding = Finding("record", broken.version, safe(broken.reason))
        return Report(ok=False, scope="", game="", findings=(finding,), stopped_early=True)
    return verify(header, forms)


class Verifier:
    """Verifies the forms of one record while handing them on.

    Attributes:
        finding: the first thing that does not hold; None so far.
    """

    def __init__(self, header: Header) -> None:
        """Begin a verification of the record with this header."""
        self.finding: Finding | None = None
        self._verification = Verification(header)

    def verified(self, forms: Iterable[Form]) -> Iterator[Form]:
        """Every form that holds, up to the first that does not; `finding` then says why."""
        verification = self._verification
        rest = iter(forms)
        try:
            _checked(verification, verification.begin)
            while (form := next(rest, None)) is not None:
                _checked(verification, partial(verification.follow, form))
                yield form
            _checked(verification, verification.finish)
        except RecordBroken as broken:
            self.finding = Finding("record", broken.version, safe(broken.reason))
        except Discrepancy as found:
            version = verification.version if found.version is None else found.version
            self.finding = Finding(found.check, version, safe(str(found)))

    def report(self) -> Report:
        """The outcome, once every form was asked for."""
        return self._verification.report(self.finding)


def _checked(verification: Verification, step: Callable[[], None]) -> None:
    """Take one step; whatever a record's values do to the code that reads them comes out as a Discrepancy."""
    try:
        step()
    except Discrepancy:
        raise
    except Exception as error:  # what comes in is hostile; here is the one place that expects anything
        reason = f"this cannot be processed ({type(error).__name__}: {safe(str(error), 200)})"
        raise Discrepancy(verification.checking, reason) from error
