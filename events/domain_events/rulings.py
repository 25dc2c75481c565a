"""What interrupts a game: pauses, rulings, and going back to an earlier version.

No entry is ever taken away. After `GameRewound` the table is that of `to_version`, moved on by this event; the
entries in
between stay in the log and do not count any more.
"""

from events.domain_events.base import DomainEvent


class GamePaused(DomainEvent, frozen=True):
    """The game stands still until this case lets it go on; `reason` is the dispute's."""

    case: int
    reason: str


class GameResumed(DomainEvent, frozen=True):
    """This case does not hold the game up any more."""

    case: int


class RulingMade(DomainEvent, frozen=True):
    """An arbiter's final ruling; what it changes, the events after it say."""

    case: int
    kind: str
    arbiter: str
    scope: str
    reason: str


class GameRewound(DomainEvent, frozen=True):
    """The game went back to `to_version`, by the ruling of a case, or by consent where `case` is 0.

    `redeal` names the piles of which cards were taken since: they are shuffled anew, what is left in them at
    that version.
    `shuffles` and `bonus_shuffles` go on counting, so that no shuffle comes twice. `paused_by` are the cases
    that still hold
    the game up. Who has left stays away: `away` are the seats that `bots` play for them now, and `returns` says how
    often each seat has come back, where one has.
    """

    to_version: int
    shuffles: int
    case: int = 0
    redeal: tuple[str, ...] = ()
    bonus_shuffles: int = 0
    paused_by: tuple[int, ...] = ()
    away: tuple[int, ...] = ()
    bots: tuple[str, ...] = ()
    returns: tuple[int, ...] = ()


class TakeBackAsked(DomainEvent, frozen=True):
    """A seat asks to go back to this version; the seats of bots agree at once."""

    seat: int
    to_version: int
    agreed: tuple[int, ...]
    seen_confirmed: bool = False


class TakeBackAgreed(DomainEvent, frozen=True):
    """A seat agrees."""

    seat: int


class TakeBackDeclined(DomainEvent, frozen=True):
    """A seat declines, and the game goes on as it stands."""

    seat: int


RULINGS = (
    GamePaused | GameResumed | RulingMade | GameRewound | TakeBackAsked | TakeBackAgreed | TakeBackDeclined
)
