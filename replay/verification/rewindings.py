"""Pauses, rulings, take-backs and rewindings in a record: whether they make sense, for any viewer."""

from collections.abc import Callable
from typing import Any

from events import domain_events as e
from events.game.folding import Folding
from events.rules.definition.rule_system import Rules
from events.rules.interventions.rewinding import REDEAL, keeps_deal
from events.rules.interventions.rulings import HIGHEST_SCORE, MOST_CASES, RULED_ENDS
from events.rules.table.absence import absence_in, bots_at, has_bot_player
from events.rules.table.addition import BONUS_PILE
from events.rules.table.piles import shuffles_of
from events.rules.table.seen import piles_touched
from events.rules.table.state import GameState
from events.rules.table.waiting import is_held_up
from replay.records.report import Discrepancy

_LEAVES, _GOES_BACK = "dismissed", "rewound"
_WHILE_HELD_UP = (
    e.Talked,
    e.TimeExpired,
    e.TimeCredited,
    e.GamePaused,
    e.GameResumed,
    e.RulingMade,
    e.GameRewound,
    e.TakeBackAgreed,
    e.TakeBackAsked,
    e.TakeBackDeclined,
    e.DealerCalled,
    e.PileShuffled,
    e.SeatTakenOver,
    e.EndAccepted,
    e.GameClosed,
    e.GameEnded,
)
_ORDERED = {e.GameRewound, e.GameEnded, e.DealerCalled}
"""What can come after certain events only; anything else has its place where nothing special came before it."""


def check_order(state: GameState, last: e.DomainEvent | None, event: e.DomainEvent) -> None:
    """Refuse what cannot come after the event before it, because of a pause, a take-back or a ruling.

    Raises:
        Discrepancy: of the check `fold`.
    """
    held_up = is_held_up(state)
    if not (held_up or state.redeal or type(event) in _ORDERED or type(last) is e.RulingMade):
        return
    if state.status == "running" and held_up and not isinstance(event, _WHILE_HELD_UP):
        raise Discrepancy("fold", f"{type(event).__name__} happened while the game was held up")
    ruled = (last.kind, last.case) if isinstance(last, e.RulingMade) else (_LEAVES, 0)
    if _ruling_behind(event, ruled[1]) != ruled:
        raise Discrepancy(
            "fold", f"{type(event).__name__} does not follow from what was ruled before it: {ruled[0]}"
        )
    called = event.pile if isinstance(event, e.DealerCalled) and event.purpose == REDEAL else None
    if called != (state.redeal[0] if state.redeal and state.due is None else None):
        raise Discrepancy(
            "fold", f"after going back {list(state.redeal)} have to be dealt anew, and nothing else"
        )


def _ruling_behind(event: e.DomainEvent, case: int) -> tuple[str, int]:
    """The kind and the case of the ruling that must have been made right before this event."""
    if isinstance(event, e.GameRewound) and event.case:
        return _GOES_BACK, event.case
    if isinstance(event, e.GameEnded) and event.reason in RULED_ENDS:
        return event.reason, case
    return _LEAVES, case


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
    _check_deal(earlier, now, event.to_version)
    if event.paused_by != tuple(case for case in now.paused_by if case != event.case):
        raise Discrepancy("fold", "other cases hold the game up than before")
    if (event.away, event.bots, event.returns) != absence_in(now):
        raise Discrepancy("fold", "others are away than before")
    if not event.case and not _is_agreed(now, event.to_version):
        raise Discrepancy("fold", f"not everybody has agreed to go back to version {event.to_version}")


