"""Whether a new game may be set up, and in which partition: the first of a few that takes it, always the same ones.

The id of a game decides its partition. A request has several ids, always the same ones, each in another partition;
where the first one's takes nothing, since it is away, lacks a replica or is quarantined, the next one is tried. So a
request that is sent again with its Idempotency-Key finds its game under one of them.
"""

import hmac
from base64 import b32encode
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import Final, TypeVar

from events.store.errors import PartitionQuarantined, StoreError
from events.store.waiting import waiting_at_most
from service.http.context.creators import Creator
from service.http.context.identity import UNNAMED
from service.http.context.services import services
from service.http.context.store import GameHeads
from service.http.messages.problems import Problem
from service.storage.partition_pauses import FAILURES
from service.storage.server import NEARLY_FULL

MOST_IDS: Final = 8
"""Ids of a request that has an Idempotency-Key; any other one is tried in every partition."""
LOOK_SECONDS: Final = 0.1
"""How long a partition is waited for that is asked whether it has a game."""
DOUBT_SECONDS: Final = 0.5
"""The same of one that has just failed: without an answer the request is refused, which costs its client more."""
_Made = TypeVar("_Made")


def game_ids(holder: str, named: str) -> Iterator[str]:
    """The ids that the new game of a request may have, in the order in which they are tried."""
    store = services().store
    key = bytes.fromhex(store.installation.token_key)
    most = store.partitions if named.startswith(UNNAMED) else min(MOST_IDS, store.partitions)
    seen = set[int]()
    for number in count():
        # The number stands where no Idempotency-Key reaches.
        text = f"game{f'-{number}' if number else ''}/{holder}/{named}"
        game = b32encode(hmac.digest(key, text.encode(), "sha256")[:10]).decode().lower()
        partition = store.partition_of(game)
        if partition not in seen:
            seen.add(partition)
            yield game
        if len(seen) == most:
            return


def check_room(creator: Creator, games: int = 1, promised: int = 0) -> None:
    """Refuse new games with which their creator would have too many unfinished ones, or if the store is nearly full.

    `promised` games are set up in any case, before these. Where the store does not say so now, the game is
    not refused for it: to set it up asks the store anyway.

    Raises:
        Problem: 409, or 503.
    """
    found, filled, full = services(), 0.0, None
    with suppress(StoreError), waiting_at_most(LOOK_SECONDS):
        filled = found.memory_filled()
        full = next(
            (
                each
                for each in creator.shares
                if found.unfinished_games.count(each.name) + promised + games > each.most
            ),
            None,
        )
    if filled > NEARLY_FULL:
        detail = (
            "The log's store is nearly full, and what room there is belongs to the games that have begun: no new ones"
            " are set up until there is more. Try again later, and tell the operator."
        )
        raise Problem(503, "store_nearly_full", detail, headers={"Retry-After": "60"})
    if full is not None:
        most = (
            f"{full.most:,} games that are open or running, as many as may be at once"
            if games == 1
            else f"too many games that are open or running for {games:,} more, of {full.most:,} at once"
        )
        detail = (
            f"{full.whose} {most}: play some to their end (GET /v1/games?status=running lists them), leave some alone"
            f" (one in which nothing has happened for {found.untouched_after} does not count), or {full.way_on}."
        )
        raise Problem(409, "too_many_games", detail)


def create_where_it_can_be(create: Callable[[str], _Made], holder: str, named: str) -> _Made:
    """What `create` makes of the first of a request's ids under which it does not fail for its partition.

    Raises:
        PartitionQuarantined, StoreUnavailable, StoreRefused: none of the partitions takes it, or it cannot be known
            whether the same request has set its game up before.
    """
    found, is_named = services(), not named.startswith(UNNAMED)
    ids = game_ids(holder, named)
    if is_named:
        first, *others = ids
        standing = GameHeads(found.store).existing(others, LOOK_SECONDS) if others else []
        ids = iter(standing or (first, *others))
    failure: StoreError | None = None
    left_alone: list[str] = []
    for game in ids:
        partition = found.store.partition_of(game)
        is_sick = found.creation_pauses.is_left_alone(partition)
        if is_sick and not (is_named and _is_there(game) is not False):
            left_alone.append(game)
            continue
        try:
            with found.creation_pauses.asking(partition):
                return create(game)
        except (PartitionQuarantined, *FAILURES) as error:
            failure = failure or error
            if is_named and _is_there(game, DOUBT_SECONDS) is not False:
                # It may stand and not be acknowledged: another one now would be a second game.
                raise
    if failure is None:
        # All of them have failed lately: one of them says with what.
        return create(left_alone[0])
    raise failure


def _is_there(game: str, seconds: float = LOOK_SECONDS) -> bool | None:
    """Whether there is a game with this id; None where that cannot be known in so many seconds."""
    try:
        with waiting_at_most(seconds):
            return services().store.head(game) is not None
    except FAILURES:
        return None
