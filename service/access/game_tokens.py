"""Giving out tokens of a game after it was set up: to spectators, and to a seat in place of the token that it has.

Tokens stand among the game's private fields, outside the log. They open it, and are no part of what was played.
"""

from collections.abc import Callable

import msgspec

from events.store.errors import CommandIdReused
from events.store.event_store import EventStore
from service.access.store import PrivateFields
from service.access.tokens import (
    REPLACED,
    SPECTATOR_FIELD,
    is_token_field,
    seat_token,
    spectator_id,
    spectator_token,
    token_field,
)

MOST_SPECTATORS = 100
"""Spectators' tokens of one game at most, revoked ones not counted."""
MOST_OF_SEAT = 10
"""Those of them that one seat has given: what all seats together leave is for who set the game up, and operators."""

MOST_REPLACED = 100
"""How often the tokens of a game's seats can be replaced: what was given out is remembered as useless."""


class Spectator(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who was given a token to watch a game with."""

    spectator: str
    """What the spectator is called in public."""
    name: str
    """What whoever gave the token calls them; may be empty."""
    given_by: str
    """`seat:0` and so on, or the id of a key."""
    created: int
    """Milliseconds since the epoch."""


class TooManySpectators(Exception):
    """A game has as many spectators' tokens as it may have, or as one seat may give."""


class TooManyReplacements(Exception):
    """The tokens of a game's seats were replaced as often as they may be."""


class GameTokens:
    """The tokens of a store's games. Every method may raise StoreUnavailable, for a game that exists."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._store = store
        self._fields = PrivateFields(store)

    def invite(
        self, game: str, name: str, *, giver: str, at: int, request: str
    ) -> tuple[str, Spectator, bool]:
        """Give a spectator a token; returns it, the spectator, and whether the same request had done so before.

        A token that was revoked meanwhile is given again.

        Raises:
            TooManySpectators
            CommandIdReused: that request had given another name.
        """
        token = spectator_token(self._store.installation.token_key, game, giver, request)
        field = token_field(token)
        known = self._fields.read(game, [field]).get(field)
        if known is not None:
            spectator = msgspec.json.decode(known, type=Spectator)
            if spectator.name != name:
                raise CommandIdReused(game, request)
            return token, spectator, True
        spectator = Spectator(spectator=spectator_id(field), name=name, given_by=giver, created=at)
        most = MOST_OF_SEAT if giver.startswith("seat:") else MOST_SPECTATORS
        kept = msgspec.json.encode(spectator)
        if not self._fields.add_spectator(game, field, kept, giver, (MOST_SPECTATORS, most)):
            raise TooManySpectators(game)
        return token, spectator, False

    def spectators(self, game: str) -> list[Spectator]:
        """All spectators of a game whose tokens are good, the first one first."""
        found = [msgspec.json.decode(text, type=Spectator) for text in self._spectators(game).values()]
        return sorted(found, key=lambda each: (each.created, each.spectator))

    def dismiss(self, game: str, spectator: str) -> None:
        """Make a spectator's token useless from now on."""
        for field in self._spectators(game):
            if spectator_id(field) == spectator:
                self._fields.remove(game, field)

    def replace_seat_token(
        self, game: str, seat: int, request: str, announce: Callable[[], object] = lambda: None
    ) -> str:
        """Give a seat a new token; all that it had before are useless from then on.

        The same request again gets the same token, which meanwhile may have been replaced itself. `announce` is
        called before anything is changed, and not where nothing is; two at once may both announce it where there is
        room for one.

        Raises:
            TooManyReplacements
        """
        token = seat_token(self._store.installation.token_key, game, seat, f"replaced/{request}")
        new = token_field(token)
        private = self._store.private(game)
        if new in private:
            return token
        if sum(held == REPLACED for field, held in private.items() if is_token_field(field)) >= MOST_REPLACED:
            raise TooManyReplacements(game)
        announce()
        if not self._fields.replace_token(game, new, seat, MOST_REPLACED):
            raise TooManyReplacements(game)
        return token

    def _spectators(self, game: str) -> dict[str, str]:
        private = self._store.private(game)
        return {field: text for field, text in private.items() if field.startswith(SPECTATOR_FIELD)}