def check_asked(folding: Folding, event: e.TakeBackAsked) -> None:
    """Refuse asking to go back to where the game cannot go back to, or without knowing that cards were seen.

    Raises:
        Discrepancy: of the check `fold`.
    """
    earlier = folding.earlier(event.to_version)
    if earlier is None:
        raise Discrepancy("fold", f"the game cannot go back to version {event.to_version}")
    if not event.seen_confirmed and piles_touched(earlier, folding.state):
        raise Discrepancy(
            "fold", f"cards were seen since version {event.to_version}, and nobody confirmed that"
        )
    if has_bot_player(folding.state) and piles_touched(earlier, folding.state):
        raise Discrepancy(
            "fold", f"cards were seen since version {event.to_version}, and a bot has a seat of its own"
        )
    _check_deal(earlier, folding.state, event.to_version)


def _check_deal(earlier: GameState, now: GameState, version: int) -> None:
    if not keeps_deal(earlier, now):
        raise Discrepancy("fold", f"cards were drawn since version {version}, and the deal has to stay")


def _is_agreed(state: GameState, version: int) -> bool:
    """Whether every seat has agreed to go back to this version."""
    asked = state.take_back
    return asked is not None and asked.to_version == version and {*asked.agreed} == {*range(len(state.seats))}


def check_ruled_end(rules: Rules, event: e.GameEnded, scores: tuple[int, ...]) -> None:
    """Refuse a ruled end whose scores or winners cannot be: `scores` is what the table says.

    Raises:
        Discrepancy: of the check `scores`.
    """
    if event.reason != "replaced" and event.scores != scores:
        raise Discrepancy("scores", f"the coin stacks hold {list(scores)}, not {list(event.scores)}")
    winners = sorted({*event.winners} & {*range(rules.players)})
    can_be = len(event.scores) == rules.players and all(0 <= each <= HIGHEST_SCORE for each in event.scores)
    if not can_be or event.winners != tuple(winners) or event.unit != rules.system.unit:
        raise Discrepancy("scores", "the result does not fit the table")
    if bool(event.winners) == (event.reason == "annulled"):
        raise Discrepancy("scores", f"a game that is {event.reason} has {len(event.winners)} winners")


def _check_paused(_rules: Rules, state: GameState, event: e.GamePaused) -> None:
    if event.case < 1 or event.case in state.paused_by or len(state.paused_by) >= MOST_CASES:
        raise Discrepancy("fold", f"case {event.case} holds the game up already, is none, or one too many")


def _check_resumed(_rules: Rules, state: GameState, event: e.GameResumed) -> None:
    if event.case not in state.paused_by:
        raise Discrepancy("fold", f"case {event.case} did not hold the game up")


def _check_ruled(_rules: Rules, _state: GameState, event: e.RulingMade) -> None:
    if event.case < 1 or event.kind not in {_LEAVES, _GOES_BACK, *RULED_ENDS}:
        raise Discrepancy("fold", f"there is no ruling {event.kind[:20]!r} of case {event.case}")


def _check_asked(_rules: Rules, state: GameState, event: e.TakeBackAsked) -> None:
    if state.take_back is not None:
        raise Discrepancy("fold", "two take-backs are open")
    if event.agreed != (event.seat, *(seat for seat in bots_at(state) if seat != event.seat)):
        raise Discrepancy("fold", "others agree at once to go back than who asks for it and the bots")


def _check_agreed(_rules: Rules, state: GameState, event: e.TakeBackAgreed) -> None:
    if state.take_back is None or event.seat in state.take_back.agreed:
        raise Discrepancy("fold", f"seat {event.seat} had nothing to agree to")


def _check_declined(_rules: Rules, state: GameState, _event: e.TakeBackDeclined) -> None:
    if state.take_back is None:
        raise Discrepancy("fold", "nobody had asked to take anything back")


CHECKS: dict[type[e.DomainEvent], Callable[[Rules, GameState, Any], None]] = {
    e.GamePaused: _check_paused,
    e.GameResumed: _check_resumed,
    e.RulingMade: _check_ruled,
    e.TakeBackAsked: _check_asked,
    e.TakeBackAgreed: _check_agreed,
    e.TakeBackDeclined: _check_declined,
}
