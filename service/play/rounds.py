"""Opening the secret of a duplicate round, which stays closed until the last of its games has ended.

Until then a game of the round that is over has the status `ended`: its result is known, its cards are as hidden as
ever, and its log ends with the dealer being called for the secret. Nothing looks after it and nobody waits for it:
whoever has the round asks `CommandHandling.open_round_secret` for each of its games.
"""

from events.commands import RevealSecret
from events.rules.move import DEALER
from service.play.deciding import Request
from service.play.tables import LoadedGame

_NAME = "open-round-secret"


class NotOfRound(Exception):
    """The game is dealt from a secret of its own, which opens by itself."""


class RoundGoesOn(Exception):
    """The game has not ended, and with one secret of its round all are open."""


def opening_of(loaded: LoadedGame, at: int) -> Request | None:
    """What opens the secret of its round in a game at a moment (milliseconds since the epoch); None where it is open.

    Raises:
        NotOfRound, RoundGoesOn
    """
    table = loaded.table
    if table.state.dealing is None:
        raise NotOfRound(table.game)
    if table.state.status == "finished":
        return None
    if table.state.status != "ended":
        raise RoundGoesOn(table.game)
    return Request(DEALER, (RevealSecret(table.secret),), at, _NAME, _NAME)
