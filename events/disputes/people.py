"""Who has a part in a case."""

from typing import Final

import msgspec


class Person(msgspec.Struct, frozen=True):
    """Somebody who did something: by a name that the service vouches for, and what they are called."""

    who: str
    """`seat:0` and so on, the id of a key, or `fieldbook`."""
    name: str = ""


SERVICE: Final = Person("fieldbook", "Fieldbook")
"""Who lets a deadline pass and makes a ruling final."""


def seat_name(seat: int) -> str:
    """How a seat is named among people."""
    return f"seat:{seat}"
