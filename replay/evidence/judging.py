"""What the verifier says of a log up to the disputed entry, and what the rules answer to its commands."""

from collections.abc import Iterator

import msgspec

from events.disclosure import Form
from events.record import WITHOUT_SECRET, Header
from replay.audit import audit
from replay.evidence.pack import Verdict
from replay.timeline import COMMAND, Timeline


def verdict_on(timeline: Timeline, version: int) -> Verdict:
    """Audit the beginning of a record up to the end of what the command of this version brought about.

    The secret is left out: it was not open then, and what it proves is a matter of the whole game.
    """
    through = whole_step(timeline, version)
    report = audit(without_secret(timeline.header), _forms(timeline, through))
    found = report.verification
    findings = found.findings
    if not findings and timeline.broken is not None and timeline.last < version:
        findings = (timeline.broken,)
    return Verdict(
        ok=report.ok and not findings,
        through=through,
        entries=found.entries,
        head=found.head,
        findings=findings,
        engines=report.engines,
    )


def whole_step(timeline: Timeline, version: int) -> int:
    """The version at which everything is done that this one's command asked for, the dealer's part too."""
    ends = timeline.stops[COMMAND]
    for place in range(len(ends)):
        end = ends[place]
        if end >= version:
            state = timeline.recording.at(end).moment.whole
            if state.due is None and state.status != "ended":
                return end
    return timeline.last


def without_secret(header: Header) -> Header:
    """The header of the same record while the game runs."""
    return msgspec.structs.replace(header, record=WITHOUT_SECRET, secret="", attached=(), annotations=0)


def _forms(timeline: Timeline, through: int) -> Iterator[Form]:
    return (timeline.recording.at(version).form for version in range(1, through + 1))
