"""Leaving, coming back and ending a game before its time: whether they make sense, for any viewer."""

from typing import Any, Final

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.interventions.ending import ABANDONED, CLOSING_REASONS, DRAWN, END_KINDS
from events.rules.interventions.leaving import MOST_RETURNS, RESIGNED, STAND_IN
from events.rules.interventions.time import TIME
from events.rules.table.absence import bots_at, has_bot_player, is_abandoned, is_person, who_can_win
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.unknown import Checks

EARLY_ENDS: Final = frozenset({ABANDONED, *END_KINDS, *CLOSING_REASONS})
"""Reasons of ends that no rule of the game brings about, nor a ruling."""
_TAKEN_OVER_AFTER: Final[dict[str, type[e.DomainEvent]]] = {RESIGNED: e.SeatResigned, TIME: e.TimeExpired}
"""What must stand right before a take-over for each reason, of the same seat."""
_LEADING_ON: Final = (e.SeatResigned, e.TimeExpired, e.SeatTakenOver, e.GameClosed)
_LED_TO: Final = (e.SeatTakenOver, e.GameEnded)


def check_leaving(state: GameState, last: e.DomainEvent | None, event: e.DomainEvent) -> None:
    """Refuse what cannot come after the event before it, because of who has left or what all agreed to.

    Raises:
        Discrepancy: of the check `fold`.
    """
    if type(last) not in _LEADING_ON and type(event) not in _LED_TO and state.end_offer is None:
        return
    owed = _owed(state, last)
    if owed is not None and not _is(event, owed):
        raise Discrepancy("fold", f"{type(event).__name__} happened where first {_told(owed)} has to")
    if owed is not None:
        return
    if isinstance(event, e.SeatTakenOver):
        before = _TAKEN_OVER_AFTER.get(event.reason)
        if before is None or type(last) is not before or getattr(last, "seat", None) != event.seat:
            raise Discrepancy("fold", f"seat {event.seat} was taken over without having left")
    if isinstance(event, e.GameEnded) and event.reason in EARLY_ENDS:
        raise Discrepancy("fold", f"nothing has led to the end {event.reason!r}")


_Owed = tuple[type[e.DomainEvent], dict[str, Any]]


def _owed(state: GameState, last: e.DomainEvent | None) -> _Owed | None:
    """What has to come next, with some of its members."""
    if state.status not in {"open", "running"}:
        return None
    offer = state.end_offer
    agreed = {*offer.agreed} if offer is not None else set()
    match last:
        case e.SeatResigned() | e.TimeExpired() if reason := _reason_to_take_over(state, last):
            bot = STAND_IN if state.clock is None or reason == RESIGNED else state.clock.bot
            return e.SeatTakenOver, {"seat": last.seat, "reason": reason, "bot": bot}
        case e.GameClosed():
            return e.GameEnded, {"reason": last.reason}
        case e.SeatTakenOver() if is_abandoned(state):
            return e.GameEnded, {"reason": ABANDONED}
        case e.SeatTakenOver() if offer is not None and last.seat not in agreed:
            return e.EndAccepted, {"seat": last.seat}
    is_settled = offer is not None and agreed == {*range(len(state.seats))}
    return (e.GameEnded, {"reason": offer.kind}) if is_settled and offer is not None else None


def _reason_to_take_over(state: GameState, last: e.SeatResigned | e.TimeExpired) -> str:
    """Why a bot takes the seat over right after this event; empty where its time ran out, and not too often."""
    if isinstance(last, e.SeatResigned):
        return RESIGNED
    return TIME if state.clock is not None and last.strikes >= state.clock.strikes else ""


def _is(event: e.DomainEvent, owed: _Owed) -> bool:
    kind, members = owed
    return isinstance(event, kind) and all(getattr(event, name) == value for name, value in members.items())


def _told(owed: _Owed) -> str:
    kind, members = owed
    return f"{kind.__name__} ({', '.join(f'{name} {value}' for name, value in members.items())})"


def check_early_end(rules: Rules, state: GameState, event: e.GameEnded) -> None:
    """Refuse an early end whose scores or winners cannot be.

    Raises:
        Discrepancy: of the check `scores`.
    """
    scores = (0,) * rules.players
    if state.status != "open":
        scores = tuple(rules.system.score(rules, state, seat) for seat in range(rules.players))
    if event.scores != scores or event.unit != rules.system.unit:
        raise Discrepancy("scores", f"the seats have earned {list(scores)}, not {list(event.scores)}")
    winners = who_can_win(state) if event.reason == DRAWN else ()
    if event.winners != winners:
        raise Discrepancy("scores", f"a game that is {event.reason} is won by {list(winners)}")


def _person(_rules: Rules, state: GameState, event: e.SeatResigned | e.SeatTakenOver) -> None:
    if not is_person(state.seats[event.seat]):
        raise Discrepancy("fold", f"nobody sits on seat {event.seat} who could leave")


def _returned(_rules: Rules, state: GameState, event: e.SeatReturned) -> None:
    seat = state.seats[event.seat]
    if not seat.away or seat.returns >= MOST_RETURNS:
        raise Discrepancy("fold", f"nobody could come back to seat {event.seat}")


def _offered(_rules: Rules, state: GameState, event: e.EndOffered) -> None:
    if state.end_offer is not None or event.kind not in END_KINDS or not is_person(state.seats[event.seat]):
        raise Discrepancy("fold", f"seat {event.seat} could not offer to end the game")
    if has_bot_player(state):
        raise Discrepancy("fold", "an end was offered at a table where a bot plays")
    if event.agreed != (event.seat, *bots_at(state)):
        raise Discrepancy("fold", "others agree at once to end the game than who offers it and the bots")


def _accepted(_rules: Rules, state: GameState, event: e.EndAccepted) -> None:
    if state.end_offer is None or event.seat in state.end_offer.agreed:
        raise Discrepancy("fold", f"seat {event.seat} had no end to agree to")


def _declined(_rules: Rules, state: GameState, event: e.EndDeclined) -> None:
    if state.end_offer is None or not is_person(state.seats[event.seat]):
        raise Discrepancy("fold", f"seat {event.seat} had no end to decline")


def _closed(_rules: Rules, state: GameState, event: e.GameClosed) -> None:
    if CLOSING_REASONS.get(event.reason) != state.status:
        raise Discrepancy("fold", f"a game that is {state.status} cannot be closed as {event.reason[:20]!r}")


CHECKS: Checks = {
    e.SeatResigned: _person,
    e.SeatTakenOver: _person,
    e.SeatReturned: _returned,
    e.EndOffered: _offered,
    e.EndAccepted: _accepted,
    e.EndDeclined: _declined,
    e.GameClosed: _closed,
}
