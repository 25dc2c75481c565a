"""Pauses, rulings, take-backs and rewindings in a record: whether they make sense, for any viewer."""

from collections.abc import Callable
from typing import Any

from events import domain_events as e
from events.folding import Folding
from events.rules.piles import BONUS_PILE, shuffles_of
from events.rules.rule_system import Rules
from events.rules.seen import piles_touched
from events.rules.state import GameState
from replay.report import Discrepancy


def check_rewinding(folding: Folding, event: e.GameRewound) -> None:
    """Refuse going back to where the game cannot go back to, or in another way than it must.

    Raises:
        Discrepancy: of the check `fold`.
    """
    now, earlier = folding.state, folding.earlier(event.to_version)
    if earlier is None:
        raise Discrepancy("fold", f"the game cannot go back to version {event.to_version}")
    if (event.shuffles, event.bonus_shuffles) != (now.shuffles, shuffles_of(now, BONUS_PILE)):
        raise Discrepancy("fold", "the shuffles are not counted on")
    touched = piles_touched(earlier, now)
    if event.redeal != touched:
        raise Discrepancy("fold", f"the piles to deal anew are {list(touched)}, not {list(event.redeal)}")
    if event.paused_by != tuple(case for case in now.paused_by if case != event.case):
        raise Discrepancy("fold", "other cases hold the game up than before")


def check_ruled_end(rules: Rules, event: e.GameEnded, scores: tuple[int, ...]) -> None:
    """Refuse a ruled end whose scores or winners cannot be: `scores` is what the table says.

    Raises:
        Discrepancy: of the check `scores`.
    """
    if event.reason != "replaced" and event.scores != scores:
        raise Discrepancy("scores", f"the coin stacks hold {list(scores)}, not {list(event.scores)}")
    seats = set(range(rules.players))
    if (
        len(event.scores) != rules.players
        or not seats.issuperset(event.winners)
        or event.unit != rules.system.unit
    ):
        raise Discrepancy("scores", "the result does not fit the table")
    if bool(event.winners) == (event.reason == "annulled"):
        raise Discrepancy("scores", f"a game that is {event.reason} has {len(event.winners)} winners")


def _paused(_rules: Rules, state: GameState, event: e.GamePaused) -> None:
    if event.case < 1 or event.case in state.paused_by:
        raise Discrepancy("fold", f"case {event.case} holds the game up already, or is none")


def _resumed(_rules: Rules, state: GameState, event: e.GameResumed) -> None:
    if event.case not in state.paused_by:
        raise Discrepancy("fold", f"case {event.case} did not hold the game up")


def _asked(_rules: Rules, state: GameState, _event: e.TakeBackAsked) -> None:
    if state.take_back is not None:
        raise Discrepancy("fold", "two take-backs are open")


def _agreed(_rules: Rules, state: GameState, event: e.TakeBackAgreed) -> None:
    if state.take_back is None or event.seat in state.take_back.agreed:
        raise Discrepancy("fold", f"seat {event.seat} had nothing to agree to")


def _declined(_rules: Rules, state: GameState, _event: e.TakeBackDeclined) -> None:
    if state.take_back is None:
        raise Discrepancy("fold", "nobody had asked to take anything back")


CHECKS: dict[type[e.DomainEvent], Callable[[Rules, GameState, Any], None]] = {
    e.GamePaused: _paused,
    e.GameResumed: _resumed,
    e.TakeBackAsked: _asked,
    e.TakeBackAgreed: _agreed,
    e.TakeBackDeclined: _declined,
}
