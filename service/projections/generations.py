"""The generations of a read model, such as the list of games: one is read, another one may be built beside it.

`games-2` names the projection and the shape of what it writes; a change of the shape needs the next number. Of one
shape there are generations, `games-2.1`, `games-2.2` and so on, each with a checkpoint and keys of its own. Which one
is in use stands in each partition, so that the switch is one step on one server, also on a cluster.

Keys of the list of games in a partition, and of every read model `parts` and `checkpoint`:

games         hash: game id to its summary as JSON
created       sorted set: game id by time of creation (milliseconds)
status:open   sorted set, likewise: the games of one status; so too `system:classic`, `player:Ada` and
              `player-id:acme:42`
seen:open     sorted set, likewise: the games of one status as spectators see it, who may be some versions behind
public        sorted set, likewise: games that everybody finds in the list
creator:key_… sorted set, likewise: the games that one key has set up
touched:key_… sorted set: the games of one key that are open or running, by the time of their last event
              of guests by address and by network, `guest_…`, and of all guests, `guests`, likewise
due           sorted set: game id by time of creation: finished games whose validation may still be due
quarantined   sorted set, likewise: games that cannot be read as far as they were played
quarantine    hash: game id to why, for those in quarantine
parts         set: the names of the sorted sets of systems, players and creators
checkpoint    how far the feed was read
"""

from typing import Final
from urllib.parse import quote

import msgspec

GAMES: Final = "games-2"
"""Name of the projection and of the shape of what it writes."""
SUMMARIES: Final = "games"
CREATED: Final = "created"
DUE: Final = "due"
QUARANTINED: Final = "quarantined"
PUBLIC: Final = "public"
QUARANTINE: Final = "quarantine"
PARTS: Final = "parts"
STATUSES: Final = ("open", "running", "finished", "unknown")
UNFINISHED: Final = ("open", "running")
"""The statuses of games that have not ended."""


class Shape(msgspec.Struct, frozen=True):
    """Under which names a read model is kept."""

    name: str
    """Names the projection and the shape of what it writes, such as `games-2`."""
    parts: tuple[str, ...]
    """Its keys whose names are fixed; those of others stand in the part `parts`."""


def generation_name(generation: int, name: str = GAMES) -> str:
    """The name under which a generation's checkpoint and parts are kept, by default that of the list of games."""
    return f"{name}.{generation}"


def status_part(status: str) -> str:
    """The sorted set of the games of a status."""
    return f"status:{status}"


def seen_part(status: str) -> str:
    """The sorted set of the games that spectators see in a status."""
    return f"seen:{status}"


def creator_part(key: str) -> str:
    """The sorted set of the games that the key with this id has set up."""
    return f"creator:{quote(key, safe='')}"


def touched_part(key: str) -> str:
    """The sorted set of the games of the key with this id that have not ended, by the time of their last event."""
    return f"touched:{quote(key, safe='')}"


def system_part(system: str) -> str:
    """The sorted set of the games of a rule system."""
    return f"system:{quote(system, safe='')}"


def player_part(name: str) -> str:
    """The sorted set of the games in which somebody of this name sits."""
    return f"player:{quote(name, safe='')}"


def player_id_part(player: str) -> str:
    """The sorted set of the games in which the player with this id sits."""
    return f"player-id:{quote(player, safe='')}"


GAME_LIST: Final = Shape(
    GAMES,
    (
        SUMMARIES,
        QUARANTINE,
        CREATED,
        DUE,
        QUARANTINED,
        PUBLIC,
        *map(status_part, STATUSES),
        *map(seen_part, STATUSES),
    ),
)
"""The list of games."""
