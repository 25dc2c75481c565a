"""By which sorted sets the list finds a game, and how a game moves between them."""

from collections.abc import Iterator

import msgspec

from service.access.game_access import PUBLIC_GAME
from service.projections.game_list import Summary
from service.projections.generations import (
    CREATED,
    PARTS,
    PUBLIC,
    QUARANTINED,
    STATUSES,
    SUMMARIES,
    creator_part,
    player_part,
    seen_part,
    status_part,
    system_part,
)
from service.storage.checkpoints import Write


def indexes_of(summary: Summary) -> frozenset[str]:
    """The parts in which a game stands."""
    quarantined = (QUARANTINED,) if summary.quarantined else ()
    public = (PUBLIC,) if summary.visibility == PUBLIC_GAME else ()
    statuses = (status_part(summary.status), seen_part(summary.behind(summary.spectator_delay).status))
    return frozenset((CREATED, *statuses, *quarantined, *public, *_list_named_parts(summary)))


def _list_named_parts(summary: Summary) -> frozenset[str]:
    """Those of the parts whose names come from the game; they are kept, so that nobody has to look for keys."""
    players = (player_part(name) for name in summary.players if name is not None)
    system = (system_part(summary.system),) if summary.system else ()
    creator = (creator_part(summary.creator),) if summary.creator else ()
    return frozenset((*system, *players, *creator))


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
        former = frozenset((QUARANTINED, PUBLIC, *map(status_part, STATUSES), *map(seen_part, STATUSES)))
    again = was is None or was.created != now.created
    for part in sorted(wanted if again else wanted - former):
        yield Write("ZADD", part, (now.created, now.game))
    for part in sorted(former - wanted):
        yield Write("ZREM", part, (now.game,))
    if names := sorted(_list_named_parts(now) - former):
        yield Write("SADD", PARTS, tuple(names))
