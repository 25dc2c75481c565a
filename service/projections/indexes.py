"""By which sorted sets the list finds a game, and how a game moves between them."""

from collections.abc import Iterator
from typing import Final

import msgspec

from service.checkpoints import Write
from service.projections.generations import (
    CREATED,
    QUARANTINED,
    SUMMARIES,
    player_part,
    status_part,
    system_part,
)
from service.read_models import Summary

_STATUSES: Final = ("open", "running", "finished", "unknown")


def indexes_of(summary: Summary) -> frozenset[str]:
    """The parts in which a game stands."""
    players = (player_part(name) for name in summary.players if name is not None)
    quarantined = (QUARANTINED,) if summary.quarantined else ()
    return frozenset(
        (CREATED, status_part(summary.status), system_part(summary.system), *players, *quarantined)
    )


def summary_writes(was: Summary | None, now: Summary, *, known: bool) -> Iterator[Write]:
    """What changes when the list is to say this of a game; without `known` it is not known what it said before."""
    if now == was:
        return
    yield Write("HSET", SUMMARIES, (now.game, msgspec.json.encode(now)))
    wanted = indexes_of(now)
    if was is not None:
        former = indexes_of(was)
    elif known:
        former = frozenset[str]()
    else:
        former = frozenset((QUARANTINED, *map(status_part, _STATUSES)))
    again = was is None or was.created != now.created
    for part in sorted(wanted if again else wanted - former):
        yield Write("ZADD", part, (now.created, now.game))
    for part in sorted(former - wanted):
        yield Write("ZREM", part, (now.game,))
