"""Who may come in: what a game's private fields say about its visibility and about a token.

They are read from the store at every request, by one command which is the same for every game and for none. So a
token that was revoked is refused at once, in all processes; and for whoever may not see a private game, it takes as
long as a game that does not exist.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from events.partitions import is_game_id
from events.redis_keys import GameKeys
from events.redis_store import RedisEventStore
from events.store_errors import GameNotFound
from service.tables import SECRET
from service.tokens import REPLACED, SPECTATOR_FIELD, spectator_id

PUBLIC_GAME: Final = "public"
"""Everybody may watch it, and it is listed."""
UNLISTED_GAME: Final = "unlisted"
"""Everybody who knows its id may watch it."""
PRIVATE_GAME: Final = "private"
"""For everybody else it does not exist."""
VISIBILITIES: Final = (PUBLIC_GAME, UNLISTED_GAME, PRIVATE_GAME)
LONGEST_DELAY: Final = 1000
"""Versions that spectators may be behind at most."""
_VISIBILITY: Final = "visibility"
_DELAY: Final = "spectator_delay"
_CREATOR: Final = "creator"
_FILLED: Final = "filled_by_creator"


@dataclass(frozen=True, slots=True)
class House:
    """What a table decided about who may watch, when it was set up; it never changes."""

    visibility: str = PUBLIC_GAME
    spectator_delay: int = 0
    """Versions that spectators are behind until the game has finished."""
    creator: str = ""
    """The id of the key that set the game up."""
    filled: frozenset[int] = frozenset()
    """The seats whose tokens the creator was given."""

    @property
    def is_listed(self) -> bool:
        """Whether strangers may learn that the game exists."""
        return self.visibility == PUBLIC_GAME

    def private_fields(self) -> dict[str, str]:
        """The fields by which a game keeps it."""
        return {
            _VISIBILITY: self.visibility,
            _DELAY: str(self.spectator_delay),
            _CREATOR: self.creator,
            _FILLED: ",".join(str(seat) for seat in sorted(self.filled)),
        }


@dataclass(frozen=True, slots=True)
class Admission:
    """A game's house rules, and what a token is in this game."""

    house: House
    seat: int | None = None
    spectator: str | None = None


def house_of(private: Mapping[str, str]) -> House:
    """What these private fields of a game say; games of the first releases are public."""
    filled = private.get(_FILLED, "")
    return House(
        private.get(_VISIBILITY, PUBLIC_GAME),
        int(private.get(_DELAY, "0")),
        private.get(_CREATOR, ""),
        frozenset(int(seat) for seat in filled.split(",") if seat),
    )


class Admissions:
    """Asks the store who may come in. Every method may raise StoreUnavailable."""

    def __init__(self, store: RedisEventStore) -> None:
        """Ask this store."""
        self._store = store

    def of(self, game: str, token: str | None = None) -> Admission:
        """The house rules of a game, and what the token kept under this private field is there.

        Raises:
            GameNotFound: the game does not exist.
        """
        names = [SECRET, _VISIBILITY, _DELAY, _CREATOR, _FILLED, *([token] if token is not None else [])]
        private = self._fields(game, names)
        if SECRET not in private:
            raise GameNotFound(game)
        held = private.get(token) if token is not None else None
        if token is None or held is None or held == REPLACED:
            return Admission(house_of(private))
        if token.startswith(SPECTATOR_FIELD):
            return Admission(house_of(private), spectator=spectator_id(token))
        return Admission(house_of(private), seat=int(held))

    def house(self, game: str) -> House:
        """The house rules of a game that exists."""
        return house_of(self._fields(game, [_VISIBILITY, _DELAY, _CREATOR, _FILLED]))

    def _fields(self, game: str, names: list[str]) -> dict[str, str]:
        if not is_game_id(game):
            return {}
        key = GameKeys(game, self._store.partitions).private
        found = self._store.connection.command("HMGET", key, *names)
        return {name: text.decode() for name, text in zip(names, found, strict=True) if text is not None}
