"""What interrupts a game: pauses, rulings, and going back."""

from collections.abc import Callable
from types import MappingProxyType

from events import domain_events as e
from events.rules.table.state import GameState
from replay.commentary.telling import Telling
from replay.commentary.texts import NAME_LENGTH, make_printable


def _game_paused(tell: Telling, _state: GameState, event: e.GamePaused) -> str:
    return tell.event("game_paused", case=event.case, reason=tell.dispute(event.reason))


def _game_resumed(tell: Telling, _state: GameState, event: e.GameResumed) -> str:
    return tell.event("game_resumed", case=event.case)


def _ruling_made(tell: Telling, _state: GameState, event: e.RulingMade) -> str:
    return tell.event(
        "ruling_made",
        arbiter=make_printable(event.arbiter, NAME_LENGTH),
        case=event.case,
        ruling=tell.ruling(event.kind),
        scope=_in_a_line(event.scope),
        reason=_in_a_line(event.reason),
    )


def _in_a_line(text: str) -> str:
    """A text that may have paragraphs."""
    return make_printable(" ".join(line for line in text.split("\n") if line))


def _game_rewound(tell: Telling, _state: GameState, event: e.GameRewound) -> str:
    key = "game_rewound.ruled" if event.case else "game_rewound.agreed"
    return tell.event(key, case=event.case, version=event.to_version)


def _take_back_asked(tell: Telling, state: GameState, event: e.TakeBackAsked) -> str:
    key = "take_back_asked.seen" if event.seen_confirmed else "take_back_asked"
    return tell.event(key, player=tell.player(state, event.seat), version=event.to_version)


def _take_back_agreed(tell: Telling, state: GameState, event: e.TakeBackAgreed) -> str:
    return tell.event("take_back_agreed", player=tell.player(state, event.seat))


def _take_back_declined(tell: Telling, state: GameState, event: e.TakeBackDeclined) -> str:
    return tell.event("take_back_declined", player=tell.player(state, event.seat))


SENTENCES: MappingProxyType[type[e.DomainEvent], Callable[..., str]] = MappingProxyType(
    {
        e.GamePaused: _game_paused,
        e.GameResumed: _game_resumed,
        e.RulingMade: _ruling_made,
        e.GameRewound: _game_rewound,
        e.TakeBackAsked: _take_back_asked,
        e.TakeBackAgreed: _take_back_agreed,
        e.TakeBackDeclined: _take_back_declined,
    }
)
"""One function per event type."""
