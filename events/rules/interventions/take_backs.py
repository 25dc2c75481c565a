"""Mistakes between friends: a seat asks to go back, and when all others agree the game does."""

from collections.abc import Iterable, Iterator, Mapping

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.forms import AskTakeBackForm
from events.rules.definition.rule_system import Decision
from events.rules.interventions.rewinding import is_playable, keeps_deal, rewind, table_of
from events.rules.move import Earlier, Move
from events.rules.table.absence import bots_at, has_bot_player
from events.rules.table.seen import is_anything_seen, is_seen_of_others
from events.rules.table.state import GameState, TakeBack


def _ask(move: Move, command: c.AskTakeBack) -> None:
    if move.state.take_back is not None:
        raise errors.TakeBackOpen(
            f"Seat {move.state.take_back.seat} has asked to take something back; answer that first."
        )
    earlier = move.earlier(command.to_version)
    if is_playable(earlier) and not do_bots_agree(earlier, move.state, move.seat):
        raise errors.BotsDecline(
            f"Since version {command.to_version} hidden cards were seen, and a bot has a seat of its own here. Bots"
            " agree to go back only where nothing was seen but cards from your own hand."
        )
    table_of(move, command.to_version, seen_confirmed=command.seen_confirmed)
    bots = tuple(number for number in bots_at(move.state) if number != move.seat)
    move.emit(e.TakeBackAsked(move.seat, command.to_version, (move.seat, *bots), command.seen_confirmed))
    _settle(move)


def _agree(move: Move, _command: c.AgreeTakeBack) -> None:
    if move.seat in _open(move).agreed:
        raise errors.AgreedAlready("You have agreed; the others have to answer now.")
    move.emit(e.TakeBackAgreed(move.seat))
    _settle(move)


def do_bots_agree(earlier: GameState, now: GameState, seat: int) -> bool:
    """Return whether the bots agree that a seat goes back: not where it would keep what it has seen since.

    A bot that plays for a player who left agrees to everything.
    """
    return not has_bot_player(now) or not is_seen_of_others(earlier, now, seat)


def agree_take_back_for(move: Move, seat: int) -> None:
    """A seat that a bot plays agrees to go back where that is asked, and has not yet."""
    asked = move.state.take_back
    if asked is not None and seat not in asked.agreed:
        move.emit(e.TakeBackAgreed(seat))
        _settle(move)


def _decline(move: Move, _command: c.DeclineTakeBack) -> None:
    _open(move)
    move.emit(e.TakeBackDeclined(move.seat))


def _open(move: Move) -> TakeBack:
    if move.state.take_back is None:
        raise errors.NoTakeBack("Nobody has asked to take anything back.")
    return move.state.take_back


def _settle(move: Move) -> None:
    """Go back once everybody has agreed."""
    asked = _open(move)
    if len(asked.agreed) == move.rules.players:
        rewind(move, asked.to_version, case=0, seen_confirmed=asked.seen_confirmed)


TAKE_BACKS: Mapping[type[c.Command], Decision] = {
    c.AskTakeBack: _ask,
    c.AgreeTakeBack: _agree,
    c.DeclineTakeBack: _decline,
}
"""The same in every rule system."""


def may_be_asked(earlier: GameState, now: GameState, seat: int) -> bool:
    """Return whether a seat may ask to go back to this table: the deal stays where it must, and the bots agree."""
    return keeps_deal(earlier, now) and do_bots_agree(earlier, now, seat)


def legal_questions(
    state: GameState, seat: int, earlier: Earlier | None, stops: Iterable[int]
) -> Iterator[AskTakeBackForm]:
    """Yield the form by which a seat asks to go back to one of these versions, while nothing holds the game up."""
    if earlier is None:
        yield AskTakeBackForm()
        return
    playable = [
        (version, then)
        for version in stops
        if is_playable(then := earlier(version)) and then != state and may_be_asked(then, state, seat)
    ]
    if playable:
        nothing_seen = (version for version, then in playable if not is_anything_seen(then, state))
        yield AskTakeBackForm(tuple(version for version, _ in playable), tuple(nothing_seen))


def legal_answers(state: GameState, seat: int, earlier: Earlier | None) -> Iterator[c.Command]:
    """Agreeing once, and declining, while a question is open."""
    asked = state.take_back
    if asked is None:
        return
    if seat not in asked.agreed:
        is_last = len(asked.agreed) == len(state.seats) - 1
        if earlier is None or not is_last or _may_go_back(state, asked, earlier(asked.to_version)):
            yield c.AgreeTakeBack()
    yield c.DeclineTakeBack()


def _may_go_back(state: GameState, asked: TakeBack, then: GameState | None) -> bool:
    return is_playable(then) and then != state and (asked.seen_confirmed or not is_anything_seen(then, state))
