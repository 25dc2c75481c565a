"""Auditing a record: verify it, and ask the engines again about every command.

Two engines are asked: the version of the rule system that the game is pinned to, and today's. Where they answer
otherwise than was recorded, that is a difference, and the next command is asked on the table as it was recorded. A
difference of the pinned engine means that the game was not played by its rules. One of today's says what a correction
of the rules would have changed; the game stays as it is.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

import msgspec

from events.chain.canonical import canonical
from events.commands import Command
from events.domain_events import DomainEvent, GameCreated
from events.game.folding import Folding
from events.game.record import Forms, Header, RecordBroken, read_record
from events.log.actors import actor_number
from events.log.codec import encode_event, event_type
from events.log.disclosure import ALL, Form, viewer_name
from events.rules.decide import play
from events.rules.definition.rule_system import ENGINE_VERSION, Rules, RuleSystem, rules_for
from events.rules.errors import RuleViolation
from events.rules.move import Earlier
from events.rules.systems.registry import system_named
from events.rules.table.state import GameState
from replay.platform.safe_text import safe
from replay.records.report import Finding, Report
from replay.verification.attestations import AttestationChecks, Trust
from replay.verification.entry import VerifiedEntry
from replay.verification.execution.expected_events import find_misstatement
from replay.verification.verify import NOTHING_TRUSTED, Verifier, broken_report

MOST_DIFFERENCES: Final = 1000
"""So many differences of one engine are listed; further ones are counted."""


class EngineDifference(msgspec.Struct, frozen=True):
    """A command to which an engine answers otherwise than was recorded.

    Attributes:
        version: the version of the command's first entry.
        command: the command's type.
        reason: what the engine answers, in a sentence.
    """

    version: int
    command: str
    reason: str


class EngineReport(msgspec.Struct, frozen=True):
    """What one engine says of a game.

    Attributes:
        engine: `pinned` or `today`.
        system_version: the version of the rule system that was asked.
        engine_version: the version of the engine that asked it.
        commands: how many commands were put to it.
        differing: to how many of them it answers otherwise.
        differences: the first of these, in order.
    """

    engine: str
    system_version: int
    engine_version: int
    commands: int
    differing: int
    differences: tuple[EngineDifference, ...]


class AuditReport(msgspec.Struct, frozen=True):
    """The outcome of an audit; it serialises to JSON as it is.

    Attributes:
        ok: whether the record verifies and its pinned engine agrees with every command.
        verification: what verifying the record found.
        engines: what each engine says; empty where the record does not show enough to ask them.
    """

    ok: bool
    verification: Report
    engines: tuple[EngineReport, ...] = ()


def audit_lines(lines: Iterable[bytes], trust: Trust = NOTHING_TRUSTED) -> AuditReport:
    """Audit a record, given as the lines of its file; only one of the scope `all` shows what is needed."""
    try:
        header, forms = read_record(lines)
    except RecordBroken as broken:
        return AuditReport(ok=False, verification=broken_report(broken))
    return audit(header, forms, AttestationChecks(trust))


def audit(
    header: Header, forms: Iterable[Form] | Forms, attested: AttestationChecks | None = None
) -> AuditReport:
    """Audit a record, given as its header and its entries.

    Forms are asked for one at a time. An error of their source passes through, except RecordBroken.
    """
    if header.scope != viewer_name(ALL):
        reason = f"an audit needs a record of the scope all; this one has the scope {safe(header.scope, 40)}"
        finding = Finding("scope", 0, reason)
        report = Report(ok=False, scope=header.scope[:40], game=header.game[:200], findings=(finding,))
        return AuditReport(ok=False, verification=report)
    verifier = Verifier(header, attested, ask_rules=False)
    engines: dict[str, _Engine] = {}
    asked: Collection[_Engine] = ()
    for group, state, earlier in _commands(verifier, forms):
        if not engines:
            engines = _engines(header, group.events[0])
            asked = {id(each): each for each in engines.values()}.values()
        for engine in asked:
            engine.ask(group, state, earlier, is_answered=group.is_derived and engine is engines["pinned"])
    reports = tuple(engine.report(name) for name, engine in engines.items())
    verification = verifier.report()
    agreed = all(not each.differing for each in reports if each.engine == "pinned")
    return AuditReport(ok=verification.ok and agreed, verification=verification, engines=reports)


class _Group(msgspec.Struct):
    """A recorded command with the events that it brought about."""

    first: VerifiedEntry
    """The command's first entry."""
    command: Command
    events: list[DomainEvent]
    is_derived: bool = True
    """Whether verifying it has shown already that the pinned rules answer just these events."""


