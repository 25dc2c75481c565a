"""What a seat may send right now, exactly: commands ready to send, and forms where they are too many to list."""

from collections.abc import Iterator

from events import commands as c
from events.rules.duel_state import waited_for
from events.rules.forms import Form
from events.rules.rule_system import Rules
from events.rules.state import GameState


def legal_commands(rules: Rules, state: GameState, seat: int) -> list[c.Command | Form]:
    """Everything that `decide` would accept from this seat; empty before the start and after the end.

    The order in which an acceptance names its cards does not count. Who is no seat of the table has no commands.
    """
    if state.status != "running" or state.due is not None or not 0 <= seat < rules.players:
        return []
    return list(_listed(rules, state, seat))


def is_held_up(state: GameState) -> bool:
    """Whether nothing but talk is accepted: a dispute or a take-back comes first."""
    return bool(state.paused_by) or state.take_back is not None


def _listed(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command | Form]:
    phase = rules.phases[state.phase]
    if is_held_up(state):
        yield from rules.system.any_time[c.Say].legal(rules, state, seat)
        return
    for rule in (*phase.rules.values(), *rules.any_time_in(phase).values()):
        if not rule.active_only or seat == state.active:
            yield from rule.legal(rules, state, seat)


def waiting_for(state: GameState) -> tuple[int, ...]:
    """The seats without which the game does not go on: the active player, or whoever has to plant or to answer.

    While a dispute holds the game up it waits for nobody at the table.
    """
    if state.status != "running" or state.due is not None or state.paused_by:
        return ()
    if state.take_back is not None:
        return tuple(seat for seat in range(len(state.seats)) if seat not in state.take_back.agreed)
    if state.phase == "plant_aside":
        lying = {state.active} if state.revealed else set()
        return tuple(seat for seat, player in enumerate(state.seats) if player.aside or seat in lying)
    return (waited_for(state.duel, state.phase) if state.duel else None) or (state.active,)
