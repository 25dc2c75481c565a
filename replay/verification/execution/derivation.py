"""Accepting an entry because it follows: from the rules, the secret and the head before it, down to the last byte.

Of a finished game's whole record everything but commands, times and actors can be derived: what a command brings
about, the table after it, every salt, the chain's hash. So only these three are read from a line, the line that they
lead to is written anew, and where it is the same to the last byte, nothing in it needs to be checked besides. Nothing
is found wrong here: a line that differs in anything is read, goes through the checks one by one, and they say what
it is.
"""

from collections import deque
from collections.abc import Callable

import msgspec

from events.commands import AnyCommand, Command, CreateGame
from events.domain_events import GameRewound
from events.game.folding import Folding
from events.game.record import encode_form
from events.log.actors import actor_number
from events.log.disclosure import Form
from events.log.upcasting import UndecodableEvent
from events.rules.definition.rule_system import Rules
from events.rules.errors import RuleViolation
from replay.records.report import Discrepancy
from replay.records.shape import LARGEST
from replay.verification.entry import VerifiedEntry
from replay.verification.execution.answer import Answer
from replay.verification.execution.deferred_checks import DeferredChecks
from replay.verification.execution.derived_entry import write_entry
from replay.verification.execution.expected_events import ExpectedEvents, answers
from replay.verification.execution.table_writer import TableWriter

DERIVED = ("record", "shape", "fold", "scope", "chain", "commands", "rules")
"""The checks that an entry has passed when it follows, that by the rules last."""

NOT_DERIVED = (
    RuleViolation,
    UndecodableEvent,
    Discrepancy,
    msgspec.MsgspecError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""What comes out where a line is no entry at all, or its command none that the rules allow."""


class _Beginning(msgspec.Struct, frozen=True):
    """What of an entry with a command follows from nothing before it."""

    at: int
    actor: str
    command: AnyCommand


class _Line(msgspec.Struct, frozen=True):
    """The line of such an entry."""

    entry: _Beginning


_decode = msgspec.json.Decoder(_Line).decode


def write_line(form: Form) -> bytes:
    """A form as the line of a record; empty, which follows from nothing, where it cannot be written."""
    try:
        return encode_form(form)
    except NOT_DERIVED:
        return b""


class Derivation:
    """Derives the entries of a record of the scope `all`, whose header names the secret."""

    __slots__ = ("_asked", "_folding", "_sealed", "_tables")

    def __init__(self, asked: ExpectedEvents, folding: Folding, sealed: DeferredChecks) -> None:
        """Derive from these, as they stand before each entry."""
        self._asked = asked
        self._folding = folding
        self._sealed = sealed
        self._tables = TableWriter()

    def derive(
        self,
        rules: Rules,
        line: bytes,
        version: int,
        head: str,
        *,
        group: tuple[int, str] | None,
        stop: Callable[[int], object],
    ) -> VerifiedEntry | None:
        """The entry that a line shows, if it is the next one; nothing has changed if it is not.

        Args:
            rules: the rules of the game.
            line: what stands there.
            version: the version that is next.
            head: the chain's hash before.
            group: time and actor of the command before.
            stop: is told the version where a command begins, before that is put to the rules.

        Raises:
            NOT_DERIVED: one of these, where something is wrong with the line.
        """
        owed: deque[Answer] = self._asked.owed
        command: Command | None = None
        if owed and group is not None:
            at, actor = group
        else:
            begun = _decode(line).entry
            stop(version)
            at, actor, command = begun.at, begun.actor, begun.command
            number = actor_number(actor)
            if number >= rules.players or not 0 <= at <= LARGEST or isinstance(command, CreateGame):
                return None
            owed = answers(rules, self._folding, number, command)
        answer = owed[0] if owed else None
        # Going back is rare, and changes more than the table.
        if answer is None or isinstance(answer.event, GameRewound):
            return None
        written, entry = write_entry(
            version, at, actor, command, answer, head=head, key=self._sealed.key, tables=self._tables
        )
        if written != line:
            return None
        owed.popleft()
        self._asked.owed = owed
        return entry
