"""By which sorted sets the list finds a game, and how a game moves between them."""

from collections.abc import Iterator, Mapping

import msgspec

from service.access.game_access import PUBLIC_GAME
from service.access.guests import counted_as
from service.projections.generations import (
    CREATED,
    PARTS,
    PUBLIC,
    QUARANTINED,
    STATUSES,
    SUMMARIES,
    UNFINISHED,
    creator_part,
    player_id_part,
    player_part,
    seen_part,
    status_part,
    system_part,
    touched_part,
)
from service.projections.listed_games import Summary
from service.storage.checkpoints import Write


def indexes_of(summary: Summary) -> Mapping[str, int]:
    """The parts in which a game stands, and at which time."""
    quarantined = (QUARANTINED,) if summary.quarantined else ()
    public = (PUBLIC,) if summary.visibility == PUBLIC_GAME else ()
    statuses = (status_part(summary.status), seen_part(summary.behind(summary.spectator_delay).status))
    named = _list_named_parts(summary)
    found = dict.fromkeys((CREATED, *statuses, *quarantined, *public, *named), summary.created)
    touched = frozenset(map(touched_part, counted_as(summary.creator)))
    return found | dict.fromkeys(named & touched, summary.touched)


def _list_named_parts(summary: Summary) -> frozenset[str]:
    """Those of the parts whose names come from the game; they are kept, so that nobody has to look for keys."""
    players = (player_part(name) for name in summary.players if name is not None)
    ids = (player_id_part(player) for player in summary.player_ids if player is not None)
    system = (system_part(summary.system),) if summary.system else ()
    creators = counted_as(summary.creator)
    touched = map(touched_part, creators if summary.status in UNFINISHED else ())
    return frozenset((*system, *players, *ids, *map(creator_part, creators), *touched))


def summary_writes(was: Summary | None, now: Summary, *, known: bool) -> Iterator[Write]:
    """What changes when the list is to say this of a game; without `known` it is not known what it said before."""
    if now == was:
        return
    yield Write("HSET", SUMMARIES, (now.game, msgspec.json.encode(now)))
    wanted = indexes_of(now)
    before: Mapping[str, int | None] = {}
    if was is not None:
        before = indexes_of(was)
    elif not known:
        statuses = (*map(status_part, STATUSES), *map(seen_part, STATUSES))
        before = dict.fromkeys((QUARANTINED, PUBLIC, *statuses, *map(touched_part, counted_as(now.creator))))
    for part in sorted(part for part, time in wanted.items() if before.get(part) != time):
        yield Write("ZADD", part, (wanted[part], now.game))
    for part in sorted(before.keys() - wanted.keys()):
        yield Write("ZREM", part, (now.game,))
    if names := sorted(_list_named_parts(now) - before.keys()):
        yield Write("SADD", PARTS, tuple(names))
