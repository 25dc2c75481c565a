"""The envelope in which a domain event is kept in the log."""

import msgspec


class RecordedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a game's stream, exactly as it is stored.

    `data` and `command` are compact JSON and hold every value, hidden ones included; what may leave the
    service is made from an entry by `events.log.disclosure` only.
    """

    version: int
    """Position in the stream: 1, 2, 3 and so on without a gap."""
    type: str
    """The event's type in snake_case, such as `bean_planted`."""
    schema: int
    """Schema version of this event type."""
    data: bytes
    """Compact JSON object of the event's fields."""
    at: int
    """When the command arrived: milliseconds since 1970-01-01 UTC."""
    actor: str
    """Who acted: `seat:0` and so on, `dealer`, `host`, `arbiter` or `clock`."""
    command: bytes = b""
    """Compact JSON of the command that this event begins; empty on the further events of the same command."""
    state_hash: str
    """Salted SHA-256 of the state after this event, in hex."""
    hash: str
    """Chain hash after this entry, in hex."""
