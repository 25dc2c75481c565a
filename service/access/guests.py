"""Guests: whoever sets a game up without a key, where the operator lets them.

A game of theirs belongs to nobody: no key is its creator's. Its house rules name the address that it came from, as a
pseudonym that only this installation can make, so that the unfinished games of one address can be counted.
"""

import hmac
from typing import Final

GUESTS: Final = "guests"
"""All guests together, as if they were one creator."""
GUEST_PREFIX: Final = "guest_"
"""The pseudonym of a guest's address begins so; no id of a key does."""
MOST_OF_ADDRESS: Final = 20
"""Games of guests of one address that may be open or running at once."""
CLOSED_AFTER: Final = 24 * 60 * 60
"""Seconds without an event after which a guest's game is closed that does not say so itself."""
_ID_DIGITS: Final = 20


def guest_id(token_key: str, network: str) -> str:
    """The pseudonym of the guests of an address, or of the network that belongs to one customer."""
    digest = hmac.digest(bytes.fromhex(token_key), f"guest/{network}".encode(), "sha256")
    return f"{GUEST_PREFIX}{digest.hex()[:_ID_DIGITS]}"


def counted_as(creator: str) -> tuple[str, ...]:
    """Under which names the games of this creator are counted: its own, and of a guest that of all guests too."""
    if not creator:
        return ()
    return (creator, GUESTS) if creator.startswith(GUEST_PREFIX) else (creator,)
