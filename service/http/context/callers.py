"""Who asks about a game, and what they may see of it: the one place where tokens become viewers.

A viewpoint says through whose eyes a game is seen and up to which version. Every answer about a game is made from the
game that a viewpoint has loaded, so that spectators who are some versions behind are behind everywhere.
"""

from dataclasses import dataclass
from typing import NamedTuple

from events.game.table import Table
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.store.errors import GameNotFound
from service.access.game_access import GamePolicy
from service.access.keys import Key
from service.access.rights import Rights
from service.access.tickets import Ticket
from service.http.context.acts import note_look
from service.http.context.bearers import CHALLENGE, Bearer, bearer
from service.http.context.limits import mark_authenticated
from service.http.context.services import Services, services
from service.http.messages.problems import Problem
from service.platform.clock import now_milliseconds
from service.play.tables import LoadedGame
from service.projections.audience import Audience


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller(Rights):
    """A seat of the game asked for, one of its spectators, the holder of a key, or nobody in particular."""

    game: str
    sender: Bearer

    @property
    def is_host(self) -> bool:
        """Whether the caller may decide for the table: its creator and operators."""
        return self.is_creator or (self.key is not None and self.key.is_operator)

    def is_still_admitted(self, found: Services) -> bool:
        """Whether what the caller was admitted by has not been revoked since.

        Raises:
            StoreUnavailable
        """
        if self.key is not None:
            key = found.keys.get(self.key.id)
            return key is not None and key.standing(now_milliseconds()) == "valid"
        if self.sender.field is not None:
            admission = found.game_access.of(self.game, self.sender.field)
            return (admission.seat, admission.spectator) == (self.seat, self.spectator)
        return True


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A game as its caller may see it."""

    caller: Caller
    viewer: int
    """Through whose eyes: a seat, `PUBLIC` or `ALL`."""
    loaded: LoadedGame
    """The game up to the last version that the caller may see."""
    log_version: int
    """Where the log stands: only to know when to look again."""

    @property
    def table(self) -> Table:
        """The table at the last version that the caller may see."""
        return self.loaded.table

    def advance(self, found: Services) -> "Viewpoint":
        """The same viewpoint on the game as it stands now.

        Raises:
            GameNotFound, StoreUnavailable
        """
        newest = found.tables.newest(self.table.game)
        seen = found.tables.behind(newest, self.caller.delay)
        return Viewpoint(self.caller, self.viewer, seen, newest.table.version)


def admit(game: str, **_others: str) -> Caller:
    """Who asks about this game, whether or not its log can be read.

    Raises:
        Problem: 401 for a token that is none, 403 for one of another game.
        GameNotFound: there is no such game, for this caller.
    """
    sender = bearer()
    found = services().game_access.of(game, sender.field)
    caller = Caller(found.policy, sender.key, found.seat, found.spectator, game=game, sender=sender)
    if not (caller.knows_of_it and found.exists):
        raise GameNotFound(game)
    if sender.token is not None:
        if caller.seat is None and caller.spectator is None:
            raise Problem(403, "not_your_game", "This token is not one of this game's.")
        mark_authenticated(game)
    return caller


def admit_holder(game: str, **_others: str) -> Caller:
    """Who asks about this game, with a token of whatever kind.

    Raises:
        Problem: 401 without one.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admit(game)
    if caller.key is None and caller.sender.field is None:
        detail = "This needs a token: send it as 'Authorization: Bearer <token>'."
        raise Problem(401, "token_required", detail, headers=CHALLENGE)
    return caller


def admit_insider(game: str, **_others: str) -> Caller:
    """A seat of the game, or who decides for the table.

    Raises:
        Problem: 401 or 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admit_holder(game)
    if caller.seat is None and not caller.is_host:
        detail = "This is for the game's seats, for the key that set it up, and for operators."
        raise Problem(403, "insider_required", detail)
    return caller


def admit_witness(game: str, **_others: str) -> Caller:
    """A seat of the game, one of its spectators, or who decides for the table.

    Raises:
        Problem: 401 or 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admit_holder(game)
    if caller.seat is None and caller.spectator is None and not caller.is_host:
        detail = "This is for the game's seats and spectators, for the key that set it up, and for operators."
        raise Problem(403, "not_your_game", detail)
    return caller


