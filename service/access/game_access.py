"""Who may come in: what a game's private fields say about its visibility and about a token.

They are read from the store at every request, by one command which is the same for every game and for none. So a
token that was revoked is refused at once, in all processes; and for whoever may not see a private game, it takes as
long as a game that does not exist. What seat a token was is remembered besides, for those who have it proved by
something else (`service.http.context.seats`).
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

import msgspec

from events.store.event_store import EventStore
from service.access.store import PrivateFields
from service.access.tokens import REPLACED, SPECTATOR_FIELD, spectator_id

SECRET = "secret"  # noqa: S105 - the name of a field
"""Name of the private field that holds a game's secret until it is revealed."""
PUBLIC_GAME: Final = "public"
"""Everybody may watch it, and it is listed."""
UNLISTED_GAME: Final = "unlisted"
"""Everybody who knows its id may watch it."""
PRIVATE_GAME: Final = "private"
"""For everybody else it does not exist."""
VISIBILITIES: Final = (PUBLIC_GAME, UNLISTED_GAME, PRIVATE_GAME)
LONGEST_DELAY: Final = 1000
"""Versions that spectators may be behind at most."""
UNTIL_THE_END: Final = 10**9
"""So far behind is everybody but the seats and arbiters, who set the game up too: others play the same cards."""
REMEMBERED: Final = 20_000
"""Seats whose tokens a process remembers."""
_HOUSE: Final = "house"


class GamePolicy(msgspec.Struct, frozen=True):
    """What a table decided about who may watch, when it was set up; but for `is_shown` it never changes."""

    visibility: str = PUBLIC_GAME
    spectator_delay: int = 0
    """Versions that spectators are behind until the game has finished; `UNTIL_THE_END` for its creator as well."""
    creator: str = ""
    """The id of the key that set the game up, or the pseudonym of a guest's address."""
    filled: tuple[int, ...] = ()
    """The seats whose tokens the creator was given."""
    previous: str = ""
    """The game after which it is played again, with its seats kept for who sat there."""
    is_shown: bool = False
    """Whether everybody sees it as it stands, whatever delay was decided: see `GameAccess.show`."""

    @property
    def delay(self) -> int:
        """Versions that spectators are behind by now."""
        return 0 if self.is_shown else self.spectator_delay

    @property
    def is_listed(self) -> bool:
        """Whether strangers may learn that the game exists."""
        return self.visibility == PUBLIC_GAME

    def private_fields(self) -> dict[str, str]:
        """The field by which a game keeps it."""
        return {_HOUSE: msgspec.json.encode(self).decode()}


_DEFAULT: Final = msgspec.json.encode(GamePolicy()).decode()
"""The house rules of a game that was stored without any."""
_NOBODYS: Final = msgspec.json.encode(GamePolicy(PRIVATE_GAME)).decode()
"""The house rules of games that do not exist."""


@dataclass(frozen=True, slots=True)
class Admission:
    """A game's house rules, and what a token is in this game."""

    policy: GamePolicy
    seat: int | None = None
    spectator: str | None = None
    exists: bool = True
    """False for a game that does not exist; it is then private, and nobody's."""


class GameAccess:
    """Asks the store who may come in. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Ask this store."""
        self._fields = PrivateFields(store)
        self._seats: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._lock = Lock()

    def of(self, game: str, token: str | None = None) -> Admission:
        """The house rules of a game, and what the token kept under this private field is there.

        A game that does not exist is answered by the same steps as one that does, up to whoever asks.
        """
        admission = self.admit(self._fields.read(game, self.fields(token)), token)
        if token is not None and admission.seat is not None:
            self._remember(game, token, admission.seat)
        return admission

    @staticmethod
    def fields(token: str | None = None) -> list[str]:
        """The private fields of a game that say who may come in, with a token that is kept under this one."""
        return [SECRET, _HOUSE, *([token] if token is not None else [])]

    @staticmethod
    def admit(private: Mapping[str, str], token: str | None = None) -> Admission:
        """What these fields of a game say."""
        exists = SECRET in private
        policy = _read_policy(private.get(_HOUSE, _DEFAULT) if exists else _NOBODYS)
        held = private.get(token) if token is not None else None
        if token is None or held is None or held == REPLACED:
            return Admission(policy, exists=exists)
        if token.startswith(SPECTATOR_FIELD):
            return Admission(policy, spectator=spectator_id(token), exists=exists)
        return Admission(policy, seat=int(held), exists=exists)

    def remembered_seat(self, game: str, token: str) -> int | None:
        """The seat that the token under this private field was when the store was last asked, if that is known."""
        return self._seats.get((game, token))

    def forget(self, game: str, token: str) -> None:
        """Forget what seat that was."""
        with self._lock:
            self._seats.pop((game, token), None)

    def _remember(self, game: str, token: str, seat: int) -> None:
        with self._lock:
            self._seats[game, token] = seat
            self._seats.move_to_end((game, token))
            if len(self._seats) > REMEMBERED:
                self._seats.popitem(last=False)

    def show(self, game: str) -> None:
        """Let whoever may watch a game see it as it stands: nobody else plays its cards any more.

        The list of games goes by what was decided when the game was set up, so that it does not depend on when it is
        projected: there such a game stands as it began until it has finished.
        """
        policy = self.policy(game)
        if policy.delay:
            shown = msgspec.structs.replace(policy, is_shown=True)
            self._fields.replace(game, _HOUSE, msgspec.json.encode(shown))

    def policy(self, game: str) -> GamePolicy:
        """The house rules of a game that exists."""
        return _read_policy(self._fields.read(game, [_HOUSE]).get(_HOUSE, _DEFAULT))


def _read_policy(text: str) -> GamePolicy:
    return msgspec.json.decode(text, type=GamePolicy)
