"""The seat that sends a command: remembered by this process, and proved by the append itself.

Asking the store whose token it is, before each command, would be a second round trip. So a command is decided for the
seat that the token was last known to be, and the append requires that it is so still; before anything else is
answered than what was appended, the store is asked after all. A token that was replaced is worth nothing at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Response

from events.store_errors import RequirementUnmet
from service.command_handling import TooBusy
from service.http.bearers import bearer
from service.http.callers import seat_at
from service.http.limits import prove
from service.http.services import services


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat, and the private field of the game that makes it the caller's."""

    seat: int
    field: str

    @property
    def required(self) -> Mapping[str, str]:
        """What an append for this seat has to require."""
        return {self.field: str(self.seat)}


def answered_to_seat(game: str, answer: Callable[[Seated], Response], *, anew: bool = False) -> Response:
    """What is answered to the caller's seat.

    `answer` must append with `required`, and may return only what an append has proved; with `anew` the store is
    asked first, so that it need not append. It is called again where the token is not what it was remembered as.

    Raises:
        Problem: 401 or 403 when the caller has no seat; what `answer` raises.
        TooBusy: tokens of the seat are being replaced all the time.
        GameNotFound: there is no such game, for this caller.
    """
    remembered = None if anew else _remembered(game)
    if remembered is not None:
        try:
            found = answer(remembered)
        except RequirementUnmet:
            services().admissions.forget(game, remembered.field)
        except Exception:
            services().presence.seen(game, seat_at(game))
            raise
        else:
            services().presence.seen(game, remembered.seat)
            return found
    seat = seat_at(game)
    services().presence.seen(game, seat)
    try:
        return answer(Seated(seat, bearer().field or ""))
    except RequirementUnmet as unmet:
        # The token was replaced in between: asked once more, the store says what it is by now.
        seat_at(game)
        raise TooBusy from unmet


def _remembered(game: str) -> Seated | None:
    """The seat that the caller's token was last known to be."""
    sender = bearer()
    if sender.field is None or sender.token is None:
        return None
    seat = services().admissions.remembered_seat(game, sender.field)
    if seat is None:
        return None
    prove(sender.token)
    return Seated(seat, sender.field)
