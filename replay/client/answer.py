"""What all answers of the service are as structs."""

import msgspec


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all answers."""