class Host(NamedTuple):
    """Who decides for a table."""

    key: Key
    policy: GamePolicy


def admit_host(game: str, **_others: str) -> Host:
    """Who decides for the table: the key that set the game up, or an operator's.

    Raises:
        Problem: 401 or 403 for everybody else.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admit_holder(game)
    if caller.key is None or not caller.is_host:
        raise Problem(403, "host_required", "This needs the key that set the game up, or an operator's.")
    return Host(caller.key, caller.policy)


def viewpoint(game: str, **_others: str) -> Viewpoint:
    """A game through the caller's own eyes.

    Raises:
        Problem: 401 or 403.
        GameNotFound: there is no such game, for this caller.
    """
    return view_as(admit(game))


def view_as(caller: Caller, wanted: str | None = None) -> Viewpoint:
    """A game through whose eyes the caller wants, where that is permitted; without a wish through their own.

    Raises:
        Problem: 403, or 404 for a seat that the game does not have.
        GameNotFound: there is no such game any more.
    """
    game = caller.game
    newest = services().tables.newest(game)
    seen = services().tables.behind(newest, caller.delay)
    is_over = newest.table.state.status == "finished"
    if caller.waits_for_the_end and not is_over:
        raise Problem(403, "game_not_finished", "Your key may see this game once it has finished.")
    viewer = _viewer(caller, wanted, seats=len(seen.table.state.seats), is_over=is_over)
    if caller.key is not None and viewer != PUBLIC and not is_over:
        note_look(caller.key, game, viewer_name(viewer))
    return Viewpoint(caller, viewer, seen, newest.table.version)


def _viewer(caller: Caller, wanted: str | None, *, seats: int, is_over: bool) -> int:
    own = caller.seat if caller.seat is not None else PUBLIC
    if wanted is None:
        return own
    named = {"public": PUBLIC, "all": ALL}
    viewer = named[wanted] if wanted in named else int(wanted.removeprefix("seat:"))
    if viewer >= seats:
        raise Problem(404, "no_such_seat", f"This game has seats 0 to {seats - 1}.")
    if viewer in (PUBLIC, own) or is_over or caller.may("arbitrate"):
        return viewer
    raise Problem(
        403, "view_forbidden", f"You may not see this game as {viewer_name(viewer)} before it has finished."
    )


def redeem_ticket(game: str, ticket: Ticket, wanted: str | None) -> Viewpoint | None:
    """What a ticket shows, which was permitted when it was given; None where its token is good no more.

    Raises:
        Problem: 403 where other eyes are wanted.
        GameNotFound: there is no such game any more.
    """
    key = services().keys.get(ticket.key) if ticket.key is not None else None
    policy = services().game_access.of(game).policy
    sender = Bearer(key=key, field=ticket.field)
    caller = Caller(policy, key, ticket.seat, ticket.spectator, game=game, sender=sender)
    if (ticket.key is not None and key is None) or not caller.is_still_admitted(services()):
        return None
    if wanted not in (None, viewer_name(ticket.viewer)):
        raise Problem(403, "view_forbidden", f"This ticket shows the game as {viewer_name(ticket.viewer)}.")
    newest = services().tables.newest(game)
    seen = services().tables.behind(newest, caller.delay)
    return Viewpoint(caller, ticket.viewer, seen, newest.table.version)


def seat_at(game: str, **_others: str) -> int:
    """The caller's seat in this game.

    Raises:
        Problem: 401 or 403 when the caller has none.
        GameNotFound: there is no such game, for this caller.
    """
    caller = admit(game)
    if caller.seat is not None:
        return caller.seat
    if caller.key is not None or caller.spectator is not None:
        raise Problem(403, "seat_required", "Only a seat can play: send the token of a seat.")
    detail = "This needs the token of a seat: send it as 'Authorization: Bearer fbs_...'."
    raise Problem(401, "seat_required", detail, headers=CHALLENGE)


def audience() -> Audience:
    """Which games the caller may find in the list.

    Raises:
        Problem: 401 for a token that is none.
    """
    return Audience(bearer().key)
