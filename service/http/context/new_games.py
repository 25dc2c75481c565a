"""In which partition a new game is set up: the first of a few that takes it, also for a request that is sent again.

The id of a game decides its partition. A request has several ids, always the same ones, each in another partition;
where the first one's takes nothing, since it is away, lacks a replica or is quarantined, the next one is tried. So a
request that is sent again with its Idempotency-Key finds its game under one of them.
"""

import hmac
from base64 import b32encode
from collections.abc import Callable, Iterator
from itertools import count
from typing import Final, TypeVar

from events.store.errors import PartitionQuarantined, StoreError
from events.store.waiting import waiting_at_most
from service.http.context.identity import UNNAMED
from service.http.context.services import services
from service.http.context.store import GameHeads
from service.storage.partition_pauses import FAILURES

MOST_IDS: Final = 8
"""Ids of a request that has an Idempotency-Key; any other one is tried in every partition."""
LOOK_SECONDS: Final = 0.1
"""How long a partition is waited for that is asked whether it has a game."""
_Made = TypeVar("_Made")


def game_ids(holder: str, named: str) -> Iterator[str]:
    """The ids that the new game of a key holder's request may have, in the order in which they are tried."""
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
        with waiting_at_most(LOOK_SECONDS):
            standing = GameHeads(found.store).existing(others) if others else []
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
            if is_named and _is_there(game) is not False:
                # It may stand and not be acknowledged: another one now would be a second game.
                raise
    if failure is None:
        # All of them have failed lately: one of them says with what.
        return create(left_alone[0])
    raise failure


def _is_there(game: str) -> bool | None:
    """Whether there is a game with this id; None where that cannot be known now."""
    try:
        with waiting_at_most(LOOK_SECONDS):
            return services().store.head(game) is not None
    except FAILURES:
        return None
