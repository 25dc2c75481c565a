"""What a tournament promises and keeps to itself: secrets, the ids of its games, and its players' tokens.

All of it is derived from the installation's key, which every process has and nobody else: so what a killed process
had begun another one goes on with, and nothing of it has to be kept. A secret that is opened says nothing of the key.
"""

import hmac
from base64 import b32encode
from typing import Final

PLAYER_PREFIX: Final = "fbp_"
"""Players' tokens begin like this, so that a leaked one is recognised."""
_ID_BYTES: Final = 10


class Promises:
    """The promises of an installation."""

    def __init__(self, token_key: str) -> None:
        """Derive them from its key (hex)."""
        self._key = bytes.fromhex(token_key)

    def tournament_id(self, holder: str, request: str) -> str:
        """The id that a request of this holder gets for a tournament: sent again, it finds the same one."""
        return b32encode(self._derive(f"id/{holder}/{request}")[:_ID_BYTES]).decode().lower()

    def pairing_secret(self, tournament: str) -> str:
        """The secret that all pairings follow from, in hex."""
        return self._derive(f"{tournament}/pairing").hex()

    def deal_secret(self, tournament: str, number: int) -> str:
        """The secret of the deal of a duplicate round, in hex."""
        return self._derive(f"{tournament}/deal/{number}").hex()

    def player_token(self, tournament: str, player: str) -> str:
        """The token by which a player finds their seats."""
        return PLAYER_PREFIX + self._derive(f"{tournament}/player/{player}").hex()[:40]

    def is_player(self, tournament: str, player: str, token: str) -> bool:
        """Whether this is the player's token."""
        return hmac.compare_digest(self.player_token(tournament, player).encode(), token.encode())

    def _derive(self, purpose: str) -> bytes:
        return hmac.digest(self._key, f"tournament/{purpose}".encode(), "sha256")


def game_id(tournament: str, number: int, table: int) -> str:
    """The id of the game of a table: the same for whoever sets it up."""
    return f"{tournament}-r{number}-t{table}"


def table_of(game: str) -> tuple[str, int, int] | None:
    """Tournament, round and table that a game is, by its id; None for a game of no tournament."""
    tournament, _, rest = game.partition("-r")
    number, _, table = rest.partition("-t")
    if tournament and number.isdecimal() and table.isdecimal():
        return tournament, int(number), int(table)
    return None
