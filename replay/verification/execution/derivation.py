"""Accepting an entry because it follows: from the rules, the secret and the head before it, down to the last byte.

Of a finished game's whole record everything but commands, times and actors can be derived: what a command brings
about, the table after it, every salt, the chain's hash. What was derived needs no check of its shape, nor of what it
hides, and comparing takes half as long. Nothing is found wrong here: an entry that differs in anything goes through
the checks one by one, and they say what it is.
"""

import msgspec

from events.chain.commitments import commit, salt
from events.chain.hash_chain import link
from events.commands import Command, CreateGame
from events.domain_events import GameRewound
from events.game.folding import Folding
from events.log.actors import actor_number
from events.log.codec import encode_command, encode_event, event_type
from events.log.disclosure import Form, public_form
from events.log.redacted import command_in
from events.log.upcasting import UndecodableEvent
from events.rules.definition.rule_system import Rules
from events.rules.errors import RuleViolation
from replay.records.hidden import hidden_values
from replay.records.report import Discrepancy
from replay.records.shape import LARGEST, check_values, is_in_order
from replay.verification.execution.answer import Answer
from replay.verification.execution.deferred_checks import DeferredChecks
from replay.verification.execution.expected_events import ExpectedEvents, answers

_encode = msgspec.json.Encoder().encode

DERIVED = ("shape", "fold", "scope", "chain", "commands", "rules")
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
"""What comes out where a form is no entry at all, or its command none that the rules allow."""


class Derivation:
    """Derives the entries of a record of the scope `all`, whose header names the secret."""

    __slots__ = ("_asked", "_folding", "_sealed")

    def __init__(self, asked: ExpectedEvents, folding: Folding, sealed: DeferredChecks) -> None:
        """Derive from these, as they stand before each entry."""
        self._asked = asked
        self._folding = folding
        self._sealed = sealed

    def derive(
        self, rules: Rules, form: Form, version: int, head: str, group: tuple[int, str] | None
    ) -> Answer | None:
        """The answer of the rules that a form shows, if it is the next entry; nothing has changed if it is not.

        Args:
            rules: the rules of the game.
            form: what stands there.
            version: the version that is next.
            head: the chain's hash before.
            group: time and actor of the command before.

        Raises:
            NOT_DERIVED: one of these, where something is wrong with the form.
        """
        entry, owed, command = form.entry, self._asked.owed, None
        if "command" in entry:
            command, actor = command_in(entry), actor_number(entry["actor"])
            if owed or actor >= rules.players or not 0 <= entry["at"] <= LARGEST:
                return None
            owed = answers(rules, self._folding, actor, command) if command is not None else owed
        elif group != (entry["at"], entry["actor"]):
            return None
        answer = owed[0] if owed else None
        # Going back is rare, and changes more than the table.
        if answer is None or isinstance(answer.event, GameRewound) or isinstance(command, CreateGame):
            return None
        if not _shows(form, command, answer, version=version, head=head, key=self._sealed.key):
            return None
        owed.popleft()
        self._asked.owed = owed
        return answer


def _shows(
    form: Form, command: Command | None, answer: Answer, *, version: int, head: str, key: bytes
) -> bool:
    """Whether a form is the entry of this version, after this head, of what the rules answered."""
    entry, event = form.entry, answer.event
    if (
        not is_in_order(entry)
        or not type(entry["version"]) is type(entry["schema"]) is type(entry["at"]) is int
    ):
        return False
    if (entry["version"], entry["type"], entry["schema"]) != (version, event_type(event), event.schema):
        return False
    if _encode(entry["data"]) != encode_event(event):
        return False
    if command is not None and _encode(entry["command"]) != encode_command(command):
        return False
    check_values(entry)
    hides = bool(event.private) or (command is not None and bool(command.private))
    salts = {hidden.path: salt(key, version, hidden.path) for hidden in hidden_values(entry)} if hides else {}
    salts["state"] = salt(key, version, "state")
    return (
        form.salts == salts
        and [*form.salts] == [*salts]
        and entry["state"] == commit(salts["state"], answer.state)
        and form.hash == link(head, public_form(form) if hides else entry)
    )
