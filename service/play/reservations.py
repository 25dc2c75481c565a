"""Reserving a game: its id and the commitment to its secret, given out before anybody names a seed.

Nothing is kept for it. The secret follows from the installation's key and the game's id, and the id from the
reservation, so a reservation is good for one game: there is no second one with its id. It is good for whoever asked
for it, for an hour.
"""

import hmac
import re
import secrets
from base64 import b32encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from events.game.dealing import commitment_to

SECONDS: Final = 3600
"""How long a game can be set up with a reservation."""
PREFIX: Final = "fbr_"
_TEXT = re.compile(PREFIX + r"(?P<at>[1-9][0-9]{0,14})_(?P<nonce>[0-9a-f]{32})_(?P<proof>[0-9a-f]{32})")
_DRAWS: Final = 64
"""How many ids are drawn to find one whose partition can be written."""


class ReservationRefused(Exception):
    """It was not given out here, or not to this holder, or is too old."""


@dataclass(frozen=True, slots=True)
class Reservation:
    """A game that may be set up once."""

    text: str
    """What its holder shows."""
    game: str
    secret: str
    """The dealer's secret: 32 bytes in hex."""
    at: int
    """When it was given out, in milliseconds since the epoch."""

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret, in hex."""
        return commitment_to(self.secret)


def reserve(token_key: str, holder: str, at: int, *, is_writable: Callable[[str], bool]) -> Reservation:
    """Reserve a game for the holder of a key, with an id that is writable if one is found soon."""

    def draw() -> Reservation:
        return _reservation(token_key, holder, at, secrets.token_hex(16))

    drawn = (draw() for _ in range(_DRAWS))
    return next((each for each in drawn if is_writable(each.game)), None) or draw()


def redeem(token_key: str, holder: str, text: str, now: int) -> Reservation:
    """The reservation that a holder shows at this moment (milliseconds since the epoch).

    Raises:
        ReservationRefused
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ReservationRefused
    reservation = _reservation(token_key, holder, int(found["at"]), found["nonce"])
    if not hmac.compare_digest(reservation.text, text) or not 0 <= now - reservation.at <= SECONDS * 1000:
        raise ReservationRefused
    return reservation


def _reservation(token_key: str, holder: str, at: int, nonce: str) -> Reservation:
    def derive(purpose: str, about: str) -> bytes:
        return hmac.digest(bytes.fromhex(token_key), f"{purpose}/{about}".encode(), "sha256")

    about = f"{at}/{nonce}/{holder}"
    game = b32encode(derive("reserved game", about)[:10]).decode().lower()
    proof = derive("reservation", about).hex()[:32]
    return Reservation(f"{PREFIX}{at}_{nonce}_{proof}", game, derive("reserved secret", game).hex(), at)
