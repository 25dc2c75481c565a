"""Who asks, and what they may see: the one place where tokens become viewers."""

from dataclasses import dataclass

from flask import request

from events.disclosure import ALL, PUBLIC, viewer_name
from service.http.limits import prove
from service.http.problems import Problem
from service.http.services import services
from service.keys import KEY_PREFIX, Key
from service.tables import Sitting
from service.tokens import SEAT_PREFIX, seat_of

LONGEST_TOKEN = 100
_CHALLENGE = {"WWW-Authenticate": "Bearer"}


@dataclass(frozen=True, slots=True)
class Caller:
    """A seat of the game asked for, the holder of a key, or a spectator."""

    seat: int | None = None
    key: Key | None = None

    def may(self, scope: str) -> bool:
        """Whether the caller's key has a scope."""
        return self.key is not None and scope in self.key.scopes


def caller_at(sitting: Sitting) -> Caller:
    """Who asks about this game.

    Raises:
        Problem: 401 for a token that is none, 403 for one of another game.
    """
    return caller_of(sitting.private)


def caller_of(private: dict[str, str]) -> Caller:
    """Who asks about the game with these private fields, whether or not its log can be read.

    Raises:
        Problem: as `caller_at`.
    """
    token = _bearer()
    if token is None:
        return Caller()
    if token.startswith(SEAT_PREFIX):
        seat = seat_of(private, token)
        if seat is None:
            raise Problem(403, "not_your_game", "This token is not one of this game's seats.")
        prove(token)
        return Caller(seat=seat)
    return Caller(key=_key(token))


def key_holder(scope: str) -> Key:
    """The caller's key, which must have this scope.

    Raises:
        Problem: 401 without a key, 403 when it lacks the scope.
    """
    token = _bearer()
    if token is None or not token.startswith(KEY_PREFIX):
        detail = (
            "This needs a key: send it as 'Authorization: Bearer fbk_...'. The service prints its first key."
        )
        raise Problem(401, "key_required", detail, headers=_CHALLENGE)
    key = _key(token)
    if scope not in key.scopes:
        raise Problem(403, "scope_missing", f"Your key does not have the scope '{scope}'.")
    return key


def seated(sitting: Sitting) -> int:
    """The caller's seat in this game.

    Raises:
        Problem: 401 or 403 when the caller has none.
    """
    caller = caller_at(sitting)
    if caller.seat is None:
        if caller.key is not None:
            raise Problem(403, "seat_required", "A key cannot play: send the token of a seat.")
        detail = "This needs the token of a seat: send it as 'Authorization: Bearer fbs_...'."
        raise Problem(401, "seat_required", detail, headers=_CHALLENGE)
    return caller.seat


def viewer_for(sitting: Sitting, wanted: str | None) -> int:
    """Through whose eyes the caller sees the game: as wanted, where that is permitted, else as their own.

    Raises:
        Problem: 401 or 403.
    """
    caller = caller_at(sitting)
    own = caller.seat if caller.seat is not None else PUBLIC
    if wanted is None:
        return own
    viewer = _viewer(wanted)
    if viewer >= len(sitting.table.state.seats):
        raise Problem(404, "no_such_seat", f"This game has seats 0 to {len(sitting.table.state.seats) - 1}.")
    open_to_all = sitting.table.state.status == "finished" or caller.may("arbitrate")
    if viewer in (PUBLIC, own) or open_to_all:
        return viewer
    raise Problem(
        403, "view_forbidden", f"You may not see this game as {viewer_name(viewer)} before it has finished."
    )


def _viewer(name: str) -> int:
    named = {"public": PUBLIC, "all": ALL}
    return named[name] if name in named else int(name.removeprefix("seat:"))


def _bearer() -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Problem(
            401, "bad_token", "Send the token as 'Authorization: Bearer <token>'.", headers=_CHALLENGE
        )
    token = token.strip()
    if not token.startswith((SEAT_PREFIX, KEY_PREFIX)) or len(token) > LONGEST_TOKEN:
        raise Problem(401, "bad_token", "This is no token of this service.", headers=_CHALLENGE)
    return token


def _key(token: str) -> Key:
    key = services().keys.find(token)
    if key is None:
        raise Problem(401, "bad_token", "This key is not known here.", headers=_CHALLENGE)
    prove(token)
    return key
