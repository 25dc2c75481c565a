"""Time in which nobody could play: whoever acts after it has it given back first, in the same step.

The sweeper gives it back to every game in which somebody's time ran, one after the other. Whoever acts before it has
come to their game must not pay for that: their command, or the one that stops somebody else's bank, follows on what
was lost up to then. So does one that comes while nobody watches: what has not been given back of that gap is later.

There may be any number of outages, and a log takes so much. In one that is nearly full all that was lost is given
back in one piece, and by the sweeper once for each wait: so no move has more than two credits before it.
"""

from collections.abc import Callable, Iterable, Sequence

from events import commands as c
from events.game.clock import Clock
from events.game.table import Table
from events.game.timekeeping import TALK
from events.log.disclosure import Disclosure
from events.rules.move import CLOCK
from service.play.budgets import is_roomy
from service.storage.life_marks import Gap, Life


def next_credit(
    table: Table, at: int, gaps: Sequence[Gap], *, in_passing: bool = False
) -> c.CreditTime | None:
    """What is to be given back next of what was lost in a game up to a moment: each span by itself.

    In a log that is nearly full it is all in one piece, from the first gap to the last one, so that nobody has less
    time by it; and nothing `in_passing`, while nothing is over and nobody acts, to waits that have had some back.
    """
    clock = table.log.clock
    lost = None if clock is None else _find_lost(clock, at, gaps)
    if clock is None or lost is None or is_roomy(table):
        return lost
    if in_passing and all(wait.credited for wait in clock.waits):
        return None
    return c.CreditTime(lost.since, min(gaps[-1].until, at), lost.reason)


def count_lost(clock: Clock, at: int, gaps: Iterable[Gap]) -> Clock:
    """The clock as it will be once all that was lost up to a moment is given back."""
    found = tuple(gaps)
    while (lost := _find_lost(clock, at, found)) is not None:
        clock = clock.give_back(lost.since, lost.until)
    return clock


def _find_lost(clock: Clock, at: int, gaps: Iterable[Gap]) -> c.CreditTime | None:
    """The first span up to a moment in which a game waited and nobody could play, and that was not given back."""
    if not clock.waits:
        return None
    began = min(wait.since for wait in clock.waits)
    for gap in gaps:
        since, until = max(gap.since or began, clock.credited_until), min(gap.until, at)
        if since < until and began < until:
            return c.CreditTime(since, until, gap.reason)
    return None


def give_back(table: Table, at: int, gaps: Iterable[Gap]) -> tuple[Table, list[Disclosure]]:
    """Give back all that was lost in a game up to a moment: the table then, and the entries that say so."""
    entries: list[Disclosure] = []
    found = tuple(gaps)
    while (credit := next_credit(table, at, found)) is not None:
        table, more = table.disclose(CLOCK, credit, at)
        entries += more
    return table, entries


def may_be_owed(table: Table, actor: int, commands: Iterable[c.Command]) -> bool:
    """Whether something may have to be given back before these commands: a seat's, while somebody's time runs."""
    clock = table.log.clock
    return clock is not None and bool(clock.waits) and actor >= 0 and has_moves(commands)


def has_moves(commands: Iterable[c.Command]) -> bool:
    """Return whether any of these commands is more than talk, which no clock knows of."""
    return any(not isinstance(each, TALK) for each in commands)


class KnownLives:
    """What this process knows of the life of partitions, as long as that says all; safe to use from many threads.

    A fresh mark has all gaps before it, so within `LONGEST_SILENCE` of it nothing has to be asked again.
    """

    def __init__(self, look: Callable[[int], Life]) -> None:
        """Ask with this what is not known, by a partition's number."""
        self._look = look
        self._known: dict[int, Life] = {}

    def known(self, partition: int, moment: int) -> Life | None:
        """A partition's life, where this process knows all of it up to a moment."""
        life = self._known.get(partition)
        return life if life is not None and life.is_known_at(moment) else None

    def look(self, partition: int) -> Life:
        """A partition's life as the store has it now.

        Raises:
            StoreUnavailable
        """
        life = self._known[partition] = self._look(partition)
        return life
