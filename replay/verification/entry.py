"""An entry that was verified: what whoever goes along with a verification wants to know of it."""

import msgspec

from events.commands import Command
from events.domain_events import DomainEvent
from events.log.disclosure import Form
from events.rules.table.state import GameState

_decode = msgspec.json.Decoder(Form).decode
_encode = msgspec.json.Encoder().encode


class VerifiedEntry(msgspec.Struct, frozen=True, gc=False):
    """An entry with what was found out while it was verified.

    Attributes:
        version: its version.
        at: when its command arrived: milliseconds since the epoch.
        actor: who acted, as the log has it.
        command: the command that begins here, as the record's viewer has it; None where none does.
        event: what happened, as the record's viewer has it.
        state: the table after it, as the record's viewer sees it.
        hash: the chain hash after it.
        salts: how many salts it has.
    """

    version: int
    at: int
    actor: str
    command: Command | None
    event: DomainEvent
    state: GameState
    hash: str
    salts: int
    _written: Form | bytes

    @property
    def is_derived(self) -> bool:
        """Whether it was accepted because it follows: then the rules of the game answer just this event."""
        return isinstance(self._written, bytes)

    @property
    def form(self) -> Form:
        """The entry as it stands in the record; of one that is derived the line is read only now."""
        return _decode(self._written) if isinstance(self._written, bytes) else self._written

    @property
    def line(self) -> bytes:
        """The same as JSON, without a line break behind it."""
        return self._written.rstrip(b"\n") if isinstance(self._written, bytes) else _encode(self._written)
