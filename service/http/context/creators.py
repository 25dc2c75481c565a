"""Who sets games up, and how many: the holder of a key, or where the operator lets them a guest, who shows none."""

from typing import Final, NamedTuple

from flask import request

from service.access.guests import (
    CLOSED_AFTER,
    GUEST_PREFIX,
    GUESTS,
    MOST_OF_ADDRESS,
    MOST_OF_CUSTOMER,
    MOST_OF_SITE,
    PART_OF_ONE,
    guest_id,
    guest_networks,
)
from service.access.keys import Key
from service.http.context.bearers import key_holder
from service.http.context.counting import networks_of
from service.http.context.identity import UNGUESSABLE
from service.http.context.services import services

SCOPE: Final = "create_games"


class Share(NamedTuple):
    """So many games may be open or running at once of those that are counted under a name."""

    name: str
    most: int
    whose: str
    """Who has them, as whoever asks for one more is told."""
    way_on: str
    """What they can do besides playing and waiting."""


class Creator(NamedTuple):
    """Who sets a game up."""

    id: str
    """Whom the game belongs to: the id of a key, or the pseudonym of a guest's address."""
    holder: str
    """What the ids of their games are derived from."""
    shares: tuple[Share, ...] = ()
    """What their games are counted in."""
    is_guest: bool = False
    key: Key | None = None

    @property
    def least_key(self) -> int:
        """Characters of an `Idempotency-Key` at least: a guest's alone says who may have the tokens again."""
        return UNGUESSABLE if self.is_guest else 1

    def close_after(self, wanted: int | None) -> int | None:
        """When a game that wants this is closed: a guest's is not left behind for ever."""
        return CLOSED_AFTER if wanted is None and self.is_guest else wanted


def creator() -> Creator:
    """Who sets a game up by this request: a key that may, or without any token a guest.

    Raises:
        Problem: 401 without a key where guests may not, and 403 for one that may not.
    """
    most_of_guests = services().most_of_guests
    if "Authorization" in request.headers or not most_of_guests:
        return creator_with(key_holder(SCOPE))
    return _guest(most_of_guests)


def creator_of(creator: str) -> Creator:
    """Whom a game belongs to, as who sets up another one like it; a key that is gone counts nothing."""
    if creator.startswith(GUEST_PREFIX):
        return _guest_creator(creator, services().most_of_guests)
    key = services().keys.get(creator) if creator else None
    return Creator(creator, creator) if key is None else creator_with(key)


def creator_with(key: Key) -> Creator:
    """Who sets games up by this key."""
    most = 0 if key.is_operator else services().most_unfinished
    share = Share(key.id, most, "Your key has", "ask the operator for more")
    return Creator(key.id, key.id, (share,) if most else (), key=key)


def _guest(most: int) -> Creator:
    token_key = services().store.installation.token_key
    return _guest_creator(guest_id(token_key, networks_of(request.remote_addr or "")), most)


def _guest_creator(pseudonym: str, most: int) -> Creator:
    way_on = "set it up with a key of the operator's"
    of_one = max(1, most // PART_OF_ONE)
    *wider, own = guest_networks(pseudonym)
    bounds = (MOST_OF_SITE, MOST_OF_CUSTOMER)
    shares = (
        Share(own, min(MOST_OF_ADDRESS, of_one), "Guests from your address have", way_on),
        *(
            Share(network, min(bound, of_one), "Guests from your network have", way_on)
            for network, bound in zip(wider, bounds, strict=False)
        ),
        Share(GUESTS, most, "All guests together have", way_on),
    )
    return Creator(pseudonym, GUESTS, shares, is_guest=True)
