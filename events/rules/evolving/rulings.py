"""Pauses, rulings and take-backs."""

from msgspec.structs import replace

from events import domain_events as e
from events.rules.evolving.places import Evolvers
from events.rules.table.absence import seats_after
from events.rules.table.state import GameState, TakeBack


def _game_paused(state: GameState, event: e.GamePaused) -> GameState:
    return replace(state, paused_by=(*state.paused_by, event.case))


def _released(state: GameState, event: e.GameResumed | e.RulingMade) -> GameState:
    return replace(state, paused_by=tuple(case for case in state.paused_by if case != event.case))


def _game_rewound(earlier: GameState, event: e.GameRewound) -> GameState:
    """What is changed is the table of `event.to_version`: see `events.game.rewindable_history`."""
    addition = earlier.addition
    if addition is not None:
        for name, pile in addition.piles().items():
            addition = addition.with_pile(name, replace(pile, shuffles=event.bonus_shuffles))
        earlier = earlier.with_addition(addition)
    return replace(
        earlier,
        shuffles=event.shuffles,
        redeal=event.redeal,
        paused_by=event.paused_by,
        take_back=None,
        end_offer=None,
        seats=seats_after(earlier, event),
    )


def _take_back_asked(state: GameState, event: e.TakeBackAsked) -> GameState:
    asked = TakeBack(event.seat, event.to_version, event.agreed, event.seen_confirmed)
    return replace(state, take_back=asked)


def _take_back_agreed(state: GameState, event: e.TakeBackAgreed) -> GameState:
    if state.take_back is None:
        return state
    agreed = (*state.take_back.agreed, event.seat)
    return replace(state, take_back=replace(state.take_back, agreed=agreed))


def _take_back_declined(state: GameState, _event: e.TakeBackDeclined) -> GameState:
    return replace(state, take_back=None)


EVOLVERS: Evolvers = {
    e.GamePaused: _game_paused,
    e.GameResumed: _released,
    e.RulingMade: _released,
    e.GameRewound: _game_rewound,
    e.TakeBackAsked: _take_back_asked,
    e.TakeBackAgreed: _take_back_agreed,
    e.TakeBackDeclined: _take_back_declined,
}
