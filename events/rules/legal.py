"""What a seat may send right now, exactly: commands ready to send, and forms where they are too many to list."""

from collections.abc import Iterator

from events import commands as c
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


def _listed(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command | Form]:
    phase = rules.phases[state.phase]
    any_time = rules.system.any_time.values() if phase.interruptible else ()
    for rule in (*phase.rules.values(), *any_time):
        if not rule.active_only or seat == state.active:
            yield from rule.legal(rules, state, seat)


def waiting_for(state: GameState) -> tuple[int, ...]:
    """The seats without which the game does not go on: the active player, or whoever has cards aside."""
    if state.status != "running" or state.due is not None:
        return ()
    aside = tuple(seat for seat, player in enumerate(state.seats) if player.aside)
    return aside if state.phase == "plant_aside" else (state.active,)
