"""A table again with the same people: found from the game before, which everybody who asks derives alike.

The new game's id follows from the old one's, like that of a request which is sent again: so two who ask at once get
the same game, and nothing has to be written into the old one for it to name the next. Bots sit down at once; people
and programs take their seats by asking themselves, so the game begins when all of them want it.
"""

from typing import Final

from events.game.table import Table
from events.rules.move import HOST
from events.rules.table.state import Seat
from service.access.game_access import UNTIL_THE_END, GamePolicy
from service.http.context.creators import Creator, creator_of
from service.http.context.limits import count_guest, count_more
from service.http.context.new_games import check_room, create_where_it_can_be, game_ids
from service.http.context.services import services
from service.http.context.store import GameHeads
from service.play.deciding import Request
from service.play.lobby import NewGame, Player
from service.play.outcome import Outcome

_HOLDER: Final = "rematch"
_CREATING: Final = "key-rematch"
"""Names the request that sets a rematch up; no Idempotency-Key makes it, for it stands for no seat's token."""


def next_game(game: str) -> str | None:
    """The game that is played again after this one, where somebody has asked for it.

    Raises:
        StoreUnavailable
    """
    return next(iter(GameHeads(services().store).existing(list(game_ids(_HOLDER, f"key-{game}")))), None)


def seat_after(seat: int, players: int) -> int:
    """Where who sat at a seat sits in the next game: one seat nearer to seat 0, and from there on the last."""
    return (seat - 1) % players


def set_up(table: Table, policy: GamePolicy, now: int) -> Outcome:
    """The table at which a finished game is played again, with its bots; set up where nobody has yet.

    Raises:
        NotPlayed, Refused, UnknownCatalogue, Problem, StoreUnavailable
    """
    state = table.state
    seats = [state.seats[(seat + 1) % len(state.seats)] for seat in range(len(state.seats))]
    creator = creator_of(policy.creator)
    wanted = NewGame(
        state.system,
        [_player(seat) if _kind(seat) == "bot" else None for seat in seats],
        state.options,
        table.rules.catalogue.name,
        GamePolicy(policy.visibility, _delay(policy), policy.creator, previous=state.game),
        state.people_patience,
        state.program_patience,
        clock=state.clock,
        close_after=table.log.close_after,
    )

    def create(game: str) -> Outcome:
        found = services()
        outcome, _ = found.lobby.create(
            game, wanted, now, _CREATING, _CREATING, check=lambda: _check(creator, seats)
        )
        if not outcome.duplicate:
            for share in creator.shares:
                found.unfinished_games.note(share.name, game)
        return outcome

    return create_where_it_can_be(create, _HOLDER, f"key-{state.game}")


def sit_down(game: str, table: Table, seat: int, now: int) -> tuple[Outcome, int, str]:
    """Let who sat at a seat of the game before take theirs in the next one; the seat, and its token.

    Raises:
        Refused, TooBusy, StoreUnavailable
    """
    wanted = seat_after(seat, len(table.state.seats))
    request = Request(HOST, (), now, f"{_CREATING}-{wanted}", _CREATING)
    return services().lobby.take_seat(game, _player(table.state.seats[seat]), wanted, request)


def _delay(policy: GamePolicy) -> int:
    """How far spectators are behind: as before; not after a duplicate round, for nobody else plays these cards."""
    return 0 if policy.spectator_delay == UNTIL_THE_END else policy.spectator_delay


def _check(creator: Creator, seats: list[Seat]) -> None:
    check_room(creator)
    count_more(sum(_kind(seat) == "bot" for seat in seats))
    if creator.is_guest:
        count_guest()


def _kind(seat: Seat) -> str:
    """Who took a seat, whether or not a bot played on for them."""
    return seat.away or seat.kind


def _player(seat: Seat) -> Player:
    """Who took a seat, as who takes another one: without a seed, which is good for one game."""
    kind = _kind(seat)
    bot = seat.bot if kind == "bot" else ""
    return Player(seat.name, kind, bot, "", seat.program, seat.program_version, seat.player)
