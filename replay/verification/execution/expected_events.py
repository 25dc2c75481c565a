"""Putting recorded commands to the rules again: what they answer must be exactly what was recorded."""

from collections import deque

import msgspec

from events.chain.canonical import canonical
from events.commands import Command, CreateGame
from events.domain_events import DomainEvent
from events.game.folding import Folding
from events.log.codec import command_members, encode_event, event_type
from events.log.disclosure import Form
from events.log.redacted import data_in
from events.rules.decide import play
from events.rules.definition.rule_system import Rules
from events.rules.errors import RuleViolation
from replay.records.report import Discrepancy
from replay.verification.execution.answer import Answer


def answers(rules: Rules, folding: Folding, actor: int, command: Command) -> deque[Answer]:
    """What the rules answer to a command on the table as it stands.

    Raises:
        RuleViolation: they refuse it.
    """
    move = play(rules, folding.state, actor, command, folding.earlier)
    return deque(map(Answer, move.events, move.states))


class ExpectedEvents:
    """Holds what the rules answered to the last command, until the entries have shown it all.

    Attributes:
        owed: what the entries have not shown yet.
    """

    __slots__ = ("owed",)

    def __init__(self) -> None:
        """Begin before the first command."""
        self.owed: deque[Answer] = deque()

    @property
    def missing(self) -> str:
        """The type of the next event that the last command brought about; empty when all were shown."""
        return event_type(self.owed[0].event) if self.owed else ""

    def put(self, rules: Rules, folding: Folding, actor: int, command: Command, form: Form) -> None:
        """Put the command of an entry to the rules, on the table before it.

        Raises:
            Discrepancy: the rules refuse it, or the command before is not done.
        """
        if self.missing:
            raise Discrepancy("rules", f"the command before also brought about {self.missing}")
        wrong = find_misstatement(rules, command, form)
        if wrong:
            raise Discrepancy("rules", wrong)
        try:
            self.owed = answers(rules, folding, actor, command)
        except RuleViolation as refused:
            reason = f"the rules refuse this command ({refused.code}): {refused}"
            raise Discrepancy("rules", reason) from refused

    def compare(self, form: Form, event: DomainEvent) -> None:
        """Hold the event of an entry against what the rules answered.

        Raises:
            Discrepancy: it is another one.
        """
        if not self.owed:
            raise Discrepancy("rules", f"the command did not bring about {event_type(event)}")
        expected, found = self.owed.popleft().event, event_type(event)
        if type(expected) is not type(event):
            raise Discrepancy("rules", f"the command brought about {event_type(expected)}, not {found}")
        recorded = data_in(form.entry)
        if "type" not in recorded and canonical(expected) == canonical({**recorded, "type": found}):
            return
        answered = msgspec.json.decode(encode_event(expected))
        for name in sorted(answered.keys() | recorded.keys()):
            one, other = answered.get(name), recorded.get(name)
            if (name in answered) != (name in recorded) or canonical(one) != canonical(other):
                raise Discrepancy("rules", f"the rules answer {name} {one!r} where {other!r} was recorded")


def find_misstatement(rules: Rules, command: Command, form: Form) -> str:
    """What is wrong with how an entry writes its command, whatever it brings about; empty for nothing."""
    if canonical(command) != canonical(command_members(form.entry["command"])):
        return "the command is not written as it must be"
    if isinstance(command, CreateGame) and not _sets_up(command, rules):
        return "the command sets up another game than the event"
    return ""


def _sets_up(command: CreateGame, rules: Rules) -> bool:
    """Whether the command sets up a table for these rules; `decide` takes them from the table, not from it."""
    same = (command.system, command.players) == (rules.system.key, rules.players)
    return same and canonical(command.options) == canonical(dict(rules.options))
