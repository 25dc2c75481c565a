"""What a seat may send right now, exactly: commands ready to send, and forms where they are too many to list."""

from collections.abc import Iterable, Iterator

from events import commands as c
from events.rules.definition.forms import Form
from events.rules.definition.rule_system import Rules
from events.rules.interventions.leaving import legal_leaving
from events.rules.interventions.take_backs import legal_answers, legal_questions
from events.rules.move import Earlier, nothing_earlier
from events.rules.table.state import GameState
from events.rules.table.waiting import is_held_up


def legal_commands(
    rules: Rules,
    state: GameState,
    seat: int,
    earlier: Earlier | None = nothing_earlier,
    stops: Iterable[int] = (),
) -> list[c.Command | Form]:
    """Everything that `decide` would accept from this seat; empty before the start and after the end.

    To which versions the game can go back only its log says: `earlier` finds their tables, as for `play`, and `stops`
    are those that may be asked for. Where `earlier` is None whoever decides has the log: then the question is listed
    without its versions, and whatever was asked can be agreed to.
    The order in which an acceptance names its cards does not count. Who is no seat of the table has no commands.
    """
    if state.status != "running" or state.due is not None or not 0 <= seat < rules.players:
        return []
    return list(_list_commands(rules, state, seat, earlier, stops))


def _list_commands(
    rules: Rules, state: GameState, seat: int, earlier: Earlier | None, stops: Iterable[int]
) -> Iterator[c.Command | Form]:
    phase = rules.phases[state.phase]
    if is_held_up(state):
        yield from rules.system.any_time[c.Say].legal(rules, state, seat)
        if not state.paused_by:
            yield from legal_answers(state, seat, earlier)
        return
    for rule in (*phase.rules.values(), *rules.any_time_in(phase).values()):
        if not rule.active_only or seat == state.active:
            yield from rule.legal(rules, state, seat)
    yield from legal_leaving(state, seat)
    yield from legal_questions(state, seat, earlier, stops)
