"""Leaving, coming back, and ending a game before its time."""

from events.domain_events.base import DomainEvent, ForeseeableEvent


class SeatResigned(ForeseeableEvent, frozen=True):
    """Who sat there has left the game for good, or until they come back."""

    seat: int


class SeatTakenOver(ForeseeableEvent, frozen=True):
    """From here on this bot plays the seat; `reason` says why: `resigned`."""

    seat: int
    bot: str
    reason: str


class SeatReturned(ForeseeableEvent, frozen=True):
    """Who had left plays the seat again."""

    seat: int


class EndOffered(ForeseeableEvent, frozen=True):
    """A seat offers to end the game here, `drawn` or `called_off`; the seats of bots agree at once."""

    seat: int
    kind: str
    agreed: tuple[int, ...]


class EndAccepted(ForeseeableEvent, frozen=True):
    """A seat agrees to end the game."""

    seat: int


class EndDeclined(ForeseeableEvent, frozen=True):
    """A seat declines, and the offer to end the game is gone."""

    seat: int


class GameClosed(DomainEvent, frozen=True):
    """The host closed a game that was `never_begun`, or `untouched` for long."""

    reason: str


LEAVING = SeatResigned | SeatTakenOver | SeatReturned | EndOffered | EndAccepted | EndDeclined | GameClosed
