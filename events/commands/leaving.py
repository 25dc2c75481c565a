"""Leaving a game, coming back, ending it together; and the host's closing of what nobody plays."""

from events.commands.base import Command


class Resign(Command, frozen=True):
    """Leave the game: a bot plays on for the seat, which ranks last unless it comes back."""


class ComeBack(Command, frozen=True):
    """Play the seat oneself again that a bot has taken over, so many times in a game at most."""


class OfferEnd(Command, frozen=True):
    """Ask all others to end the game here; it goes on meanwhile, and ends when all have agreed.

    `kind` is `drawn`, so that all win who are there, or `called_off`, so that nobody does.
    """

    kind: str


class AcceptEnd(Command, frozen=True):
    """A seat agrees to end the game; when all have, it ends."""


class DeclineEnd(Command, frozen=True):
    """A seat declines to end the game, or takes its own offer back."""


class CloseGame(Command, frozen=True):
    """The host closes a game that nobody plays: `never_begun`, or begun and `untouched` since."""

    reason: str


LEAVING = Resign | ComeBack | OfferEnd | AcceptEnd | DeclineEnd
CLOSING = CloseGame