def _commands(verifier: Verifier, forms: Iterable[Form]) -> Iterator[tuple[_Group, GameState, Earlier]]:
    """Every command of a record as far as it verifies, with the table before it and what finds earlier ones."""
    folding = Folding()
    before = folding.state
    group: _Group | None = None
    for entry in verifier.iterate_verified(forms):
        if entry.command is not None:
            if group is not None:
                yield group, before, folding.earlier
            group, before = _Group(entry, entry.command, []), folding.state
        if group is not None:
            group.events.append(entry.event)
            group.is_derived &= entry.is_derived
        folding.follow(entry.event, begins=entry.command is not None, state=entry.state)
    if group is not None and verifier.finding is None:
        yield group, before, folding.earlier


class _Engine:
    """One version of the rules, asked about every command."""

    def __init__(self, system_version: int, rules: Rules | None, refused: str = "") -> None:
        self._system_version = system_version
        self._rules = rules
        self._refused = refused
        self._commands = 0
        self._differing = 0
        self._differences: list[EngineDifference] = []

    def ask(self, group: _Group, state: GameState, earlier: Earlier, *, is_answered: bool) -> None:
        self._commands += 1
        if is_answered:
            return
        reason = self._refused if self._rules is None else _difference(self._rules, group, state, earlier)
        if not reason:
            return
        self._differing += 1
        if self._differing <= MOST_DIFFERENCES:
            command = type(group.command).__struct_config__.tag
            self._differences.append(EngineDifference(group.first.version, str(command), safe(reason)))

    def report(self, engine: str) -> EngineReport:
        return EngineReport(
            engine,
            self._system_version,
            ENGINE_VERSION,
            self._commands,
            self._differing,
            tuple(self._differences),
        )


def _engines(header: Header, created: DomainEvent) -> dict[str, _Engine]:
    """The engines to ask about a game that began like this; verification knows that it did.

    A game that is pinned to today's rules has one engine, which is both.
    """
    if not isinstance(created, GameCreated):
        return {}
    pinned, today = system_named(created.system, created.system_version), system_named(created.system)
    engine = _engine(header, created, pinned)
    return {"pinned": engine, "today": engine if today is pinned else _engine(header, created, today)}


def _engine(header: Header, created: GameCreated, system: RuleSystem) -> _Engine:
    options = {key: value for key, value in created.options.items() if key in system.options}
    try:
        return _Engine(system.version, rules_for(system, created.players, options, header.catalogue))
    except RuleViolation as refused:
        reason = f"the rules refuse to set up this table ({refused.code}): {refused}"
        return _Engine(system.version, None, reason)


def _difference(rules: Rules, group: _Group, state: GameState, earlier: Earlier) -> str:
    """What the rules answer to a command where it is not what was recorded; empty where it is."""
    wrong = find_misstatement(rules, group.command, group.first.form)
    if wrong:
        return wrong
    answered = _ask_rules(rules, group, state, earlier)
    if isinstance(answered, str):
        return answered
    for expected, recorded in zip(answered, group.events, strict=False):
        one, other = _comparable(expected), _comparable(recorded)
        if one != other:
            return f"the rules answer {event_type(expected)} {_show(one)} where {_show(other)} was recorded"
    if len(answered) == len(group.events):
        return ""
    missing = [event_type(each) for each in answered[len(group.events) :]]
    surplus = [event_type(each) for each in group.events[len(answered) :]]
    if missing:
        return f"the rules also answer {', '.join(missing)}"
    return f"the rules do not answer {', '.join(surplus)}"


def _ask_rules(rules: Rules, group: _Group, state: GameState, earlier: Earlier) -> list[DomainEvent] | str:
    """What the rules answer; where they do not, why."""
    try:
        return play(rules, state, actor_number(group.first.actor), group.command, earlier).events
    except RuleViolation as refused:
        return f"the rules refuse this command ({refused.code}): {refused}"
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - after a difference the table may be one that no game comes to
        return f"the rules cannot be asked on this table ({type(error).__name__}: {safe(str(error), 200)})"


def _comparable(event: DomainEvent) -> tuple[str, bytes]:
    """An event without what only says which version of the rules wrote it."""
    data = msgspec.json.decode(encode_event(event))
    if isinstance(event, GameCreated):
        data |= {"system_version": 0, "engine_version": 0}
    return event_type(event), canonical(data)


def _show(comparable: tuple[str, bytes]) -> str:
    return f"{comparable[0]} {comparable[1].decode()[:200]}"
