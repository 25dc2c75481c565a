"""A game in the list, and which of them somebody wants."""

from itertools import zip_longest
from typing import Any

import msgspec

from service.access.game_access import PUBLIC_GAME, GamePolicy
from service.access.spectator_delay import visible_version
from service.verification.store import PENDING


class Summary(msgspec.Struct, frozen=True):
    """A game in the list."""

    game: str
    system: str
    status: str
    """`open`, `running` or `finished`; `unknown` where not even the first event can be read."""
    players: tuple[str | None, ...]
    version: int
    """As far as the game is listed; one in quarantine may have been played further."""
    created: int
    """Milliseconds since the epoch; 0 where that cannot be read."""
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    validation: str = PENDING
    """`pending` until the finished game's report is there, then `valid` or `invalid`."""
    quarantined: bool = False
    """Whether the log cannot be read up to its end; the rest is what was known up to there."""
    visibility: str = PUBLIC_GAME
    spectator_delay: int = 0
    """Versions that spectators are behind until the game has finished."""
    creator: str = ""
    """The id of the key that set the game up, or the pseudonym of a guest's address."""
    kinds: tuple[str | None, ...] = ()
    """Who plays each seat now, `human`, `bot` or `program`."""
    opened: int = 0
    """The last version at which the game was open, once it has started."""
    take_backs: int | None = 0
    """How often all agreed to go back; None for those who are behind."""
    away: tuple[str | None, ...] | None = ()
    """By seat, who has left it while a bot plays on, `human` or `program`; empty where nobody has. None for those who
    are behind."""
    touched: int = 0
    """When its last event happened: milliseconds since the epoch."""
    player_ids: tuple[str | None, ...] = ()
    """By seat, which player has taken it; empty where no seat names one."""
    clock: bool = False
    """Whether it is played by a clock."""
    previous: str = ""
    """The game after which it is played again: then its free seats are kept."""

    @property
    def policy(self) -> GamePolicy:
        """Its house rules, as far as the list knows them."""
        return GamePolicy(self.visibility, self.spectator_delay, self.creator)

    def behind(self, delay: int) -> "Summary":
        """The game as those see it who are so many versions behind."""
        version = visible_version(self.version, self.status, self.opened, delay)
        if version == self.version:
            return self
        status = "open" if version <= self.opened else "running"
        hidden: dict[str, Any] = dict.fromkeys(("scores", "winners", "take_backs", "away"))
        return msgspec.structs.replace(self, version=version, status=status, kinds=self.seated, **hidden)

    @property
    def seated(self) -> tuple[str | None, ...]:
        """Who has taken each seat, whether or not they have left it."""
        return tuple(left or kind for left, kind in zip_longest(self.away or (), self.kinds))


class Filter(msgspec.Struct, frozen=True):
    """Which games to list; None is any."""

    system: str | None = None
    status: str | None = None
    player: str | None = None
    player_ids: tuple[str, ...] = ()
    """With a player who is known by any of these ids; with anybody where there are none."""
    validation: str | None = None
    quarantined: bool | None = None
    created_after: int | None = None
    """Created at this time or later: milliseconds since the epoch."""
    created_before: int | None = None
    """Created before this time."""
    players: int | None = None
    """With so many seats."""
    free: int | None = None
    """Open, with so many seats at least that anybody can take."""
    clock: bool | None = None
    """Whether they are played by a clock."""
    visibility: str | None = None

    def fits(self, summary: Summary) -> bool:
        """Whether a game that was found is wanted, by what no sorted set says."""
        free = 0 if summary.previous else sum(name is None for name in summary.players)
        return (
            self.status in {None, summary.status}
            and self.players in (None, len(summary.players))
            and (self.free is None or (summary.status == "open" and free >= self.free))
            and self.clock in (None, summary.clock)
            and self.visibility in (None, summary.visibility)
        )
