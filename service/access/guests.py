"""Guests: whoever sets a game up without a key, where the operator lets them.

A game of theirs belongs to nobody: no key is its creator's. Its house rules name the address that it came from, as a
pseudonym that only this installation can make, so that the unfinished games of one address can be counted.
"""

import hmac
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

GUESTS: Final = "guests"
"""All guests together, as if they were one creator."""
GUEST_PREFIX: Final = "guest_"
"""The pseudonym of a guest's address begins so; no id of a key does."""
MOST_OF_ADDRESS: Final = 20
"""Games of guests of one address that may be open or running at once."""
MOST_OF_CUSTOMER: Final = 60
"""The same for 256 neighbouring networks of IPv6 (/56), as one customer often has them."""
MOST_OF_SITE: Final = 200
"""The same for the largest network that one party easily has: a /48 of IPv6, a /24 of IPv4."""
PART_OF_ONE: Final = 2
"""No network has more than one in so many of the games that all guests together may have."""
CLOSED_AFTER: Final = 24 * 60 * 60
"""Seconds without an event after which a guest's game is closed that does not say so itself."""
_ID_DIGITS: Final = 12


def guest_id(token_key: str, networks: Sequence[str]) -> str:
    """Return the pseudonym of the guests of an address, made of its networks, the largest first."""
    key = bytes.fromhex(token_key)
    digests = (hmac.digest(key, f"guest/{network}".encode(), "sha256").hex() for network in networks)
    return GUEST_PREFIX + "-".join(each[:_ID_DIGITS] for each in digests)


def guest_networks(creator: str) -> tuple[str, ...]:
    """Return the pseudonyms of the networks of a guest, the largest first; the last one is the guest's own.

    >>> guest_networks("guest_a-b-c")
    ('guest_a', 'guest_a-b', 'guest_a-b-c')
    """
    return tuple(accumulate(creator.split("-"), "{}-{}".format))


def counted_as(creator: str) -> tuple[str, ...]:
    """Return the names under which a creator's games are counted: a guest's by network, and with all guests'."""
    if not creator:
        return ()
    return (*guest_networks(creator), GUESTS) if creator.startswith(GUEST_PREFIX) else (creator,)
