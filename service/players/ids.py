"""What a player is called in logs: an integrator's namespace, a colon and the integrator's own id of the player.

Ids are opaque: what an integrator takes for one should say nothing about a person, for it stays in the logs for ever.
A key names players of its own namespace alone, so nobody claims somebody else's, and two integrators who count from 1
are not mixed up. An operator's key may name those of any namespace, by the whole id.
"""

import re
from typing import Final

LONGEST_OWN: Final = 64
"""Characters of an integrator's own id of a player at most."""
NAMESPACE: Final = r"[a-z0-9-]{1,24}"
"""What a namespace is made of."""
OWN: Final = rf"[A-Za-z0-9][A-Za-z0-9._~-]{{0,{LONGEST_OWN - 1}}}"
"""What an integrator's own id is made of: the characters that stand in an address as they are, no dot first."""
_GIVEN: Final = re.compile(rf"(?:({NAMESPACE}):)?({OWN})")


class PlayerOfAnother(Exception):
    """A player of another namespace was named, or by somebody who may name none."""


class NoPlayer(ValueError):
    """This is no id of a player."""


def whole_id(given: str, namespace: str, *, names_all: bool = False) -> str:
    """A player's id as logs have it, from what a key with a namespace calls it: its own id, or the whole one.

    >>> whole_id("42", "acme"), whole_id("acme:42", "acme")
    ('acme:42', 'acme:42')

    Raises:
        NoPlayer: it is no id at all.
        PlayerOfAnother: it is of another namespace.
    """
    found = _GIVEN.fullmatch(given)
    if found is None:
        raise NoPlayer(given)
    if found[1] not in (None, namespace) and not names_all:
        raise PlayerOfAnother(given)
    return f"{found[1] or namespace}:{found[2]}"
