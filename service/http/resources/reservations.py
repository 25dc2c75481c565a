"""Reserving a game, so that its secret is committed to before any seed is named; what a reservation is good for."""

from collections.abc import Callable
from typing import TypeVar

from flask import Response

from events.store.errors import VersionConflict
from events.transparency.game_commitment import GameCommitment
from service.access.keys import Key
from service.http.context.services import services
from service.http.contract.access import holders_of
from service.http.contract.operation import Link, Operation, Resource
from service.http.contract.problems import LOG
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.platform.clock import now_milliseconds
from service.play.reservations import SECONDS, Reservation, ReservationRefused, redeem, reserve

blueprint = Resource("reservations", __name__, url_prefix="/v1/reservations", description="Reservations")
_Made = TypeVar("_Made")


def redeem_reservation(holder: str, text: str | None) -> Reservation | None:
    """What a request's reservation promises; nothing without one.

    Raises:
        Problem: 422 where it is not good, or not for this holder.
    """
    if text is None:
        return None
    try:
        return redeem(services().store.installation.token_key, holder, text, now_milliseconds())
    except ReservationRefused as refused:
        detail = (
            f"This reservation is not good: it was not given out to you, or more than {SECONDS} seconds ago. Reserve"
            " another one: POST /v1/reservations."
        )
        raise Problem(422, "bad_reservation", detail) from refused


def create_reserved(reservation: Reservation, create: Callable[[str], _Made]) -> _Made:
    """What `create` makes of the reserved game's id.

    Raises:
        Problem: 409 where another request has set the game up.
        PartitionQuarantined, StoreUnavailable, StoreRefused: its partition does not take it now.
    """
    found = services()
    try:
        with found.creation_pauses.asking(found.store.partition_of(reservation.game)):
            return create(reservation.game)
    except VersionConflict as conflict:
        detail = f"The game {reservation.game} of this reservation has been set up; reserve another one."
        raise Problem(409, "reservation_used", detail) from conflict


@blueprint.post("")
@Operation(
    holders_of("create_games"),
    "ReservationAnswer",
    LOG,
    status=201,
    links={"set_up": Link("create_game", {}, "Set the game up: send `reservation` with it.")},
)
def reserve_game(holder: Key) -> Response:
    """Reserve a game: its id and the commitment to its secret, before you name any seed.

    Keep `note`, which is signed: it is a receipt that a verifier takes. `POST /v1/games` with the `reservation` sets
    this game up, once, until `expires`.
    """
    found = services()

    def is_writable(game: str) -> bool:
        return not found.creation_pauses.is_left_alone(found.store.partition_of(game))

    key = found.store.installation.token_key
    reservation = reserve(key, holder.id, now_milliseconds(), is_writable=is_writable)
    promised = GameCommitment(reservation.game, reservation.commitment, reservation.at)
    answer = {
        "game": promised.game,
        "commitment": promised.commitment,
        "at": promised.at,
        "expires": promised.at + SECONDS * 1000,
        "reservation": reservation.text,
        "note": found.signing_keys.sign(promised.text()),
    }
    return json_response(answer, 201)
