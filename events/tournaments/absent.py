"""The seats that rank last at a table because of how its game ended."""

from msgspec.structs import replace

from events.rules.interventions.ending import UNTOUCHED
from events.rules.table.absence import away_from
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_behind


def absent_from(state: GameState) -> tuple[int, ...]:
    """Return the seats whose players have left; of a game closed untouched also those it waited for.

    Neither a dispute nor an open take-back changes whom it waited for, as for a late table.
    """
    absent = {*away_from(state)}
    if state.result is not None and state.result.reason == UNTOUCHED:
        absent.update(waiting_behind(replace(state, status="running", due=None)))
    return tuple(sorted(absent))
