"""An evidence pack from a record. Nothing else goes in than what is given, so everybody who has it gets the same."""

from collections.abc import Iterable, Iterator
from operator import attrgetter

import msgspec

from events.chain.hash_chain import GENESIS
from events.domain_events import GameCreated
from events.game.explaining_time import Moment, explain_time
from events.game.record import Header
from events.log.disclosure import ALL, Form, public_form
from replay.annotations.on_screen import note_lines
from replay.annotations.sets import Standing
from replay.commentary import Commentary
from replay.exports.evidence.case import MOST_RULINGS, Dispute, EarlierRuling
from replay.exports.evidence.pack import FORMAT, Annotation, Disputed, EvidencePack, Head, Proof, Verdict
from replay.exports.evidence.perspectives import perspectives
from replay.exports.evidence.rewind_targets import ways_back
from replay.exports.evidence.surroundings import list_arrivals, list_log_lines, stretch_around, time_used
from replay.timeline.recording import Recording
from replay.timeline.timeline import COMMAND, Timeline
from replay.verification.audit import audit


class NotWhole(ValueError):
    """A pack cannot be made from this record; the message says why."""


class UnknownFormat(ValueError):
    """A pack has a format that this release does not read; the message says which."""


def build_pack(
    timeline: Timeline,
    dispute: Dispute,
    *,
    rulings: Iterable[EarlierRuling] = (),
    annotations: Iterable[Standing] = (),
    dispute_log: int = 0,
) -> EvidencePack:
    """The evidence pack about a dispute, from the record of its game as far as that goes.

    Args:
        timeline: a record in the scope `all`.
        dispute: the case.
        rulings: what was ruled in other cases about the same kind of thing.
        annotations: what was published about the game.
        dispute_log: how far the game's dispute log is known.

    Raises:
        NotWhole: the record hides something, is empty, or does not go up to the disputed version.
    """
    version = dispute.version
    _check(timeline, version)
    tell = Commentary(timeline.header.catalogue)
    around = stretch_around(timeline, version)
    last = timeline.at(timeline.last)
    arrivals = list_arrivals(timeline)
    near = [each for each in arrivals if each.version in around]
    holds = version <= timeline.last
    return EvidencePack(
        format=FORMAT,
        game=timeline.header.game,
        system=last.state.system,
        system_version=last.state.system_version,
        dispute=dispute,
        dispute_log=dispute_log,
        head=Head(last.version, last.form.hash, last.state.status),
        disputed=_describe_entry(timeline, version, tell) if holds else None,
        proof=_proof(timeline, version) if holds else None,
        verdict=verdict_on(timeline, version),
        around=tuple(list_log_lines(timeline, around, tell)),
        arrivals=tuple(near),
        time_used=time_used(near, last.state, tell),
        time_used_overall=time_used(arrivals, last.state, tell),
        perspectives=perspectives(timeline, version, tell) if holds else (),
        ways_back=ways_back(timeline, version) if holds else (),
        annotations=tuple(
            _annotation(each)
            for each in annotations
            if each.withdrawn is None and each.first.moment.version in around
        ),
        time=explain_time(_moments(timeline), version) if holds and _has_clock(timeline) else None,
        rulings=tuple(sorted(rulings, key=attrgetter("at", "game", "dispute", "kind"))[-MOST_RULINGS:]),
    )


def _has_clock(timeline: Timeline) -> bool:
    created = timeline.at(1).event
    return isinstance(created, GameCreated) and created.clock is not None


def _moments(timeline: Timeline) -> Iterator[Moment]:
    for version in range(1, timeline.last + 1):
        step = timeline.at(version)
        yield Moment(version, int(step.form.entry["at"]), step.event, step.state)


def rebuild_pack(timeline: Timeline, pack: EvidencePack) -> EvidencePack:
    """The pack that this record gives for the same case at the same moment: the same one, if that is genuine.

    What people said is taken from the pack: the case, its evidence, annotations and earlier rulings.

    Raises:
        NotWhole: the record hides something, or does not go so far.
        UnknownFormat: the pack has another format.
    """
    if pack.format != FORMAT:
        raise UnknownFormat(f"the pack has the format {pack.format}; {FORMAT} can be read")
    if not 1 <= pack.head.version <= timeline.last:
        raise NotWhole(f"the record ends with version {timeline.last}, the pack is about {pack.head.version}")
    recording = Recording(_header_at(timeline, pack.head.version))
    recording.read(_forms(timeline, pack.head.version))
    made = build_pack(
        Timeline(recording, timeline.viewer),
        pack.dispute,
        rulings=pack.rulings,
        dispute_log=pack.dispute_log,
    )
    return msgspec.structs.replace(made, annotations=pack.annotations)


def _check(timeline: Timeline, version: int) -> None:
    if timeline.viewer != ALL or timeline.recording.scope != ALL:
        raise NotWhole("an evidence pack is made from a record of the scope all, which hides nothing")
    if not timeline.last:
        raise NotWhole("the record has no entry that holds")
    if version < 1 or (version > timeline.last and timeline.broken is None):
        raise NotWhole(f"the record ends with version {timeline.last}; it has no version {version}")


def _describe_entry(timeline: Timeline, version: int, tell: Commentary) -> Disputed:
    step = timeline.at(version)
    begins = max((each for each in timeline.recording.starts[COMMAND] if each <= version), default=version)
    begun = timeline.at(begins).form.entry
    return Disputed(
        sentence=tell.sentence(step.state, step.event),
        entry=step.form.entry,
        command_version=begins,
        command=begun.get("command"),
        actor=str(begun["actor"]),
    )


def _proof(timeline: Timeline, version: int) -> Proof:
    form = timeline.recording.at(version).form
    previous = timeline.recording.at(version - 1).form.hash if version > 1 else GENESIS
    return Proof(previous, public_form(form), form.hash)


def _annotation(note: Standing) -> Annotation:
    return Annotation(
        version=note.first.moment.version,
        at=note.newest.at,
        set=note.first.set,
        number=note.first.number,
        lines=tuple(note_lines(note)),
        says=msgspec.to_builtins(note.newest.data),
    )


def verdict_on(timeline: Timeline, version: int) -> Verdict:
    """Audit the beginning of a record up to the end of what the command of this version brought about."""
    through = whole_step(timeline, version)
    report = audit(_header_at(timeline, through), _forms(timeline, through))
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


def _header_at(timeline: Timeline, version: int) -> Header:
    """Return the header of the record as it was at a version: it names the secret once the game opens it."""
    secret = timeline.at(version).state.secret
    return msgspec.structs.replace(timeline.header, secret=secret, attached=(), annotations=0)


def _forms(timeline: Timeline, through: int) -> Iterator[Form]:
    return (timeline.recording.at(version).form for version in range(1, through + 1))
