"""Whom a game waits for, and whether anything holds it up."""

from msgspec.structs import replace

from events.rules.table.state import GameState

PLANT_ASIDE = "plant_aside"
"""The phase in which everybody plants what lies aside, in whatever order they like."""


def is_held_up(state: GameState) -> bool:
    """Whether nothing but talk is accepted: a dispute or a take-back comes first."""
    return bool(state.paused_by) or state.take_back is not None


def waiting_for(state: GameState) -> tuple[int, ...]:
    """The seats without which the game does not go on: the active player, or whoever has to plant or to answer.

    While a dispute holds the game up it waits for nobody at the table.
    """
    if state.status != "running" or state.due is not None or state.paused_by:
        return ()
    if state.take_back is not None:
        return tuple(seat for seat in range(len(state.seats)) if seat not in state.take_back.agreed)
    if state.phase == PLANT_ASIDE:
        lying = {state.active} if state.revealed else set()
        return tuple(seat for seat, player in enumerate(state.seats) if player.aside or seat in lying)
    addition = state.addition
    return (addition.waiting_for(state.phase) if addition else None) or (state.active,)


def waiting_behind(state: GameState) -> tuple[int, ...]:
    """Return the seats that the game would wait for if neither a dispute nor a take-back held it up."""
    return waiting_for(replace(state, paused_by=(), take_back=None))
