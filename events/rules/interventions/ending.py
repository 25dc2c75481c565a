"""Ending a game before its time: all seats agree, everybody has left, or the host closes what nobody plays."""

from collections.abc import Iterator, Mapping

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Decision
from events.rules.move import Move
from events.rules.table.absence import bots_at, has_bot_player, is_person, who_can_win
from events.rules.table.state import EndOffer, GameState

DRAWN, CALLED_OFF = "drawn", "called_off"
END_KINDS = (DRAWN, CALLED_OFF)
"""How seats can end a game together, and the reasons that stand in its `game_ended`."""
ABANDONED = "abandoned"
"""The reason where everybody has left."""
NEVER_BEGUN, UNTOUCHED = "never_begun", "untouched"
CLOSING_REASONS: Mapping[str, str] = {NEVER_BEGUN: "open", UNTOUCHED: "running"}
"""Why the host closes a game, and of which status it must be."""


def standing(move: Move) -> tuple[int, ...]:
    """What each seat has earned so far; what still grows does not count."""
    if move.state.status == "open":
        return (0,) * move.rules.players
    return tuple(move.rules.system.score(move.rules, move.state, seat) for seat in range(move.rules.players))


def end_at_once(
    move: Move, winners: tuple[int, ...], reason: str, scores: tuple[int, ...] | None = None
) -> None:
    """End the game as it stands, or with these scores; nothing is left but to open the secret."""
    counted = standing(move) if scores is None else scores
    move.emit(e.GameEnded(counted, winners, reason, move.rules.system.unit))
    move.emit(e.DealerCalled("secret"))


def check_person(move: Move) -> None:
    """Refuse a seat that a bot plays.

    Raises:
        PeopleOnly
    """
    if not is_person(move.own):
        raise errors.PeopleOnly(
            f"A bot plays seat {move.seat}: it neither leaves nor ends a game with others."
        )


def agree_for(move: Move, seat: int) -> None:
    """A seat that a bot plays agrees to end the game where that is offered, and has not yet."""
    offer = move.state.end_offer
    if offer is not None and seat not in offer.agreed:
        move.emit(e.EndAccepted(seat))
        _settle(move)


def _offer(move: Move, command: c.OfferEnd) -> None:
    check_person(move)
    if has_bot_player(move.state):
        raise errors.PeopleOnly(
            "A bot has a seat of its own at this table, and bots agree to no end: play on, or leave with 'resign'."
        )
    if command.kind not in END_KINDS:
        raise errors.BadEndOffer(f"The end that all agree to is one of {', '.join(END_KINDS)}.")
    if move.state.end_offer is not None:
        raise errors.EndOfferOpen(
            f"Seat {move.state.end_offer.seat} has offered to end the game; accept or decline that first."
        )
    move.emit(e.EndOffered(move.seat, command.kind, (move.seat, *bots_at(move.state))))
    _settle(move)


def _accept(move: Move, _command: c.AcceptEnd) -> None:
    check_person(move)
    if move.seat in _open(move).agreed:
        raise errors.AgreedAlready("You have agreed; the others have to answer now.")
    move.emit(e.EndAccepted(move.seat))
    _settle(move)


def _decline(move: Move, _command: c.DeclineEnd) -> None:
    check_person(move)
    _open(move)
    move.emit(e.EndDeclined(move.seat))


def _open(move: Move) -> EndOffer:
    if move.state.end_offer is None:
        raise errors.NoEndOffer("Nobody has offered to end the game.")
    return move.state.end_offer


def _settle(move: Move) -> None:
    """End the game once everybody has agreed."""
    offer = _open(move)
    if len(offer.agreed) == move.rules.players:
        end_at_once(move, winners_of(move.state, offer.kind), offer.kind)


def winners_of(state: GameState, kind: str) -> tuple[int, ...]:
    """Who wins a game that all agree to end: drawn, all who are there; called off, nobody."""
    return who_can_win(state) if kind == DRAWN else ()


def close_game(move: Move, command: c.CloseGame) -> None:
    """End a game that nobody plays; whether it is time for that, the host has to know."""
    wanted = CLOSING_REASONS.get(command.reason)
    if wanted is None:
        raise errors.BadClosing(f"A game is closed for one of these reasons: {', '.join(CLOSING_REASONS)}.")
    if move.state.status != wanted:
        raise errors.BadClosing(
            f"A game is closed as {command.reason} while it is {wanted}; this one is {move.state.status}."
        )
    move.emit(e.GameClosed(command.reason))
    end_at_once(move, (), command.reason)


END_OFFERS: Mapping[type[c.Command], Decision] = {
    c.OfferEnd: _offer,
    c.AcceptEnd: _accept,
    c.DeclineEnd: _decline,
}
"""The same in every rule system."""


def legal_end_offers(state: GameState, seat: int) -> Iterator[c.Command]:
    """Offering where people alone play and no offer is open; agreeing once, and declining."""
    if not is_person(state.seats[seat]) or has_bot_player(state):
        return
    if state.end_offer is None:
        yield from (c.OfferEnd(kind) for kind in END_KINDS)
        return
    if seat not in state.end_offer.agreed:
        yield c.AcceptEnd()
    yield c.DeclineEnd()
