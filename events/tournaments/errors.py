"""What is refused, and why.

TournamentRefused
├─ announcing    BadSettings  BadName
├─ registering   BadPlayer  BadName  AlreadyRegistered  TooManyPlayers  RegistrationOver
├─ players       NoSuchPlayer
├─ beginning     TooFewPlayers  WrongSecret
├─ rounds        NotRunning  RoundOpen  NothingToPair  NotOver  RoundsLeft
└─ tables        NoSuchTable  TableOver  GameTaken  BadResult  TooEarly  BadRuling  TooManyRulings

Each has a stable `code` for machines. They know nothing of HTTP.
"""

from typing import ClassVar

from events.chain.canonical import snake_case


class TournamentRefused(Exception):
    """It may not be; the message says what was asked, what stands against it, and what to do.

    Attributes:
        code: the stable code.
    """

    code: ClassVar[str] = "tournament_refused"

    def __init_subclass__(cls) -> None:
        """Derive the stable code from the class name."""
        cls.code = snake_case(cls.__name__)


class BadSettings(TournamentRefused):
    """No tournament is played like that."""


class BadPlayer(TournamentRefused):
    """Nobody can be registered like that."""


class BadName(TournamentRefused):
    """A name breaks the rule for names, or another player's looks the same."""


class AlreadyRegistered(TournamentRefused):
    """There is a player with this id, with another name, bot or seed, or who has withdrawn."""


class TooManyPlayers(TournamentRefused):
    """There is no room for another player."""


class RegistrationOver(TournamentRefused):
    """The tournament has begun."""


class NoSuchPlayer(TournamentRefused):
    """Nobody has registered under this id."""


class TooFewPlayers(TournamentRefused):
    """They do not fill a table."""


class WrongSecret(TournamentRefused):
    """This is not the secret that was committed to."""


class NotRunning(TournamentRefused):
    """It has not begun, or is over."""


class RoundOpen(TournamentRefused):
    """A round is being played."""


class NothingToPair(TournamentRefused):
    """There is no further round."""


class NotOver(TournamentRefused):
    """Tables are still played, or the round is not the one that is."""


class RoundsLeft(TournamentRefused):
    """There are rounds to be played."""


class NoSuchTable(TournamentRefused):
    """There is no such table in such a round."""


class TableOver(TournamentRefused):
    """The table has another outcome already."""


class GameTaken(TournamentRefused):
    """The table is another game, or the game another table."""


class BadResult(TournamentRefused):
    """Such a result no table of this size has."""


class TooEarly(TournamentRefused):
    """The table is not late yet."""


class BadRuling(TournamentRefused):
    """Such a ruling says nothing, or contradicts itself."""


class TooManyRulings(TournamentRefused):
    """Enough was ruled about this table."""
