"""Which partition a game belongs to, and how its keys are tagged.

A partition is a fixed share of all games. Everything that one step of the store writes (a game's stream, its
partition's feed) carries the partition's tag in braces, so on a cluster all of it lives in one slot.
"""

import re
from zlib import crc32

MOST_PARTITIONS = 100
"""Two digits: more would break the order of the tags, and every partition costs its followers a read."""

GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What a game id may look like; it becomes a part of key names."""


def is_game_id(text: str) -> bool:
    """Tell whether a game could have this id at all."""
    return GAME_ID.fullmatch(text) is not None


def check_partitions(partitions: int) -> int:
    """Return the number of partitions unchanged.

    Raises:
        ValueError: it is not between 1 and `MOST_PARTITIONS`.
    """
    if not 1 <= partitions <= MOST_PARTITIONS:
        message = f"The number of partitions must be between 1 and {MOST_PARTITIONS}, not {partitions}."
        raise ValueError(message)
    return partitions


def partition_of(game_id: str, partitions: int) -> int:
    """Return the game's partition, from 0 to `partitions` - 1: CRC-32 of the id, the same on every machine.

    >>> partition_of("fruehling", 16)
    2
    """
    return crc32(game_id.encode()) % partitions


def partition_tag(partition: int) -> str:
    """Return the tag in front of every key of a partition; the braces are a cluster's hash tag.

    >>> partition_tag(7)
    '{p07}'
    """
    return f"{{p{partition:02d}}}"
