"""The seat that sends a command: remembered by this process, and proved by the append itself.

Asking the store whose token it is, before each command, would be a second round trip. So a command is decided for the
seat that the token was last known to be, and the append requires that it is so still; before anything else is
answered than what was appended, the store is asked after all. A token that was replaced is worth nothing at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from events.store.errors import RequirementUnmet
from service.http.context.bearers import bearer
from service.http.context.callers import seat_at
from service.http.context.limits import mark_authenticated
from service.http.context.services import services
from service.play.outcome import TooBusy


@dataclass(slots=True)
class Seated:
    """A seat, and the private field of the game that makes it the caller's."""

    game: str
    seat: int
    field: str
    is_authenticated: bool = False
    """Whether the store was asked in this request."""

    @property
    def required(self) -> Mapping[str, str]:
        """What an append for this seat has to require."""
        return {self.field: str(self.seat)}

    def authenticate(self) -> None:
        """Ask the store, where it was not asked yet: for an answer that no append proves.

        Raises:
            Problem: 401 or 403 when the caller has the seat no more.
            GameNotFound: there is no such game, for this caller.
        """
        if not self.is_authenticated:
            seat_at(self.game)
            self.is_authenticated = True


def with_authenticated_seat(view: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator for views: hands on the caller's seat as `seated`.

    The view must append with `required`, and may return only what an append has proved, or what was asked for after
    `authenticate`. It is called again where the token is not what it was remembered as.

    The view raises further:
        Problem: 401 or 403 when the caller has no seat.
        TooBusy: tokens of the seat are being replaced all the time.
        GameNotFound: there is no such game, for this caller.
    """

    @wraps(view)
    def authenticated(*arguments: Any, game: str, **variables: Any) -> Any:
        seated = _recall_seat(game)
        if seated is not None:
            try:
                answer = view(*arguments, game=game, seated=seated, **variables)
            except RequirementUnmet:
                services().game_access.forget(game, seated.field)
            except Exception:
                seated.authenticate()
                services().presence.seen(game, seated.seat)
                raise
            else:
                services().presence.seen(game, seated.seat)
                return answer
        seated = Seated(game, seat_at(game), bearer().field or "", is_authenticated=True)
        services().presence.seen(game, seated.seat)
        try:
            return view(*arguments, game=game, seated=seated, **variables)
        except RequirementUnmet as unmet:
            # The token was replaced in between: asked once more, the store says what it is by now.
            seat_at(game)
            raise TooBusy from unmet

    return authenticated


def _recall_seat(game: str) -> Seated | None:
    """The seat that the caller's token was last known to be."""
    sender = bearer()
    if sender.field is None or sender.token is None:
        return None
    seat = services().game_access.remembered_seat(game, sender.field)
    if seat is None:
        return None
    mark_authenticated(game)
    return Seated(game, seat, sender.field)
